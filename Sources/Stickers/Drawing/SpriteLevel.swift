/// One size of a sprite: premultiplied pixels with a transparent border one pixel wide.
final class SpriteLevel: Sendable {
  /// Pixels without the border.
  let width: Int
  let height: Int
  /// Pixels from one row to the next, the border's two included.
  let stride: Int
  /// Rows from the top, the border's first; a pixel is c0 | c1 << 8 | c2 << 16 | alpha << 24.
  let pixels: SpritePixels
  /// For each stored row the first stored column whose alpha is over 0, and the one after the
  /// last; equal where the row is empty.
  let spans: [Range<Int32>]
  /// The stored columns and rows outside which alpha is 0; empty when it is 0 everywhere.
  let columns: Range<Int>
  let rows: Range<Int>

  /// Stores `width * height` pixels, given from the top left corner on; `clear` is the border.
  init(width: Int, height: Int, clear: UInt32, _ pixel: (_ x: Int, _ y: Int) -> UInt32) {
    self.width = width
    self.height = height
    stride = width + 2
    let pixels = SpritePixels(repeating: clear, count: (width + 2) * (height + 2))
    var spans = [Range<Int32>](repeating: 0..<0, count: height + 2)
    var columns = Int.max..<Int.max
    var rows = 0..<0
    for y in 0..<height {
      var first = -1
      var last = -1
      for x in 0..<width {
        let value = pixel(x, y)
        guard value >> 24 != 0 else { continue }
        pixels[(y + 1) * (width + 2) + x + 1] = value
        if first < 0 { first = x + 1 }
        last = x + 1
      }
      guard first >= 0 else { continue }
      spans[y + 1] = Int32(first)..<Int32(last + 1)
      columns =
        columns.lowerBound == .max
        ? first..<last + 1
        : min(first, columns.lowerBound)..<max(last + 1, columns.upperBound)
      rows = rows.isEmpty ? y + 1..<y + 2 : rows.lowerBound..<y + 2
    }
    self.pixels = pixels
    self.spans = spans
    self.columns = columns.lowerBound == .max ? 0..<0 : columns
    self.rows = rows
  }

  /// The pixel at column `x`, row `y`, the border excluded; outside, `clear`.
  @inline(__always)
  func pixel(_ x: Int, _ y: Int, clear: UInt32) -> UInt32 {
    x >= 0 && y >= 0 && x < width && y < height ? pixels[(y + 1) * stride + x + 1] : clear
  }

  /// The same picture `factor` times as wide and high (below 1): each pixel is the mean of the
  /// area it covers, what lies beyond the source counting as clear.
  func reduced(by factor: Double, width newWidth: Int, height newHeight: Int, clear: UInt32)
    -> SpriteLevel
  {
    let horizontal = Self.coverage(count: newWidth, of: width, step: 1 / factor)
    let vertical = Self.coverage(count: newHeight, of: height, step: 1 / factor)
    // Rows are summed first into one line, then the line's columns.
    var line = [SIMD4<Float>](repeating: .zero, count: width)
    var lineRow = -1
    let clearColor = Self.channels(clear)
    return SpriteLevel(width: newWidth, height: newHeight, clear: clear) { x, y in
      if lineRow != y {
        lineRow = y
        let rows = vertical[y]
        let missing = clearColor * (1 - rows.weights.reduce(0, +))
        for column in 0..<width { line[column] = missing }
        for (k, weight) in rows.weights.enumerated() { add(rows.first + k, weight, to: &line) }
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

  /// Adds row `y`, the border excluded, times `weight` to a line of its length.
  private func add(_ y: Int, _ weight: Float, to line: inout [SIMD4<Float>]) {
    let start = (y + 1) * stride + 1
    unsafe pixels.withPixels(start..<start + width) { source in
      unsafe line.withUnsafeMutableBytes { sums in
        let bytes = UnsafeRawBufferPointer(source)
        let sums = unsafe sums.bindMemory(to: Float.self)
        let n = min(bytes.count, sums.count)
        // One channel after the other: this way it is vectorised.
        for i in 0..<n { unsafe sums[i] += Float(bytes[i]) * weight }
      }
    }
  }

  /// As `reduced` by a half, which needs no weights.
  func halved(width newWidth: Int, height newHeight: Int, clear: UInt32) -> SpriteLevel {
    let mask: UInt32 = 0x00FF_00FF
    let half: UInt32 = 0x0002_0002
    return SpriteLevel(width: newWidth, height: newHeight, clear: clear) { x, y in
      // The border stands for what lies beyond an odd side.
      let at = (2 * y + 1) * stride + 2 * x + 1
      let a = pixels[at]
      let b = pixels[at + 1]
      let c = pixels[at + stride]
      let d = pixels[at + stride + 1]
      let even = (a & mask) &+ (b & mask) &+ (c & mask) &+ (d & mask) &+ half
      let odd =
        (a &>> 8 & mask) &+ (b &>> 8 & mask) &+ (c &>> 8 & mask) &+ (d &>> 8 & mask) &+ half
      return (even &>> 2 & mask) | (odd &>> 2 & mask) &<< 8
    }
  }

  /// For each of `count` cells, `step` source pixels long, the pixels it covers and their shares.
  private static func coverage(
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

  private static func channels(_ pixel: UInt32) -> SIMD4<Float> {
    SIMD4(
      Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255), Float(pixel >> 24))
  }
}
