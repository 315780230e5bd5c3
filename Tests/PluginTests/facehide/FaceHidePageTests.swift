import CGStreamer
import Support
import Testing

/// What else docs/facehide.md promises: of streams that follow each other, reports and messages.
@Suite(.timeLimit(.minutes(20))) struct FaceHidePageTests {
  private static func rig(_ properties: String) throws -> HideRig {
    let rig = try HideRig(properties)
    rig.caps(100, 80)
    rig.segment()
    return rig
  }

  /// A face of the next stream says nothing of where faces were in the last.
  @Test(arguments: ["stream", "size"])
  func keptFramesLeaveBeforeWhatFollowsAndNothingIsForeseenInThem(next: String) throws {
    let rig = try Self.rig("lookahead=15")
    for number in 0..<5 { rig.push(number, .nobody, at: 40 * number) }
    #expect(rig.frames.isEmpty)
    if next == "stream" {
      rig.send(gst_event_new_stream_start("other"))
      rig.caps(100, 80)
      rig.segment()
    } else {
      rig.caps(96, 80)
    }
    #expect(rig.frames.map(\.number) == Array(0..<5))
    for number in 5..<10 { rig.push(number, .found, at: 40 * number) }
    rig.send(gst_event_new_eos())
    #expect(rig.frames.map { $0.bare > 0 } == (0..<10).map { $0 < 5 })
  }

  @Test func aReportSaysWhichFaceIsHiddenWhere() throws {
    let rig = try Self.rig("report=true margin=0 shape=rectangle")
    rig.push(0, .found, at: 40)
    rig.push(1, .nobody, at: 10_000)
    rig.push(2, .nobody, at: 20_000)
    rig.push(3, .nobody, at: 30_000)
    rig.send(gst_event_new_eos())
    let reports = rig.messages.filter { $0.hasPrefix("facehide,") }
    // The last frame has nothing to tell of.
    #expect(reports.count == 3)
    // Structures within structures are printed with their signs escaped.
    let first = try #require(reports.first).filter { $0 != "\\" }
    for field in [
      "timestamp=(guint64)40000000", "id=(uint)1", "cause=(string)seen", "x=(double)20",
      "y=(double)30", "width=(double)20", "height=(double)20",
    ] {
      #expect(first.contains(field), "\(field) in \(first)")
    }
  }

  @Test func aMissingDetectorIsSaidOnceAndCanBeAnError() throws {
    let pipeline = try Pipeline("videotestsrc num-buffers=3 ! facehide ! fakesink")
    #expect(Registered.now)
    try pipeline.run()
    #expect(pipeline.warnings.count { $0.contains("facehide hides whole frames") } == 1)
    let failure = Pipeline.failure(
      of: "videotestsrc num-buffers=3 ! facehide when-unknown=error ! fakesink")
    #expect(failure?.description.contains("when-unknown is error") == true)
  }
}
