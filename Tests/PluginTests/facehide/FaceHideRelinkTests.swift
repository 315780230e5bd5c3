import CGStreamer
import Support
import Testing

/// Frames that are kept back and find nobody who takes them.
@Suite(.timeLimit(.minutes(20))) struct FaceHideRelinkTests {
  private static func rig(_ properties: String = "lookahead=5") throws -> HideRig {
    let rig = try HideRig(properties)
    rig.caps(100, 80)
    rig.segment()
    return rig
  }

  private func expectWhole(_ rig: HideRig) {
    #expect(rig.areWhole.allSatisfy { $0 })
    let bare = rig.frames.filter { $0.bare > 0 }.map(\.number)
    #expect(bare.isEmpty, "a face is seen in \(bare)")
  }

  @Test func framesThatFindNobodyBeforeOtherCapsAreDropped() throws {
    let rig = try Self.rig()
    for number in 0..<8 { rig.push(number, .found, at: 40 * number) }
    #expect(rig.frames.map(\.number) == [0, 1, 2])
    try rig.link(false)
    rig.send(gst_event_new_tag(gst_tag_list_new_empty()))
    rig.segment(stop: 90_000_000_000)
    rig.caps(60, 120)
    try rig.link(true)
    for number in 20..<30 { rig.push(number, .found, at: 40 * number) }
    rig.send(gst_event_new_eos())
    #expect(rig.frames.map(\.number) == [0, 1, 2] + Array(20..<30))
    expectWhole(rig)
  }

  @Test func framesThatFindNobodyBeforeAnotherStreamAreDropped() throws {
    let rig = try Self.rig()
    for number in 0..<8 { rig.push(number, .found, at: 40 * number) }
    try rig.link(false)
    rig.send(gst_event_new_stream_start("others"))
    try rig.link(true)
    rig.caps(100, 80)
    rig.segment()
    for number in 20..<30 { rig.push(number, .found, at: 40 * number) }
    rig.send(gst_event_new_eos())
    #expect(rig.frames.map(\.number) == [0, 1, 2] + Array(20..<30))
    expectWhole(rig)
  }

  @Test func framesThatFindNobodyBeforeTheEndAreDropped() throws {
    let rig = try Self.rig()
    for number in 0..<8 { rig.push(number, .found, at: 40 * number) }
    try rig.link(false)
    rig.send(gst_event_new_eos())
    try rig.link(true)
    rig.send(gst_event_new_stream_start("others"))
    rig.caps(100, 80)
    rig.segment()
    for number in 20..<30 { rig.push(number, .found, at: 40 * number) }
    rig.send(gst_event_new_eos())
    #expect(rig.frames.map(\.number) == [0, 1, 2] + Array(20..<30))
    expectWhole(rig)
  }

  /// The same caps anew are no change: what is kept waits for whoever is linked next.
  @Test func framesOfTheSameCapsWaitUntilTheyCanLeave() throws {
    let rig = try Self.rig()
    for number in 0..<8 { rig.push(number, .found, at: 40 * number) }
    try rig.link(false)
    rig.caps(100, 80)
    try rig.link(true)
    for number in 8..<12 { rig.push(number, .found, at: 40 * number) }
    rig.send(gst_event_new_eos())
    #expect(rig.frames.map(\.number) == Array(0..<12))
    expectWhole(rig)
  }

  /// A face of the dropped frames is no face of those that follow.
  @Test func theTimelineForgetsFramesThatWereDropped() throws {
    let rig = try Self.rig("lookahead=5 hold=0")
    for number in 0..<8 { rig.push(number, .found, at: 40 * number) }
    try rig.link(false)
    rig.caps(60, 120)
    try rig.link(true)
    for number in 20..<30 { rig.push(number, number == 27 ? .found : .nobody, at: 40 * number) }
    rig.send(gst_event_new_eos())
    #expect(rig.frames.map(\.number) == [0, 1, 2] + Array(20..<30))
    // Its place is hidden in the five before it, and in its own.
    #expect(rig.frames.filter { $0.bare == 0 }.map(\.number) == [0, 1, 2] + Array(22...27))
  }
}
