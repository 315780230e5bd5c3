import Pixels

/// Loops over rows of taps for surfaces.
///
/// Most pixels lie inside a surface and need no work: rows have a flag for each block of columns, 0
/// if all its pixels are fully covered.
enum SurfaceKernels {
  /// Columns of a block, as a power of two.
  private static let blockShift = 4

  /// Number of blocks in a row of `columns` columns.
  static func blockCount(columns: Int) -> Int { (columns >> blockShift) + 1 }

  /// Marks the blocks of a range of columns.
  @inline(__always)
  static func markBlocks(_ columns: ClosedRange<Int>, _ blocks: Row<UInt8>) {
    let end = min(columns.upperBound >> blockShift, blocks.count &- 1)
    for block in columns.lowerBound >> blockShift..<end &+ 1 { blocks[block] = 1 }
  }

  /// coverage = the prefix sum of `deltas`, in 1/65535; full from 0.999 on.
  ///
  /// On entry `blocks` marks blocks with deltas other than 0; on return those not fully covered.
  static func integrateCoverage(
    _ deltas: Row<Float>, into coverage: Row<UInt16>, _ blocks: Row<UInt8>
  ) {
    let count = min(deltas.count, coverage.count)
    var sum: Float = 0
    func fixedPoint(_ sum: Float) -> UInt16 {
      let weight = min(max(sum, 0), 1)
      return weight > 0.999 ? 65535 : UInt16(truncatingIfNeeded: nearest(weight * 65535))
    }
    var first = 0
    while first < count {
      let length = min(1 << blockShift, count &- first)
      let own = coverage[from: first, count: length]
      let block = first >> blockShift
      if blocks[block] == 0 {
        let value = fixedPoint(sum)
        own.fill(value)
        blocks[block] = value == 65535 ? 0 : 1
      } else {
        let deltas = deltas[from: first, count: length]
        for i in 0..<length {
          sum += deltas[i]
          own[i] = fixedPoint(sum)
        }
      }
      first &+= length
    }
  }

  /// Multiplies the taps of marked blocks by `coverage`.
  static func multiplyByCoverage(
    _ taps: SpriteTaps, _ coverage: Row<UInt16>, _ blocks: Row<UInt8>, clear: UInt32
  ) {
    let count = min(taps.count, coverage.count)
    var first = 0
    while first < count {
      var end = first
      while end < count, blocks[end >> blockShift] != 0 { end = min(end &+ 1 << blockShift, count) }
      if end > first { multiplyByCoverage(taps[first..<end], coverage[first..<end], clear: clear) }
      first = end &+ 1 << blockShift
    }
  }

  /// Multiplies taps by `coverage`; `clear` is the tap of no colour.
  static func multiplyByCoverage(_ taps: SpriteTaps, _ coverage: Row<UInt16>, clear: UInt32) {
    let count = min(taps.count, coverage.count)
    let coverage = coverage[..<count]
    for component in 0..<4 {
      let row = taps[component][..<count]
      let centre = UInt16(clear >> (8 * UInt32(component)) & 255) << 8
      for i in 0..<count {
        let weight = coverage[i]
        let less = multiplyHigh(row[i], weight) &+ centre &- multiplyHigh(centre, weight)
        row[i] = weight == 65535 ? row[i] : less
      }
    }
  }

  /// sum += taps / 2^shift; sum = taps / 2^shift if `isFirst`.
  static func accumulate(
    _ taps: Row<UInt16>, shifted shift: Int, to sum: Row<UInt16>, isFirst: Bool
  ) {
    let count = min(taps.count, sum.count)
    let shift = UInt16(truncatingIfNeeded: shift)
    if isFirst {
      for i in 0..<count { sum[i] = taps[i] &>> shift }
    } else {
      for i in 0..<count { sum[i] = sum[i] &+ (taps[i] &>> shift) }
    }
  }
}
