import CGStreamer
import Support
import Testing
import Threads

/// The built plugin file's `beautifymask`, watched from outside.
@Suite(.serialized, .timeLimit(.minutes(20))) struct BeautifyMaskBuiltTests {
  private static func photograph(_ count: Int, _ format: String = "I420") -> String {
    "filesrc location=\(Photograph.path) ! pngdec ! imagefreeze num-buffers=\(count)"
      + " ! videoconvert ! videoscale ! video/x-raw,format=\(format),width=160,height=160"
      + " ! facedetect accuracy=low updates=none"
  }

  @Test func nothingIsLeftAliveAfterARun() throws {
    let run = try Command.launch(
      Self.photograph(3) + " ! beautifymask even-skin=0.5 n-threads=2 ! fakesink",
      Command.tracingLeaks)
    #expect(run.status == 0)
    #expect(run.leakedObjects.isEmpty, "\(run.leakedObjects)")
  }

  @Test(arguments: ["I420"])
  func aShortRunUnderValgrindReportsNothingOfOurs(format: String) throws {
    let run = try Command.launchUnderValgrind(
      Self.photograph(2, format) + " ! beautifymask even-skin=0.5 n-threads=2 ! fakesink")
    #expect(run.status == 0)
    #expect(run.errors.contains("ERROR SUMMARY"))
    let faults = run.pluginMemoryErrors
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }

  @Test(arguments: [
    ("natural", 0.4), ("soft", 0.75), ("strong", 1.0), ("bright", 0.5),
  ])
  func presetsAreFoundByNameAndSetTheLook(name: String, intensity: Double) throws {
    #expect(Registered.now)
    g_setenv("GST_PRESET_PATH", Photograph.root + "/presets", 1)
    let element = try #require(gst_element_factory_make("beautifymask", nil))
    defer { gst_object_unref(element) }
    let found = gst_preset_load_preset(OpaquePointer(element), name)
    #expect(found != 0)
    var value = GValue()
    g_value_init(&value, g_type_from_name("gdouble"))
    UnsafeMutableRawPointer(element).withMemoryRebound(to: GObject.self, capacity: 1) {
      g_object_get_property($0, "intensity", &value)
    }
    #expect(g_value_get_double(&value) == intensity)
  }
}
