import CGStreamer
import Support
import Testing
import Threads

/// The built plugin file's `chromakey`, watched from outside.
@Suite(.serialized) struct ChromaKeyBuiltTests {
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
    #expect(run.leftAlive.isEmpty, "\(run.leftAlive)")
  }

  @Test(arguments: [uses[1], uses[3]])
  func aShortRunUnderValgrindReportsNothingOfOurs(format: String, elements: String) throws {
    let run = try Command.launchWatched(Self.shot(3, format, 97) + " ! \(elements) ! fakesink")
    #expect(run.status == 0)
    #expect(run.errors.contains("ERROR SUMMARY"))
    let faults = run.faultsOfThePlugin
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }

  /// Allocations of a whole run, as valgrind counts them.
  private func allocations(_ frames: Int, _ rest: String) throws -> Int {
    let run = try Command.launch(
      Self.shot(frames, "I420") + rest + " ! fakesink", ["G_SLICE": "always-malloc"],
      under: ["valgrind", "--leak-check=no"])
    return try #require(run.allocations)
  }

  @Test func aFrameInSteadyStateAllocatesNothing() throws {
    #expect(try Command.launch("videotestsrc num-buffers=1 ! chromakey ! fakesink").status == 0)
    // The test source's frames come from a pool: twenty more of them cost nothing either. The
    // screen's colour settles over the first eight.
    let elements = " ! chromakey background-color=0xff203040 soften=1"
    let more = try allocations(34, elements) - allocations(14, elements)
    // Short of one a frame: GStreamer's own threads and clocks may differ from run to run.
    #expect(more < 15, "\(more)")
  }
}
