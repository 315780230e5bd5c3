import Pixels

/// The loops that take a screen out of samples and put a background behind; as those of
/// `ScreenKernels`.
enum ComposeKernels {
  typealias Bytes = Row<UInt8>
  typealias Words = Row<UInt16>

  /// Kinds of blocks by the marks of a matte's three rows about them.
  @inline(never)
  static func kinds(_ out: Bytes, _ marks: (Bytes, Bytes, Bytes)) {
    let n = out.count
    let (a, b, c) = (marks.0[..<n], marks.1[..<n], marks.2[..<n])
    let (subject, mixed) = (Composer.Kind.subject.rawValue, Composer.Kind.mixed.rawValue)
    for i in 0..<n {
      let common = a[i] & b[i] & c[i]
      let partial = common & MatteRows.none != 0 ? subject : mixed
      out[i] = common & MatteRows.all != 0 ? Composer.Kind.screen.rawValue : partial
    }
  }

  /// Makes mixed what is all subject but has the screen's light in it.
  @inline(never)
  static func mixLit(_ kinds: Bytes, _ shares: (Bytes, Bytes, Bytes), _ spill: Bytes) {
    let n = kinds.count
    let (a, b, c, d) = (shares.0[..<n], shares.1[..<n], shares.2[..<n], spill[..<n])
    let (subject, mixed) = (Composer.Kind.subject.rawValue, Composer.Kind.mixed.rawValue)
    for i in 0..<n {
      let isLit = a[i] & b[i] & c[i] & d[i] & MatteRows.none == 0
      kinds[i] = isLit && kinds[i] == subject ? mixed : kinds[i]
    }
  }

  /// 2048 * 255 / alpha for screen shares `b`: what `unmix` multiplies by.
  ///
  /// Alphas under 16 count as 16: there the quotient is noise, and runs towards neutral.
  @inline(never)
  static func weights(_ out: Words, b: Bytes) {
    let n = out.count
    let b = b[..<n]
    for i in 0..<n {
      let alpha = max(255 - Float(b[i]), 16)
      out[i] = UInt16(truncatingIfNeeded: nearest(522_240 / alpha))
    }
  }

  /// The subject's own colour: the screen's share and the spill taken out, then divided by alpha.
  ///
  /// C = a F + b S in code values, as a + b = 1. Samples with b = 0 and spill = 0 come out as
  /// they were. Works in place: with a source of its own the compiler would fear an overlap.
  /// 10-bit integers with 6 bits of fraction; spill times `spillFactor`/64 is in codes.
  @inline(never)
  static func unmixLuma(
    _ samples: Bytes, b: Bytes, screen: Bytes, spill: Bytes, spillFactor: Int16, neutral: UInt8,
    weights: Words
  ) {
    let n = samples.count
    let (b, screen, spill, weights) = (b[..<n], screen[..<n], spill[..<n], weights[..<n])
    let zero = UInt16(neutral)
    for i in 0..<n {
      // Nothing is darker than black: the saved sign gives the product its 16th bit.
      let product = UInt16(b[i]) &* (UInt16(max(screen[i], neutral)) &- zero)
      let screened = Int16(bitPattern: (product &+ (product &>> 8)) &>> 2)
      let offset = (Int16(samples[i]) &- Int16(bitPattern: zero)) &<< 6
      let rest = offset &- screened &- Int16(spill[i]) &* spillFactor
      samples[i] = divide(rest, weights[i], Int16(bitPattern: zero))
    }
  }

  /// As `unmixLuma` for Cb or Cr, about 128.
  @inline(never)
  static func unmixChroma(
    _ samples: Bytes, b: Bytes, screen: Bytes, spill: Bytes, spillFactor: Int16, weights: Words
  ) {
    let n = samples.count
    let (b, screen, spill, weights) = (b[..<n], screen[..<n], spill[..<n], weights[..<n])
    for i in 0..<n {
      let product = Int16(b[i]) &* (Int16(screen[i]) &- 128)
      let screened = (product &+ (product &>> 8)) &>> 2
      let offset = (Int16(samples[i]) &- 128) &<< 6
      let rest = offset &- screened &- Int16(spill[i]) &* spillFactor
      samples[i] = divide(rest, weights[i], 128)
    }
  }

  /// `rest`/64 * `weight`/2048 + `neutral`, rounded and limited to a byte.
  @inline(__always)
  private static func divide(_ rest: Int16, _ weight: UInt16, _ neutral: Int16) -> UInt8 {
    let signed = Int32(rest) &* Int32(Int16(bitPattern: weight))
    let doubled = Int16(truncatingIfNeeded: signed &>> 16)
    let value = ((doubled &+ 1) &>> 1) &+ neutral
    return UInt8(truncatingIfNeeded: min(max(value, 0), 255))
  }

  /// Puts `behind` in the place of the share `b` of each sample; exact where b is 0 or 255.
  @inline(never)
  static func blend(_ out: Bytes, _ behind: Bytes, b: Bytes) {
    let n = out.count
    let (behind, b) = (behind[..<n], b[..<n])
    for i in 0..<n {
      let share = UInt16(b[i])
      let sum = UInt16(out[i]) &* (255 &- share) &+ UInt16(behind[i]) &* share
      out[i] = UInt8(truncatingIfNeeded: dividedBy255(sum))
    }
  }
}
