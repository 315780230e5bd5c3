import Pixels

/// The loops that key and measure a screen: 16-bit lanes that the compiler turns into vectors; as
/// those of `MatteKernels`.
enum ScreenKernels {
  typealias Bytes = Row<UInt8>
  typealias Words = Row<UInt16>

  /// Cb and Cr of red, green and blue by the grid's matrix.
  @inline(never)
  static func convertToChroma(
    _ cb: Bytes, _ cr: Bytes, _ rgb: PackedPixels.Rows,
    _ matrix: (cb: (Int16, Int16, Int16), cr: (Int16, Int16, Int16))
  ) {
    let n = cb.count
    let (cr, r, g, b) = (cr[..<n], rgb.0[..<n], rgb.1[..<n], rgb.2[..<n])
    func code(_ r: Int16, _ g: Int16, _ b: Int16, _ row: (Int16, Int16, Int16)) -> UInt8 {
      let sum = r &* row.0 &+ g &* row.1 &+ b &* row.2
      // 128 * 127 + 64 is the maximum that rounds to 255.
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
  static func measureScreen(_ q: Words, cb: Bytes, cr: Bytes, _ color: ScreenColor) {
    let n = q.count
    let (cb, cr) = (cb[..<n], cr[..<n])
    let (kx, ky, cot) = (color.kx, color.ky, color.cotangent)
    for i in 0..<n {
      let (u, v) = (Int16(cb[i]) &- 128, Int16(cr[i]) &- 128)
      let x = u &* kx &+ v &* ky
      let z = v &* kx &- u &* ky
      let across = UInt16(bitPattern: max(z, 0 &- z))
      q[i] = UInt16(bitPattern: max((x &>> 3) &- Int16(bitPattern: multiplyHigh(across, cot)), 0))
    }
  }

  /// Alpha, and spill in half codes of chroma, of a row of chroma samples.
  ///
  /// `recip` is 2^20 over the screen's own q, `along` the screen's x in 1/256 codes. `repeated` are the
  /// constants `cotangent`, `gain` and `spillStrength`, once for each sample: a factor from memory
  /// is one instruction of the product's high half, one from a register eight, as the compiler
  /// widens it before the loop.
  @inline(never)
  static func keyAlphaAndSpill(
    _ alpha: Bytes, _ spill: Bytes, cb: Bytes, cr: Bytes, recip: Words, along: Words,
    repeated: (cot: Words, gain: Words, strength: Words), _ color: ScreenColor
  ) {
    let n = alpha.count
    let (spill, cb, cr) = (spill[..<n], cb[..<n], cr[..<n])
    let (recip, along) = (recip[..<n], along[..<n])
    let (cot, gain, strength) = (
      repeated.cot[..<n], repeated.gain[..<n], repeated.strength[..<n]
    )
    let (kx, ky, floor, span) = (color.kx, color.ky, color.floor, color.span)
    let multiplier = color.multiplier
    for i in 0..<n {
      let (u, v) = (Int16(cb[i]) &- 128, Int16(cr[i]) &- 128)
      let x = (u &* kx &+ v &* ky) &>> 3
      let z = v &* kx &- u &* ky
      let across = UInt16(bitPattern: max(z, 0 &- z))
      let q = UInt16(bitPattern: max(x &- Int16(bitPattern: multiplyHigh(across, cot[i])), 0)) &<< 3
      let ratio = multiplyHigh(q, recip[i])
      let excessRatio = min(max(ratio, floor) &- floor, span)
      let amount = (multiplyHigh(excessRatio &* multiplier, gain[i]) &+ 8) &>> 4
      alpha[i] = ~UInt8(truncatingIfNeeded: amount)
      // On the foreground only light of exactly the screen's hue is spill; on its edge any excess.
      let edge = min(max(amount, ScreenColor.edgeStart) &- ScreenColor.edgeStart, 64)
      let strictness = 65535 &- edge &* 1023
      let taken =
        multiplyHigh(amount &* 257, along[i] &>> 4) &+ multiplyHigh(across &>> 3, strictness)
      let remaining = max(x &- Int16(bitPattern: taken) &- ScreenColor.spillTolerance, 0)
      let excess = Int16(bitPattern: multiplyHigh(UInt16(bitPattern: remaining), strength[i]))
      spill[i] = UInt8(truncatingIfNeeded: min(excess, ScreenColor.maximumSpill))
    }
  }

  /// All ones where `q` is over `threshold`; both are under 2^15.
  @inline(never)
  static func maskAbove(_ out: Words, _ q: Words, _ threshold: Words) {
    let n = out.count
    let (q, threshold) = (q[..<n], threshold[..<n])
    for i in 0..<n {
      out[i] = Int16(bitPattern: q[i]) > Int16(bitPattern: threshold[i]) ? 0xffff : 0
    }
  }

  /// Erosion by 3 x 3; the masks have one more element at each end.
  @inline(never)
  static func erode3x3(_ out: Words, _ a: Words, _ b: Words, _ c: Words) {
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

  /// Adds 1 where the mask is set.
  @inline(never)
  static func countMasked(_ sums: Words, _ mask: Words) {
    let n = sums.count
    let mask = mask[..<n]
    for i in 0..<n { sums[i] &-= mask[i] }
  }

  /// Adds values where the mask is set.
  static func addMasked(_ sums: Words, _ values: Words, _ mask: Words) {
    addMaskedValues(sums, values, mask)
  }
  static func addMasked(_ sums: Words, _ values: Bytes, _ mask: Words) {
    addMaskedValues(sums, values, mask)
  }

  @inline(__always)
  private static func addMaskedValues<Value: FixedWidthInteger & BitwiseCopyable>(
    _ sums: Words, _ values: Row<Value>, _ mask: Words
  ) {
    let n = sums.count
    let (values, mask) = (values[..<n], mask[..<n])
    for i in 0..<n { sums[i] &+= UInt16(truncatingIfNeeded: values[i]) & mask[i] }
  }
}
