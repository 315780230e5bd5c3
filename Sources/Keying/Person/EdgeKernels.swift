import Pixels

/// The loop of `EdgeRows`, over the samples of a matte.
enum EdgeKernels {
  /// Samples that rows have beyond the ones that are asked for.
  static let block = 16
  private static let lanes = 8
  private typealias Lanes = SIMD8<Float>

  /// A stretch of a matte that follows the picture's colours, 255 where there is nobody: `count`
  /// samples, and what is behind them in their last block.
  ///
  /// `above` and `below` are the planes of `EdgeRows`; `weight` is the share of the latter. Of
  /// opacity that falls or rises, `hold` times what the fifth plane says is as in `last`.
  @inline(never)
  static func follow(
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
      let most = value.replacing(with: 255, where: value .> 255)
      let fresh = 255 - most.replacing(with: 0, where: value .< 0)
      let fall = last.floats(at: x) - fresh
      out.setNearest(fresh + fall * (plane(4) * hold), at: x)
      x &+= lanes
    }
    while x < count {
      func plane(_ index: Int) -> Float {
        above[index][x] + (below[index][x] - above[index][x]) * weight
      }
      let two = plane(0) * Float(c0[x]) + plane(1) * Float(c1[x])
      let value = two + plane(2) * Float(c2[x]) + plane(3)
      let fresh = 255 - min(max(value, 0), 255)
      let kept = (Float(last[x]) - fresh) * (plane(4) * hold)
      out[x] = UInt8(truncatingIfNeeded: nearest(fresh + kept))
      x &+= 1
    }
  }
}
