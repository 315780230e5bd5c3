import Glibc
import Pixels

/// The grid of blocks over an area of a picture, in pixels.
///
/// The grid starts at the area's corner and moves with the face: a face that moves through a fixed
/// grid is sampled at different positions in each frame, from which detail could be reconstructed.
/// Positions and sides are even, so that no chroma sample is split.
struct BlockGrid {
  /// Number of blocks across a face for a strength: 16 for 0, 8 for 0.5, 4 for 1, geometric in
  /// between.
  static func blocks(_ strength: Double) -> Double { 16 * exp2(-2 * min(max(strength, 0), 1)) }
  /// Radius in blocks of the window over which means are averaged: windows of about 5/8 of a face,
  /// and of a whole face for a blur, since faces are recognised more easily in smooth gradients
  /// than in blocks.
  static func averagingRadius(_ settings: HideSettings) -> Int {
    Int((settings.mode == .blur ? 0.5 : 0.25) * blocks(settings.strength) + 0.5)
  }
  /// Minimum side of a block in pixels.
  private static let minimumSide = 4

  let x, y, side, columns, rows: Int
  private let width, height: Int

  /// A grid for the bounds of a shape in a picture of this size, with `border` more blocks on each
  /// side; nil outside the picture.
  init?(
    _ bounds: Rectangle, size: Double, strength: Double, width: Int, height: Int, border: Int = 0
  ) {
    let left = min(max(bounds.x - 1, -Double(width)), Double(width))
    let top = min(max(bounds.y - 1, -Double(height)), Double(height))
    let right = min(max(bounds.maxX + 1, 0), Double(width))
    let bottom = min(max(bounds.maxY + 1, 0), Double(height))
    guard left < right, top < bottom, right > 0, bottom > 0, size.isFinite else { return nil }
    let wanted = min(max(size / Self.blocks(strength), 0), 16384)
    side = max(Self.minimumSide, Int(wanted / 2 + 0.5) * 2)
    x = Int((left / 2).rounded(.down)) * 2 - border * side
    y = Int((top / 2).rounded(.down)) * 2 - border * side
    columns = (Int(right.rounded(.up)) - x + side - 1) / side + border
    rows = (Int(bottom.rounded(.up)) - y + side - 1) / side + border
    (self.width, self.height) = (width, height)
  }

  /// The pixels of a column or row of blocks, clipped to the picture.
  func pixelColumns(_ column: Int) -> Range<Int> {
    Self.clampedPixels(x + column * side, side, width)
  }
  func pixelRows(_ row: Int) -> Range<Int> { Self.clampedPixels(y + row * side, side, height) }

  /// The pixel columns of a range of blocks.
  func pixelColumns(_ blocks: Range<Int>) -> Range<Int> {
    let low = pixelColumns(blocks.lowerBound).lowerBound
    return low..<max(low, pixelColumns(blocks.upperBound - 1).upperBound)
  }

  /// The blocks of a row that a range of pixel columns touches.
  func blocks(touching span: ClosedRange<Double>) -> Range<Int> {
    func block(_ position: Double) -> Int {
      Int(min(max((position - Double(x)) / Double(side), 0), Double(columns)).rounded(.down))
    }
    let low = block(span.lowerBound)
    var range = low..<max(low, min(block(span.upperBound) + 1, columns))
    // Blocks outside the picture have no pixels.
    while let first = range.first, pixelColumns(first).isEmpty {
      range = first + 1..<range.upperBound
    }
    while let last = range.last, pixelColumns(last).isEmpty { range = range.lowerBound..<last }
    return range
  }

  private static func clampedPixels(_ start: Int, _ side: Int, _ end: Int) -> Range<Int> {
    let low = min(max(start, 0), end)
    return low..<min(max(start + side, low), end)
  }
}
