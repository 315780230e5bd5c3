import Pixels

/// The loops that interpolate a screen's field.
enum FieldKernels {
  /// The columns from `first` on of two rows, mixed by `weight`/16; columns outside take the
  /// nearest.
  @inline(never)
  static func blendRows(
    _ out: Row<UInt16>, _ above: Row<UInt16>, _ below: Row<UInt16>, weight: UInt16, from first: Int
  ) {
    // Columns from `start` up to `end` of those that are written lie within the rows.
    let start = min(max(0, 0 &- first), out.count)
    let end = max(start, min(above.count &- first, out.count))
    let n = end &- start
    let at = max(0, min(first &+ start, above.count &- 1))
    let (a, b, inner) = (
      above[from: at, count: n], below[from: at, count: n], out[from: start, count: n]
    )
    let other = 16 &- weight
    var x = 0
    while x &+ 8 <= n {
      inner.setLanes((a.lanes(at: x) &* other &+ b.lanes(at: x) &* weight) &>> 4, at: x)
      x &+= 8
    }
    func blend(_ column: Int) -> UInt16 {
      (above[column] &* other &+ below[column] &* weight) &>> 4
    }
    while x < n {
      inner[x] = blend(at &+ x)
      x &+= 1
    }
    if start > 0 { out[..<start].fill(blend(0)) }
    if end < out.count { out[end...].fill(blend(above.count &- 1)) }
  }

  /// Linear interpolation with 16 elements from each value to the next, in 1/16 of the values'
  /// unit.
  ///
  /// `ramp` is 0...15, from memory: with constants the compiler would unroll the additions.
  @inline(never)
  static func upsample16x(_ out: Row<UInt16>, _ values: Row<UInt16>, ramp: Row<UInt16>) {
    let (left, right) = (ramp.lanes(at: 0), ramp.lanes(at: 8))
    for segment in 0..<max(values.count &- 1, 0) {
      let (from, to) = (values[segment], values[segment &+ 1])
      out.setLanes(lerp(from, to, left), at: segment &* 16)
      out.setLanes(lerp(from, to, right), at: segment &* 16 &+ 8)
    }
  }

  /// The samples of some blocks, side by side; values lie in the middles of blocks, the first half
  /// a block before the row.
  @inline(never)
  static func upsampleBlocks(
    _ out: Row<UInt8>, _ values: Row<UInt16>, ramp: Row<UInt16>, blocks: Row<UInt16>
  ) {
    let (left, right) = (ramp.lanes(at: 0), ramp.lanes(at: 8))
    for i in 0..<blocks.count {
      let near = values[from: Int(blocks[i]), count: 3]
      out.setLanes(truncating: roundedCodes(lerp(near[0], near[1], right)), at: i &* 16)
      out.setLanes(truncating: roundedCodes(lerp(near[1], near[2], left)), at: i &* 16 &+ 8)
    }
  }

  /// As above, in 1/256 of a code.
  @inline(never)
  static func upsampleBlocks(
    _ out: Row<UInt16>, _ values: Row<UInt16>, ramp: Row<UInt16>, blocks: Row<UInt16>
  ) {
    let (left, right) = (ramp.lanes(at: 0), ramp.lanes(at: 8))
    for i in 0..<blocks.count {
      let near = values[from: Int(blocks[i]), count: 3]
      out.setLanes(lerp(near[0], near[1], right), at: i &* 16)
      out.setLanes(lerp(near[1], near[2], left), at: i &* 16 &+ 8)
    }
  }

  @inline(__always)
  private static func lerp(
    _ from: UInt16, _ to: UInt16, _ ramp: SIMD8<UInt16>
  ) -> SIMD8<UInt16> {
    from &* 16 &+ ramp &* (to &- from)
  }

  /// Values in 1/256 of a code, rounded to codes.
  @inline(__always)
  private static func roundedCodes(_ values: SIMD8<UInt16>) -> SIMD8<UInt16> {
    let maximum = SIMD8<UInt16>(repeating: 65407)
    return (values.replacing(with: maximum, where: values .> maximum) &+ 128) &>> 8
  }
}
