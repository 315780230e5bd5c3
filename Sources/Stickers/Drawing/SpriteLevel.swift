import Pixels

/// One level of a sprite's mipmap: premultiplied pixels with a transparent border of one pixel.
final class SpriteLevel: Sendable {
  /// Size without the border.
  let width, height: Int
  /// The pixels with the border.
  let pixels: SpritePixels
  /// For each stored row the range of columns from the first to the last with alpha above 0; empty
  /// if there are none.
  let spans: [Range<Int32>]
  /// The bounding box of stored pixels with alpha above 0; empty if there are none.
  let columns, rows: Range<Int>

  /// Stores `width * height` pixels, row by row from the top left; `clear` fills the border.
  init(width: Int, height: Int, clear: UInt32, _ pixel: (_ x: Int, _ y: Int) -> UInt32) {
    (self.width, self.height) = (width, height)
    pixels = SpritePixels(width: width + 2, height: height + 2, of: clear)
    var spans = [Range<Int32>](repeating: 0..<0, count: height + 2)
    var (left, right, top, bottom) = (width + 2, 0, 0, 0)
    for y in 0..<height {
      let row = pixels.row(y + 1)
      var (first, last) = (-1, -1)
      for x in 0..<width {
        let value = pixel(x, y)
        guard value >> 24 != 0 else { continue }
        row[x + 1] = value
        if first < 0 { first = x + 1 }
        last = x + 1
      }
      guard first >= 0 else { continue }
      spans[y + 1] = Int32(first)..<Int32(last + 1)
      (left, right) = (min(left, first), max(right, last + 1))
      (top, bottom) = (top > 0 ? top : y + 1, y + 2)
    }
    self.spans = spans
    columns = left < right ? left..<right : 0..<0
    rows = top..<bottom
  }

  /// Scales the level by `factor` below 1: each pixel is the mean of the area it covers; beyond the
  /// source pixels count as clear.
  func reduced(by factor: Double, width newWidth: Int, height newHeight: Int, clear: UInt32)
    -> SpriteLevel
  {
    let horizontal = Self.areaWeights(count: newWidth, of: width, step: 1 / factor)
    let vertical = Self.areaWeights(count: newHeight, of: height, step: 1 / factor)
    // Rows are summed into one line first, then the line's columns.
    let lines = Grid<SIMD4<Float>>(width: width, height: 1, of: .zero)
    var lineRow = -1
    let clearColor = Self.unpack(clear)
    return SpriteLevel(width: newWidth, height: newHeight, clear: clear) { x, y in
      let line = lines.row(0)
      if lineRow != y {
        lineRow = y
        let rows = vertical[y]
        let missing = clearColor * (1 - rows.weights.reduce(0, +))
        line.fill(missing)
        for (k, weight) in rows.weights.enumerated() {
          SpriteKernels.accumulate(
            pixels.row(rows.first + k + 1)[1..<width + 1], times: weight, to: line)
        }
      }
      let columns = horizontal[x]
      var sum = SIMD4<Float>(repeating: 0.5)
      var missing: Float = 1
      for (k, weight) in columns.weights.enumerated() {
        sum += line[columns.first + k] * weight
        missing -= weight
      }
      sum += clearColor * missing
      return UInt32(sum.x) | UInt32(sum.y) << 8 | UInt32(sum.z) << 16 | UInt32(sum.w) << 24
    }
  }

  /// `reduced` by 1/2, where all weights are equal.
  func halved(width newWidth: Int, height newHeight: Int, clear: UInt32) -> SpriteLevel {
    let mask: UInt32 = 0x00FF_00FF
    let half: UInt32 = 0x0002_0002
    return SpriteLevel(width: newWidth, height: newHeight, clear: clear) { x, y in
      // The border serves as the missing column or row of an odd side.
      let (upper, lower) = (pixels.row(2 * y + 1), pixels.row(2 * y + 2))
      let (a, b) = (upper[2 * x + 1], upper[2 * x + 2])
      let (c, d) = (lower[2 * x + 1], lower[2 * x + 2])
      let even = (a & mask) &+ (b & mask) &+ (c & mask) &+ (d & mask) &+ half
      let odd = (a &>> 8 & mask) &+ (b &>> 8 & mask) &+ (c &>> 8 & mask) &+ (d &>> 8 & mask) &+ half
      return (even &>> 2 & mask) | (odd &>> 2 & mask) &<< 8
    }
  }

  /// For each of `count` cells of `step` source pixels: the first pixel it covers, and the weights
  /// of all that it covers.
  private static func areaWeights(
    count: Int, of size: Int, step: Double
  ) -> [(first: Int, weights: [Float])] {
    (0..<count).map { cell in
      let start = Double(cell) * step
      let end = start + step
      let first = min(Int(start), size - 1)
      let last = min(Int(end.rounded(.up)), size)
      let weights = (first..<max(last, first + 1)).map { pixel in
        Float(max(0, min(end, Double(pixel + 1)) - max(start, Double(pixel))) / step)
      }
      return (first, weights)
    }
  }

  private static func unpack(_ pixel: UInt32) -> SIMD4<Float> {
    SIMD4(Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255), Float(pixel >> 24))
  }
}
