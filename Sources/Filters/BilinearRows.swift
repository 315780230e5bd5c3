package import Pixels

/// Bilinear interpolation by rows: `blend` between two rows, `upsampleBilinear` along one.
package enum BilinearRows {
  /// Writes a (one - weight) + b weight.
  @inline(never)
  package static func blend(
    _ out: Row<UInt16>, _ a: Row<UInt8>, _ b: Row<UInt8>, _ weight: UInt16, of one: UInt16
  ) {
    let n = out.count
    let (a, b) = (a[..<n], b[..<n])
    let inverseWeight = one &- weight
    for x in 0..<n { out[x] = UInt16(a[x]) &* inverseWeight &+ UInt16(b[x]) &* weight }
  }

  /// Blends by `weight`/128 of `b`, rounded to nearest.
  @inline(never)
  static func blend(_ out: Row<UInt16>, _ a: Row<UInt8>, _ b: Row<UInt8>, _ weight: UInt16) {
    let n = out.count
    let (a, b) = (a[..<n], b[..<n])
    let inverseWeight = 128 &- weight
    for x in 0..<n {
      out[x] = (UInt16(a[x]) &* inverseWeight &+ UInt16(b[x]) &* weight &+ 64) &>> 7
    }
  }

  /// Blends by `weight`, 0...1, of `b`.
  @inline(never)
  package static func blend(_ out: Row<Float>, _ a: Row<Float>, _ b: Row<Float>, _ weight: Float) {
    let n = out.count
    let (a, b) = (a[..<n], b[..<n])
    for x in 0..<n { out[x] = a[x] + (b[x] - a[x]) * weight }
  }

  /// Interpolates between elements `columns` and their successors, which have `weights`, 0...1.
  @inline(never)
  package static func upsampleBilinear(
    _ out: Row<Float>, _ row: Row<Float>, _ columns: Row<Int32>, _ weights: Row<Float>
  ) {
    let n = out.count
    let (columns, weights) = (columns[..<n], weights[..<n])
    for x in 0..<n { out[x] = interpolate(row, at: Int(columns[x]), weights[x]) }
  }

  /// Samples at positions `first`, `first` + `step`..., in cells; clamped at the ends.
  @inline(never)
  package static func upsampleBilinear(
    _ out: Row<Float>, _ row: Row<Float>, from first: Double, step: Double
  ) {
    let (n, last) = (out.count, row.count - 1)
    // Fixed point in 2^-32 of a cell: accurate enough for the widest row.
    let (start, fixedStep) = (Int(first * 4_294_967_296), max(Int(step * 4_294_967_296), 1))
    func firstSample(_ position: Int) -> Int {
      position <= start ? 0 : min((position - start + fixedStep - 1) / fixedStep, n)
    }
    let from = firstSample(0)
    let to = max(firstSample(last << 32), from)
    out[0..<from].fill(row[0])
    out[to..<n].fill(row[last])
    var position = start &+ from &* fixedStep
    let inside = out[from..<to]
    switch fixedStep {
    case 1 << 32: upsample(inside, row, at: position)
    case 1 << 31: upsampleTwofold(inside, row, at: position)
    default:
      for x in from..<to {
        out[x] = interpolate(row, at: position &>> 32, weight(of: position))
        position &+= fixedStep
      }
    }
  }

  /// Samples one cell apart, which have one weight.
  @inline(never)
  private static func upsample(_ out: Row<Float>, _ row: Row<Float>, at position: Int) {
    let n = out.count
    guard n > 0 else { return }
    let (weight, pair) = (weight(of: position), row[from: position &>> 32, count: n &+ 1])
    for x in 0..<n { out[x] = interpolate(pair, at: x, weight) }
  }

  /// Samples half a cell apart, which have two weights in turn.
  @inline(never)
  private static func upsampleTwofold(_ out: Row<Float>, _ row: Row<Float>, at position: Int) {
    let (n, next) = (out.count / 2, position &+ 1 << 31)
    if n > 0 {
      let (a, b) = (
        row[from: position &>> 32, count: n &+ 1], row[from: next &>> 32, count: n &+ 1]
      )
      let (first, second) = (weight(of: position), weight(of: next))
      let pairs = out[..<(2 &* n)]
      for x in 0..<n {
        pairs[2 &* x] = interpolate(a, at: x, first)
        pairs[2 &* x &+ 1] = interpolate(b, at: x, second)
      }
    }
    guard out.count & 1 == 1 else { return }
    let last = position &+ (out.count &- 1) &<< 31
    out[out.count &- 1] = interpolate(row, at: last &>> 32, weight(of: last))
  }

  /// The weight of the cell after a position in 2^-32 of a cell.
  @inline(__always)
  private static func weight(of position: Int) -> Float {
    Float(Int32(truncatingIfNeeded: (position &>> 8) & 0xff_ffff)) * (1 / 16_777_216)
  }

  @inline(__always)
  private static func interpolate(_ row: Row<Float>, at column: Int, _ weight: Float) -> Float {
    let left = row[column]
    return left + (row[column &+ 1] - left) * weight
  }
}
