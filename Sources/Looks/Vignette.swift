import Pixels

/// Darkens pictures towards their corners.
///
/// The gain falls from 1 to 1 - `amount` as a smoothstep of the squared distance from the centre,
/// between 0.6 and 1.4 times the radius, in half diagonals. Ordered dither prevents banding;
/// undarkened pixels stay unchanged.
struct Vignette {
  private let amount, first, slope: Float
  private let scale: Float
  private let field, fieldCount: Int
  private let center: (x: Float, y: Float)
  /// The fixed point of the gain for luma: black.
  private let lumaOffset: Float
  private let isRGB: Bool

  /// A vignette for pictures of this size, or for field `field` of frames of `fieldCount` fields of
  /// this size.
  init(_ video: VideoFormat, field: Int, of fieldCount: Int, amount: Double, radius: Double) {
    (self.field, self.fieldCount) = (field, fieldCount)
    self.amount = Float(amount)
    let (from, to) = (0.6 * radius, 1.4 * radius)
    first = Float(from * from)
    slope = Float(1 / max(to * to - from * from, 1e-6))
    center = (Float(video.width) / 2, Float(video.height * fieldCount) / 2)
    scale = 1 / (center.x * center.x + center.y * center.y)
    isRGB = video.format.family == .rgb
    lumaOffset = isRGB ? 0 : video.colorimetry.lumaOffset
  }

  /// The 8 x 8 Bayer matrix, -0.5 to 0.5, in rows long enough for a tile at any phase.
  static func bayerMatrix() -> Grid<Float> {
    let grid = Grid<Float>(width: LookScratch.tileWidth + 8, height: 8, of: 0)
    for y in 0..<8 {
      let row = grid.row(y)
      for x in 0..<row.count {
        var value = 0
        // Interleaves the reversed bits of x ^ y and y.
        for bit in 0..<3 {
          value = value << 1 | ((x ^ y) >> bit & 1)
          value = value << 1 | (y >> bit & 1)
        }
        row[x] = (Float(value) + 0.5) / 64 - 0.5
      }
    }
    return grid
  }

  /// Darkens a line by its distance from the centre.
  func apply(_ line: PictureLine, dither: Grid<Float>) {
    let isChroma = line.component > 0 && !isRGB
    let offset: Float = isChroma ? 128 : lumaOffset
    // Sample centres in pixels.
    let wide = Float(1 << line.hShift)
    let dy = distance(row: line.y, vShift: line.vShift)
    let start = (Float(line.x) + 0.5) * wide - center.x
    let row = dither.row(line.y & 7)[from: line.x & 7, count: line.samples.count]
    darken(line.samples, row, start: start, wide: wide, dy2: dy * dy, offset: offset)
  }

  /// As above for a line of more than 8 bits, in 8-bit codes; without dither.
  func apply(_ samples: Row<Float>, _ line: LinePosition) {
    let wide = Float(1 << line.hShift)
    let dy = distance(row: line.y, vShift: line.vShift)
    let start = (Float(line.x) + 0.5) * wide - center.x
    let offset: Float = line.component > 0 ? 128 : lumaOffset
    let (scale, first, slope, amount, dy2) = (scale, first, slope, amount, dy * dy)
    for x in 0..<samples.count {
      let dx = start + Float(Int32(truncatingIfNeeded: x)) * wide
      let t = min(max(((dx * dx + dy2) * scale - first) * slope, 0), 1)
      let gain = 1 - amount * t * t * (3 - 2 * t)
      samples[x] = (samples[x] - offset) * gain + offset
    }
  }

  /// The distance in pixels of a field's row of samples from the centre of the frame.
  private func distance(row: Int, vShift: Int) -> Float {
    (Float(row * fieldCount + field) + 0.5) * Float(1 << vShift) - center.y
  }

  /// Darkens samples `wide` pixels apart, the first `start` pixels from the centre; `dy2` is the
  /// square of the row's distance from it, and `offset` the gain's fixed point.
  @inline(never)
  private func darken(
    _ samples: Row<UInt8>, _ dither: Row<Float>, start: Float, wide: Float, dy2: Float,
    offset: Float
  ) {
    let (scale, first, slope, amount) = (scale, first, slope, amount)
    let n = min(samples.count, dither.count)
    for x in 0..<n {
      let dx = start + Float(Int32(truncatingIfNeeded: x)) * wide
      let t = min(max(((dx * dx + dy2) * scale - first) * slope, 0), 1)
      let gain = 1 - amount * t * t * (3 - 2 * t)
      let value = (Float(samples[x]) - offset) * gain + offset
      // Adding the threshold and rounding leaves whole numbers as they are.
      let code = nearest(value + dither[x])
      samples[x] = UInt8(truncatingIfNeeded: max(0, min(255, code)))
    }
  }
}
