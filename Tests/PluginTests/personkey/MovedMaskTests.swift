import CGStreamer
import Pixels
import Support
import Testing

/// MienMask through what crops and flips, which GStreamer tells of from 1.28 on.
@Suite struct MovedMaskTests {
  /// A mask as its metadata has it.
  private struct Mask {
    var width = 0
    var height = 0
    var cover = Rectangle.zero
    var cells: [UInt8] = []

    /// The value at a place in shares of the frame.
    func value(_ x: Double, _ y: Double) -> Double {
      let column = Int((x - cover.x) / cover.width * Double(width))
      let row = Int((y - cover.y) / cover.height * Double(height))
      guard (0..<width).contains(column), (0..<height).contains(row) else { return -1 }
      return Double(cells[row * width + column])
    }
  }

  private func mask(_ buffer: UnsafeMutablePointer<GstBuffer>) -> Mask? {
    guard let meta = gst_buffer_get_custom_meta(buffer, "MienMask") else { return nil }
    let fields = gst_custom_meta_get_structure(meta)
    func number(_ name: String) -> Double {
      var value = 0.0
      gst_structure_get_double(fields, name, &value)
      return value
    }
    func count(_ name: String) -> Int {
      var value: guint = 0
      gst_structure_get_uint(fields, name, &value)
      return Int(value)
    }
    var mask = Mask(width: count("width"), height: count("height"))
    mask.cover = Rectangle(x: number("x"), y: number("y"), width: number("w"), height: number("h"))
    var size: gsize = 0
    guard let value = gst_structure_get_value(fields, "alpha"),
      let bytes = g_value_get_boxed(value),
      let data = g_bytes_get_data(OpaquePointer(bytes), &size)
    else { return nil }
    mask.cells = (0..<Int(size)).map { data.load(fromByteOffset: $0, as: UInt8.self) }
    return mask
  }

  /// The masks before and after an element.
  private func masks(_ element: String) throws -> (before: Mask, after: Mask?) {
    precondition(Registered.now)
    let pipeline = try Pipeline(
      Registered.photograph(.i420, width: 480, height: 360)
        + " ! personkey mask-meta=true background-color=0xff204060 name=p ! \(element)"
        + " ! fakesink name=sink")
    var before: Mask?
    var after: Mask?
    try pipeline.watch("p", pad: "src") { before = mask($0) }
    try pipeline.watch("sink") { after = mask($0) }
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
