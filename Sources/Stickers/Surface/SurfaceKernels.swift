import Pixels

/// Loops over rows of taps that only surfaces need.
///
/// Most pixels lie inside a surface, where nothing is to be done: rows have flags for blocks of
/// columns, 0 where there is nothing.
enum SurfaceKernels {
  /// Columns of a block, as a shift.
  private static let blockShift = 4

  /// How many blocks `columns` columns have.
  static func blocks(_ columns: Int) -> Int { (columns >> blockShift) + 1 }

  /// Marks the blocks of some columns.
  @inline(__always)
  static func mark(_ columns: ClosedRange<Int>, _ blocks: Row<UInt8>) {
    let end = min(columns.upperBound >> blockShift, blocks.count &- 1)
    for block in columns.lowerBound >> blockShift..<end &+ 1 { blocks[block] = 1 }
  }

  /// share = what changes from column to column, added up, in 1/65535; all of it from 0.999 on.
  ///
  /// Nothing changes in blocks that are not marked; afterwards those are marked in which some of
  /// `coverage` is not all.
  static func integrate(_ deltas: Row<Float>, into coverage: Row<UInt16>, _ blocks: Row<UInt8>) {
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

  /// Makes the taps of marked blocks as much more transparent as `coverage` says.
  static func multiplyAlpha(
    _ taps: SpriteTaps, _ coverage: Row<UInt16>, _ blocks: Row<UInt8>, clear: UInt32
  ) {
    let count = min(taps.count, coverage.count)
    var first = 0
    while first < count {
      var end = first
      while end < count, blocks[end >> blockShift] != 0 { end = min(end &+ 1 << blockShift, count) }
      if end > first { multiplyAlpha(taps[first..<end], coverage[first..<end], clear: clear) }
      first = end &+ 1 << blockShift
    }
  }

  /// Makes taps as much more transparent as `coverage` says.
  static func multiplyAlpha(_ taps: SpriteTaps, _ coverage: Row<UInt16>, clear: UInt32) {
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

  /// sum += taps / 2^shift, or sum = that.
  static func add(_ taps: Row<UInt16>, shifted shift: Int, to sum: Row<UInt16>, isFirst: Bool) {
    let count = min(taps.count, sum.count)
    let shift = UInt16(truncatingIfNeeded: shift)
    if isFirst {
      for i in 0..<count { sum[i] = taps[i] &>> shift }
    } else {
      for i in 0..<count { sum[i] = sum[i] &+ (taps[i] &>> shift) }
    }
  }
}
