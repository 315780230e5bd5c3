import Pixels
import Support
import Testing

/// MienMask through what crops and flips, which GStreamer tells of from 1.28 on.
@Suite(.timeLimit(.minutes(20))) struct MovedMaskTests {
  /// The masks before and after an element.
  private func masks(_ element: String) throws -> (before: MienMask, after: MienMask?) {
    precondition(Registered.now)
    let pipeline = try Pipeline(
      Registered.photograph(.i420, width: 480, height: 360)
        + " ! personkey mask-meta=true background-color=0xff204060 name=p ! \(element)"
        + " ! fakesink name=sink")
    var before: MienMask?
    var after: MienMask?
    try pipeline.watch("p", pad: "src") { before = MienMask(on: $0) }
    try pipeline.watch("sink") { after = MienMask(on: $0) }
    try pipeline.run()
    return (try #require(before), after)
  }

  private static let movesMetadata = ConditionTrait.enabled(
    if: SystemAnalytics.movesMetadata, "before GStreamer 1.28 metadata is dropped there")

  /// Shares of the old frame for shares of the new one.
  static let ways: [(element: String, from: @Sendable (Double, Double) -> (Double, Double))] = [
    ("videoflip video-direction=horiz", { (1 - $0, $1) }),
    ("videoflip video-direction=180", { (1 - $0, 1 - $1) }),
    ("videoflip video-direction=90r", { ($1, 1 - $0) }),
    ("videoflip video-direction=ul-lr", { ($1, $0) }),
    ("videocrop left=120 top=36", { (0.25 + 0.75 * $0, 0.1 + 0.9 * $1) }),
  ]

  @Test(movesMetadata, arguments: ways.indices)
  func theMaskMovesWithThePicture(index: Int) throws {
    let (element, from) = Self.ways[index]
    let (before, after) = try masks(element)
    let mask = try #require(after)
    #expect(before.cells.contains { $0 > 200 } && before.cells.contains { $0 < 50 })
    var wrong = 0
    for step in 0..<400 {
      // Middles of places all over the frame, next to no edge of a cell.
      let (x, y) = ((Double(step % 20) + 0.503) / 20, (Double(step / 20) + 0.497) / 20)
      let (oldX, oldY) = from(x, y)
      if abs(mask.value(x, y) - before.value(oldX, oldY)) > 1 { wrong += 1 }
    }
    // One place in a hundred may lie on an edge.
    #expect(wrong <= 4, "\(wrong)")
  }

  @Test(movesMetadata) func aMaskThatCannotTellOfBordersIsDropped() throws {
    #expect(try masks("videobox left=-50").after == nil)
  }
}
