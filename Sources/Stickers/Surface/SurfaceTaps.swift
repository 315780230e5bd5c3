import Pixels

/// Loops over rows of taps that only surfaces need.
enum SurfaceTaps {
  /// share = what changes from column to column, added up, in 1/65535; all of it from 0.999 on.
  static func sum(_ changes: Row<Float>, into share: Row<UInt16>) {
    let count = min(changes.count, share.count)
    var sum: Float = 0
    for i in 0..<count {
      sum += changes[i]
      let part = min(max(sum, 0), 1)
      share[i] = part > 0.999 ? 65535 : UInt16(truncatingIfNeeded: nearest(part * 65535))
    }
  }

  /// Makes taps as much more transparent as `share` says.
  static func cover(_ taps: SpriteTaps, _ share: Row<UInt16>, clear: UInt32) {
    let count = min(taps.count, share.count)
    let share = share[..<count]
    for component in 0..<4 {
      let row = taps[component][..<count]
      let centre = UInt16(clear >> (8 * UInt32(component)) & 255) << 8
      for i in 0..<count {
        let part = share[i]
        let less = high(row[i], part) &+ centre &- high(centre, part)
        row[i] = part == 65535 ? row[i] : less
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
