import Pixels

/// The loop of `FittedRows`, over the samples of a matte.
enum FittedKernels {
  /// Padding samples after the last one computed.
  static let block = 16
  private static let lanes = 8
  private typealias Lanes = SIMD8<Float>

  /// Computes alpha from the fitted planes and the picture's colours for `count` samples, rounded
  /// up to whole blocks.
  ///
  /// `above` and `below` are the planes of `FittedRows`; `weight` is that of the latter. A change
  /// from `last` is reduced by `hold` times the fifth plane. Rounded as transparency, 255 minus
  /// alpha.
  @inline(never)
  static func computeAlpha(
    _ out: Row<UInt8>, count: Int, weight: Float, hold: Float,
    above: InlineArray<5, Row<Float>>, below: InlineArray<5, Row<Float>>,
    colors: PackedPixels.Rows, last: Row<UInt8>
  ) {
    let n = out.count
    let (c0, c1, c2) = (colors.0[..<n], colors.1[..<n], colors.2[..<n])
    let last = last[..<n]
    let above = InlineArray<5, Row<Float>> { above[$0][..<n] }
    let below = InlineArray<5, Row<Float>> { below[$0][..<n] }
    precondition(count <= n)
    var x = 0
    while x < count, x &+ lanes <= n {
      @inline(__always)
      func plane(_ index: Int) -> Lanes {
        let first = above[index].lanes(at: x)
        return first + (below[index].lanes(at: x) - first) * weight
      }
      let two = plane(0) * c0.floats(at: x) + plane(1) * c1.floats(at: x)
      let value = two + plane(2) * c2.floats(at: x) + plane(3)
      let limited = value.replacing(with: 255, where: value .> 255)
      let fresh = 255 - limited.replacing(with: 0, where: value .< 0)
      let change = (255 - last.floats(at: x)) - fresh
      out.setRounded(fresh + change * (plane(4) * hold), at: x)
      out.setLanes(~out.lanes(at: x), at: x)
      x &+= lanes
    }
    while x < count {
      func plane(_ index: Int) -> Float {
        above[index][x] + (below[index][x] - above[index][x]) * weight
      }
      let two = plane(0) * Float(c0[x]) + plane(1) * Float(c1[x])
      let value = two + plane(2) * Float(c2[x]) + plane(3)
      let fresh = 255 - min(max(value, 0), 255)
      let change = (255 - Float(last[x]) - fresh) * (plane(4) * hold)
      out[x] = ~UInt8(truncatingIfNeeded: nearest(fresh + change))
      x &+= 1
    }
  }

  /// As above for samples of more than 8 bits: alpha of 16 bits, from colours in 8-bit codes and
  /// their fractions.
  @inline(never)
  static func computeAlpha(
    _ out: Row<UInt16>, weight: Float, hold: Float, above: InlineArray<5, Row<Float>>,
    below: InlineArray<5, Row<Float>>, colors: (Row<Float>, Row<Float>, Row<Float>),
    last: Row<UInt16>
  ) {
    let n = out.count
    let (c0, c1, c2) = (colors.0[..<n], colors.1[..<n], colors.2[..<n])
    let last = last[..<n]
    let above = InlineArray<5, Row<Float>> { above[$0][..<n] }
    let below = InlineArray<5, Row<Float>> { below[$0][..<n] }
    for x in 0..<n {
      func plane(_ index: Int) -> Float {
        above[index][x] + (below[index][x] - above[index][x]) * weight
      }
      let two = plane(0) * c0[x] + plane(1) * c1[x]
      let fresh = min(max(two + plane(2) * c2[x] + plane(3), 0), 255)
      let change = Float(last[x]) * (1 / 257) - fresh
      let alpha = fresh + change * (plane(4) * hold)
      out[x] = UInt16(truncatingIfNeeded: nearest(min(max(alpha, 0), 255) * 257))
    }
  }
}
