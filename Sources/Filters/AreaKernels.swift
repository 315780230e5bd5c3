package import Pixels

/// The loops of area averaging: samples are summed over rows, then the column sums over cells.
package enum AreaKernels {
  /// Adds a row's samples to the sums of their columns.
  @inline(never)
  package static func add(_ sums: Row<UInt16>, _ samples: Row<UInt8>) {
    let n = sums.count
    let samples = samples[..<n]
    for x in 0..<n { sums[x] &+= UInt16(samples[x]) }
  }

  /// Sums pairs of neighbours.
  @inline(never)
  package static func sumPairs(_ out: Row<UInt16>, _ sums: Row<UInt16>) {
    let n = out.count
    let sums = sums[..<(2 * n)]
    for x in 0..<n { out[x] = sums[2 &* x] &+ sums[2 &* x &+ 1] }
  }

  /// Averages pairs of neighbours, rounded up: for values whose sums would overflow 16 bits.
  @inline(never)
  package static func averagePairs(_ out: Row<UInt16>, _ sums: Row<UInt16>) {
    let n = out.count
    let sums = sums[..<(2 * n)]
    for x in 0..<n { out[x] = (sums[2 &* x] &+ sums[2 &* x &+ 1] &+ 1) &>> 1 }
  }

  /// Sums triples of neighbours; the sums fit in 16 bits.
  @inline(never)
  static func sumTriples(_ out: Row<UInt16>, _ sums: Row<UInt16>) {
    let n = out.count
    guard n > 0 else { return }
    let sums = sums[..<(3 * n)]
    for x in 0..<(n - 1) {
      // Loads four, masks the last off; the product's third lane is the sum.
      let four = sums.word(at: 3 &* x, as: UInt64.self)
      let three = (four & 0xffff_ffff_ffff) &* 0x0001_0001_0001
      out[x] = UInt16(truncatingIfNeeded: three &>> 32)
    }
    let last = 3 * (n - 1)
    out[n - 1] = sums[last] &+ sums[last + 1] &+ sums[last + 2]
  }

  /// Writes sums times `inverse`, rounded to nearest.
  @inline(never)
  static func scaleAndRound(_ out: Row<UInt8>, _ sums: Row<UInt16>, _ inverse: Float) {
    let n = out.count
    let sums = sums[..<n]
    for x in 0..<n { out[x] = UInt8(truncatingIfNeeded: nearest(Float(sums[x]) * inverse)) }
  }
}
