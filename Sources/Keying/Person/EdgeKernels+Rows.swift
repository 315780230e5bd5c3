import Pixels

/// The loops of `EdgeRows`, over the samples of a matte.
extension EdgeKernels {
  /// Samples of `segments` between cells, however they lie: see `CellPlaces`. Writes whole lanes, so `out` has
  /// room for one more.
  @inline(never)
  static func expand(
    _ out: Row<Float>, _ cells: Row<Float>, _ segments: Range<Int>, _ starts: Row<Int32>,
    _ shares: Row<UInt16>
  ) {
    let last = cells.count - 1
    for segment in segments {
      let (start, end) = (Int(starts[segment]), Int(starts[segment + 1]))
      guard start < end else { continue }
      let (left, right) = (max(segment - 1, 0), min(segment, last))
      let value = cells[left]
      let change = cells[right] - value
      let whole = start + (end - start + lanes - 1) / lanes * lanes
      precondition(start >= 0 && whole <= out.count && whole <= shares.count)
      for x in Swift.stride(from: start, to: end, by: lanes) {
        let share = unsafe floats(shares.base + x) * (1 / 128)
        unsafe store(value + change * share, out.base + x)
      }
    }
  }

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
    let (c0, c1, c2) = colors
    precondition(count <= n && last.count >= n)
    precondition(c0.count >= n && c1.count >= n && c2.count >= n)
    for index in 0..<5 { precondition(above[index].count >= n && below[index].count >= n) }
    var x = 0
    while x < count, x &+ lanes <= n {
      func plane(_ index: Int) -> Lanes {
        let first = unsafe load(above[index].base + x)
        return unsafe first + (load(below[index].base + x) - first) * weight
      }
      let first = unsafe plane(0) * floats(c0.base + x)
      let two = unsafe first + plane(1) * floats(c1.base + x)
      let value = unsafe two + plane(2) * floats(c2.base + x) + plane(3)
      let most = value.replacing(with: 255, where: value .> 255)
      let fresh = 255 - most.replacing(with: 0, where: value .< 0)
      let fall = unsafe floats(last.base + x) - fresh
      // As `nearest`: the integer is in the low bits.
      let place = fresh + fall * (plane(4) * hold) + 12_582_912
      let bits = unsafe unsafeBitCast(place, to: SIMD8<UInt32>.self)
      for i in 0..<lanes { unsafe out.base[x &+ i] = UInt8(truncatingIfNeeded: bits[i]) }
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
