import CGStreamer
import Support
import Testing
import Threads

/// The built plugin file's `chromakey`, watched from outside.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ChromaKeyBuiltTests {
  private static func shot(_ count: Int, _ format: String, _ size: Int = 96) -> String {
    "videotestsrc pattern=ball background-color=0xff10a040 num-buffers=\(count)"
      + " ! video/x-raw,format=\(format),width=\(size),height=\(size)"
  }

  /// Alpha as a memory of its own, a frame of its own, relabelled, and pictures behind.
  static let uses = [
    ("I420", "chromakey ! compositor"), ("NV12", "chromakey soften=1 n-threads=2"),
    ("BGRx", "chromakey shrink=1"),
    ("NV12", "chromakey background=\(Photograph.path) n-threads=2"),
    ("YUY2", "chromakey background-color=0xff203040"),
  ]

  @Test(arguments: uses)
  func nothingIsLeftAliveAfterARun(format: String, elements: String) throws {
    let run = try Command.launch(
      Self.shot(3, format) + " ! \(elements) ! fakesink",
      Command.tracingLeaks)
    #expect(run.status == 0)
    #expect(run.errors.contains("GST_TRACER"))
    #expect(run.leakedObjects.isEmpty, "\(run.leakedObjects)")
  }

  @Test(arguments: [uses[1], uses[3]])
  func aShortRunUnderValgrindReportsNothingOfOurs(format: String, elements: String) throws {
    let run = try Command.launchUnderValgrind(
      Self.shot(3, format, 97) + " ! \(elements) ! fakesink")
    #expect(run.status == 0)
    #expect(run.errors.contains("ERROR SUMMARY"))
    let faults = run.pluginMemoryErrors
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }
}
