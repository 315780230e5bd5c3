import Pixels

/// The loops that subtract a screen from mixed samples; as those of `ScreenKernels`.
enum SpillKernels {
  typealias Bytes = Row<UInt8>
  typealias Words = Row<UInt16>

  /// 2048 * 255 / alpha, by which `unmix` multiplies.
  ///
  /// Alphas under 16 count as 16: there the quotient is noise, and runs towards neutral.
  @inline(never)
  static func alphaReciprocals(_ out: Words, alpha: Bytes) {
    let n = out.count
    let alpha = alpha[..<n]
    for i in 0..<n {
      out[i] = UInt16(truncatingIfNeeded: nearest(522_240 / max(Float(alpha[i]), 16)))
    }
  }

  /// The foreground's own colour: F = (C - (1 - a) S - spill) / a, in codes.
  ///
  /// Samples with a = 1 and spill = 0 do not change. In place: with a separate source the compiler
  /// would assume overlap. 10-bit integers with 6 fractional bits; spill * `spillFactor` / 64 is in
  /// codes.
  @inline(never)
  static func unmixLuma(
    _ samples: Bytes, alpha: Bytes, screen: Bytes, spill: Bytes, spillFactor: Int16, neutral: UInt8,
    reciprocals: Words
  ) {
    let n = samples.count
    let (alpha, reciprocals) = (alpha[..<n], reciprocals[..<n])
    let (screen, spill) = (screen[..<n], spill[..<n])
    let zero = UInt16(neutral)
    for i in 0..<n {
      // No screen is darker than black: without a sign the product has 16 bits.
      let product = UInt16(~alpha[i]) &* (UInt16(max(screen[i], neutral)) &- zero)
      let screened = Int16(bitPattern: (product &+ (product &>> 8)) &>> 2)
      let offset = (Int16(samples[i]) &- Int16(bitPattern: zero)) &<< 6
      let difference = offset &- screened &- Int16(spill[i]) &* spillFactor
      samples[i] = scaleToCode(difference, reciprocals[i], Int16(bitPattern: zero))
    }
  }

  /// As `unmixLuma` for Cb or Cr, about 128.
  @inline(never)
  static func unmixChroma(
    _ samples: Bytes, alpha: Bytes, screen: Bytes, spill: Bytes, spillFactor: Int16,
    reciprocals: Words
  ) {
    let n = samples.count
    let (alpha, reciprocals) = (alpha[..<n], reciprocals[..<n])
    let (screen, spill) = (screen[..<n], spill[..<n])
    for i in 0..<n {
      let product = Int16(~alpha[i]) &* (Int16(screen[i]) &- 128)
      let screened = (product &+ (product &>> 8)) &>> 2
      let offset = (Int16(samples[i]) &- 128) &<< 6
      let difference = offset &- screened &- Int16(spill[i]) &* spillFactor
      samples[i] = scaleToCode(difference, reciprocals[i], 128)
    }
  }

  /// `difference`/64 * `reciprocal`/2048 + `neutral`, rounded and limited to a byte.
  @inline(__always)
  private static func scaleToCode(_ difference: Int16, _ reciprocal: UInt16, _ neutral: Int16)
    -> UInt8
  {
    let signed = Int32(difference) &* Int32(Int16(bitPattern: reciprocal))
    let doubled = Int16(truncatingIfNeeded: signed &>> 16)
    let value = ((doubled &+ 1) &>> 1) &+ neutral
    return UInt8(truncatingIfNeeded: min(max(value, 0), 255))
  }
}
