import Pixels

/// The loops that key and measure a screen: 16-bit lanes that the compiler turns into vectors.
///
/// A kernel cuts its rows to the length of the one it writes, which traps where one is shorter.
/// Sources and destinations are the same memory or do not overlap. Not inlined: alone, a loop
/// keeps its constants in registers.
enum ScreenKernels {
  typealias Bytes = Row<UInt8>
  typealias Words = Row<UInt16>

  /// Cb and Cr of red, green and blue by the grid's matrix.
  @inline(never)
  static func chroma(
    _ cb: Bytes, _ cr: Bytes, _ rgb: PackedPixels.Rows,
    _ matrix: (cb: (Int16, Int16, Int16), cr: (Int16, Int16, Int16))
  ) {
    let n = cb.count
    let (cr, r, g, b) = (cr[..<n], rgb.0[..<n], rgb.1[..<n], rgb.2[..<n])
    func code(_ r: Int16, _ g: Int16, _ b: Int16, _ row: (Int16, Int16, Int16)) -> UInt8 {
      let sum = r &* row.0 &+ g &* row.1 &+ b &* row.2
      // 128 * 127 + 64 is the most that still rounds to 255.
      return UInt8(truncatingIfNeeded: ((min(sum, 16256) &+ 64) &>> 7) &+ 128)
    }
    for i in 0..<n {
      let (red, green, blue) = (Int16(r[i]), Int16(g[i]), Int16(b[i]))
      cb[i] = code(red, green, blue, matrix.cb)
      cr[i] = code(red, green, blue, matrix.cr)
    }
  }

  /// Screen measure q of each sample, in 1/16 codes, 0 where negative.
  ///
  /// q = x - |z| cot(angle), with x along the screen's hue and z across it.
  @inline(never)
  static func measure(_ q: Words, cb: Bytes, cr: Bytes, _ key: ScreenKey) {
    let n = q.count
    let (cb, cr) = (cb[..<n], cr[..<n])
    let (kx, ky, cot) = (key.kx, key.ky, key.cot)
    for i in 0..<n {
      let (u, v) = (Int16(cb[i]) &- 128, Int16(cr[i]) &- 128)
      let x = u &* kx &+ v &* ky
      let z = v &* kx &- u &* ky
      let across = UInt16(bitPattern: max(z, 0 &- z))
      q[i] = UInt16(bitPattern: max((x &>> 3) &- Int16(bitPattern: multiplyHigh(across, cot)), 0))
    }
  }

  /// Screen share `b`, 0...255, and spill, in half codes of chroma, of a row of chroma samples.
  ///
  /// `recip` is 2^20 over the screen's own q, `along` the screen's x in 1/256 codes. `repeated` are
  /// the key's `cot`, `gain` and `spillStrength`, once for each sample: a factor from memory is one
  /// instruction of the product's high half, one from a register eight, as the compiler widens it
  /// before the loop and no longer sees what it was.
  @inline(never)
  static func matte(
    _ b: Bytes, _ spill: Bytes, cb: Bytes, cr: Bytes, recip: Words, along: Words,
    repeated: (cot: Words, gain: Words, strength: Words), _ key: ScreenKey
  ) {
    let n = b.count
    let (spill, cb, cr) = (spill[..<n], cb[..<n], cr[..<n])
    let (recip, along) = (recip[..<n], along[..<n])
    let (cot, gain, strength) = (
      repeated.cot[..<n], repeated.gain[..<n], repeated.strength[..<n]
    )
    let (kx, ky, floor, span) = (key.kx, key.ky, key.floor, key.span)
    let multiplier = key.multiplier
    for i in 0..<n {
      let (u, v) = (Int16(cb[i]) &- 128, Int16(cr[i]) &- 128)
      let x = (u &* kx &+ v &* ky) &>> 3
      let z = v &* kx &- u &* ky
      let across = UInt16(bitPattern: max(z, 0 &- z))
      let q = UInt16(bitPattern: max(x &- Int16(bitPattern: multiplyHigh(across, cot[i])), 0)) &<< 3
      let ratio = multiplyHigh(q, recip[i])
      let share = min(max(ratio, floor) &- floor, span)
      let amount = (multiplyHigh(share &* multiplier, gain[i]) &+ 8) &>> 4
      b[i] = UInt8(truncatingIfNeeded: amount)
      // On the subject only light of just the screen's hue is spill; on its edge any greenness.
      let onEdge = min(max(amount, ScreenKey.edgeStart) &- ScreenKey.edgeStart, 64)
      let strictness = 65535 &- onEdge &* 1023
      let taken =
        multiplyHigh(amount &* 257, along[i] &>> 4) &+ multiplyHigh(across &>> 3, strictness)
      let rest = max(x &- Int16(bitPattern: taken) &- ScreenKey.spillRest, 0)
      let excess = Int16(bitPattern: multiplyHigh(UInt16(bitPattern: rest), strength[i]))
      spill[i] = UInt8(truncatingIfNeeded: min(excess, ScreenKey.mostSpill))
    }
  }

  /// All ones where `q` is over `least`; both are under 2^15.
  @inline(never)
  static func above(_ out: Words, _ q: Words, _ least: Words) {
    let n = out.count
    let (q, least) = (q[..<n], least[..<n])
    for i in 0..<n {
      out[i] = Int16(bitPattern: q[i]) > Int16(bitPattern: least[i]) ? 0xffff : 0
    }
  }

  /// What is set in all of a 3 x 3 neighbourhood; the masks have one more element at each end.
  @inline(never)
  static func erode(_ out: Words, _ a: Words, _ b: Words, _ c: Words) {
    let n = out.count
    let left = (a[..<n], b[..<n], c[..<n])
    let center = (a[from: 1, count: n], b[from: 1, count: n], c[from: 1, count: n])
    let right = (a[from: 2, count: n], b[from: 2, count: n], c[from: 2, count: n])
    for i in 0..<n {
      let before = left.0[i] & left.1[i] & left.2[i]
      let after = right.0[i] & right.1[i] & right.2[i]
      out[i] = before & center.0[i] & center.1[i] & center.2[i] & after
    }
  }

  /// Counts what is set.
  @inline(never)
  static func count(_ sums: Words, _ mask: Words) {
    let n = sums.count
    let mask = mask[..<n]
    for i in 0..<n { sums[i] &-= mask[i] }
  }

  /// Adds values where the mask is set.
  static func sum(_ sums: Words, _ values: Words, _ mask: Words) { add(sums, values, mask) }
  static func sum(_ sums: Words, _ values: Bytes, _ mask: Words) { add(sums, values, mask) }

  @inline(__always)
  private static func add<Value: FixedWidthInteger & BitwiseCopyable>(
    _ sums: Words, _ values: Row<Value>, _ mask: Words
  ) {
    let n = sums.count
    let (values, mask) = (values[..<n], mask[..<n])
    for i in 0..<n { sums[i] &+= UInt16(truncatingIfNeeded: values[i]) & mask[i] }
  }
}
