import CGStreamer
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Drives the plugin file that users get with GStreamer's own tools.
@Suite(.serialized, .timeLimit(.minutes(20))) struct BuiltPluginTests {
  private func gst(
    _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> Command {
    try #require(
      access(BuiltPlugin.file, R_OK) == 0, "build the plugin first: make build")
    return try Command(arguments, environment: try Command.pluginEnvironment(environment))
  }

  /// Elements whose texts are committed.
  private static func inspected() throws -> [String] {
    try Command(["ls", "Tests/PluginTests/Inspected"]).output.split(separator: "\n").map {
      String($0.dropLast(".txt".count))
    }
  }

  /// What gst-inspect printed, without what newer versions than 1.22 add to it.
  private static func laidOutAnew(_ text: String) -> String {
    // The file's place is this machine's.
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains("  Filename  ") }
    if GStreamerHabits.inspectsAtGreaterLength {
      lines = lines.filter { line in line != "Element Flags:" && !line.allSatisfy { $0 == " " } }
    }
    if GStreamerHabits.inspectsTypesOfValues {
      lines = lines.map {
        $0.replacing(#/ \(Gst[A-Za-z]+\)$/#, with: "").drop { $0 == " " }
      }
    }
    return lines.joined(separator: "\n")
  }

  @Test(arguments: try inspected())
  func inspectionReadsAsCommitted(element: String) throws {
    let run = try gst(["gst-inspect-1.0", "--no-colors", element])
    #expect(run.status == 0)
    let path = Photograph.root + "/Tests/PluginTests/Inspected/\(element).txt"
    var committed: UnsafeMutablePointer<gchar>?
    #expect(g_file_get_contents(path, &committed, nil, nil) != 0)
    defer { g_free(committed) }
    #expect(
      Self.laidOutAnew(run.output) == Self.laidOutAnew(committed.map { String(cString: $0) } ?? ""),
      "after a wanted change: make inspect")
  }

  @Test func aPipelineOfGstLaunchFindsTheFaceAndLeavesNothingBehind() throws {
    let run = try gst(
      [
        "gst-launch-1.0", "-m", "filesrc", "location=" + Photograph.path, "!", "pngdec", "!",
        "videoconvert", "!", "facedetect", "!", "fakesink",
      ], Command.tracingLeaks)
    #expect(run.status == 0)
    #expect(run.output.contains("facedetect, timestamp=(guint64)0"))
    #expect(run.leakedObjects.isEmpty, "\(run.leakedObjects)")
  }

  @Test func stickersInARowLeaveNothingBehind() throws {
    let run = try gst(
      [
        "gst-launch-1.0", "-m", "filesrc", "location=" + Photograph.path, "!", "pngdec", "!",
        "videoconvert", "!", "facedetect", "!", "sticker", "location=halo", "!", "sticker",
        "location=dog", "!", "sticker", "location=" + Photograph.path, "!", "fakesink",
      ], Command.tracingLeaks)
    #expect(run.status == 0)
    #expect(run.output.contains("name=(string)Halo"))
    #expect(run.leakedObjects.isEmpty, "\(run.leakedObjects)")
  }

  @Test func bothNamesAreTheSameElement() throws {
    for name in ["facedetect", "mienfacedetect"] {
      let run = try gst([
        "gst-launch-1.0", "-m", "filesrc", "location=" + Photograph.path, "!", "pngdec", "!",
        "videoconvert", "!", name, "!", "fakesink",
      ])
      #expect(run.status == 0)
      #expect(run.output.contains("confidence"))
    }
  }

  @Test func thePluginNeedsNoSwiftRuntimeAndExportsOnlyItself() throws {
    let needed = try Command(["ldd", BuiltPlugin.file]).output
    #expect(needed.contains("/mien/") && !needed.contains("not found"))
    #expect(!needed.contains("swift") && !needed.contains("Foundation"))
    func exports(_ path: String) throws -> [Substring] {
      try Command(["nm", "-D", "--defined-only", "--extern-only", path]).output
        .split(separator: "\n").compactMap { $0.split(separator: " ").last }.sorted()
    }
    #expect(
      try exports(BuiltPlugin.file) == ["gst_plugin_mien_get_desc", "gst_plugin_mien_register"])
    #expect(try exports(BuiltPlugin.library) == ["mien_register_elements"])
  }

  @Test func addressesAreReadOnlyOnceAFileIsLoaded() throws {
    let built = try Command(["find", ".build/lib", ".build/bin", "-type", "f"]).output
      .split(separator: "\n").map(String.init)
      .filter { $0.hasSuffix(".so") || $0.hasPrefix(".build/bin/") }
    #expect(built.contains { $0.hasSuffix("libgstmien.so") }, "\(built)")
    #expect(built.contains(".build/bin/mien") && built.contains(".build/bin/mien-studio"))
    for file in built {
      let said = try Command(["readelf", "-lW", "-d", file]).output
      #expect(said.contains("GNU_RELRO"), "\(file)")
      #expect(said.contains("BIND_NOW") || said.contains(" NOW"), "\(file)")
    }
  }

  @Test(arguments: ["facedetect accuracy=low", "sticker location=frame"])
  func aShortRunUnderValgrindReportsNothingOfOurs(element: String) throws {
    let run = try Command.launchUnderValgrind(
      "videotestsrc num-buffers=2 ! video/x-raw,width=64,height=48 ! \(element) ! fakesink")
    #expect(run.status == 0)
    #expect(run.errors.contains("ERROR SUMMARY"))
    let faults = run.pluginMemoryErrors
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }
}
