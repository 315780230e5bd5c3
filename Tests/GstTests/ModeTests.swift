import CGStreamer
import Support
import Testing

/// What each mode does to the buffers that pass.
@Suite(.timeLimit(.minutes(20))) struct ModeTests {
  private struct Seen {
    var addresses: [UInt] = []
    var first: [UInt8] = []
    var memories: [Int] = []
    var hasFaces: [Bool] = []
  }

  private static func watch(
    _ pipeline: Pipeline, _ element: String, pad: String
  ) throws -> () -> Seen {
    final class Box { var seen = Seen() }
    let box = Box()
    try pipeline.watch(element, pad: pad) { buffer in
      let frame = CapturedFrame(buffer)
      var map = GstMapInfo()
      let memory = gst_buffer_peek_memory(buffer, 0)
      gst_memory_map(memory, &map, GST_MAP_READ)
      box.seen.addresses.append(UInt(bitPattern: map.data))
      gst_memory_unmap(memory, &map)
      box.seen.first.append(frame.bytes[0])
      box.seen.memories.append(Int(gst_buffer_n_memory(buffer)))
      box.seen.hasFaces.append(frame.measuredOn != nil)
    }
    return { box.seen }
  }

  /// What went into the element under test and what came out, alone or beside a second branch that
  /// holds every frame too.
  private static func run(
    _ element: String, format: String = "GRAY8", shared: Bool
  ) throws -> (before: Seen, after: Seen, other: Seen?) {
    let source =
      "videotestsrc name=source pattern=black num-buffers=4 ! video/x-raw,format=\(format),width=64,"
      + "height=48"
    let pipeline = try Made.pipeline(
      shared
        ? source + " ! tee name=t t. ! queue ! \(element) name=e ! fakesink t. ! queue"
          + " ! fakesink name=other"
        : source + " ! \(element) name=e ! fakesink")
    let before = try watch(pipeline, "e", pad: "sink")
    let after = try watch(pipeline, "e", pad: "src")
    let other = shared ? try watch(pipeline, "other", pad: "sink") : nil
    try pipeline.run()
    return (before(), after(), other?())
  }

  @Test(arguments: [false, true])
  func aFrameWithoutAPlanGoesOnAsItCame(shared: Bool) throws {
    let seen = try Self.run("madefilter passes=true", shared: shared)
    #expect(seen.after.addresses.count == 4)
    #expect(seen.before.addresses == seen.after.addresses)
    #expect(seen.before.first == seen.after.first)
  }

  @Test func aFrameWithAPlanIsChangedWhereItLies() throws {
    let seen = try Self.run("madefilter amount=99", shared: false)
    #expect(seen.before.addresses == seen.after.addresses)
    #expect(seen.after.first == [99, 99, 99, 99])
  }

  @Test func aFrameThatSomebodyElseHoldsIsCopiedBeforeItIsChanged() throws {
    let seen = try Self.run("madefilter amount=99", shared: true)
    #expect(seen.after.first == [99, 99, 99, 99])
    #expect(seen.other?.first.count == 4 && seen.other?.first.contains(99) == false)
  }

  @Test func anAnalyzerCopiesNoPictureAndKeepsItsMetadataToItself() throws {
    let seen = try Self.run("madeanalyzer passes=true", shared: true)
    #expect(seen.before.addresses == seen.after.addresses)
    #expect(seen.after.hasFaces == [true, true, true, true])
    #expect(seen.other?.hasFaces == [false, false, false, false])
  }

  @Test func anAnalyzerThatDrawsCopiesWhatSomebodyElseHolds() throws {
    let seen = try Self.run("madeanalyzer amount=99", shared: true)
    #expect(seen.after.first == [99, 99, 99, 99])
    #expect(seen.other?.first.contains(99) == false)
  }

  @Test func aDeriverRenamesTheFrameOrMakesOne() throws {
    let renamed = try Self.run("madederiver amount=99", format: "RGBx", shared: false)
    #expect(renamed.before.addresses == renamed.after.addresses)
    #expect(renamed.after.memories == [1, 1, 1, 1])
    let made = try Self.run("madederiver amount=99", format: "YUY2", shared: false)
    #expect(made.before.addresses != made.after.addresses)
    #expect(made.before.first.contains(99) == false)
  }

  @Test func aDeriverThatKeepsTheFormatWorksInPlace() throws {
    let seen = try Self.run("madederiver passes=true amount=99", format: "YUY2", shared: false)
    #expect(seen.before.addresses == seen.after.addresses)
    #expect(seen.after.first == [99, 99, 99, 99])
  }
}
