import Pixels

/// The loops without unsafe code.
extension SpriteKernels {
  /// Multiplies taps by `alpha`, in 1/65535; `centre` is the tap of no colour: 0, or 128 << 8 for
  /// chroma.
  static func fade(_ taps: Taps, by alpha: UInt16, centre: UInt16) {
    let centreOffset = centre &- multiplyHigh(centre, alpha)
    for i in 0..<taps.count { taps[i] = multiplyHigh(taps[i], alpha) &+ centreOffset }
  }

  /// The same with an alpha for each tap.
  static func fade(_ taps: Taps, by alpha: Taps, centre: UInt16) {
    let count = taps.count
    let alpha = alpha[..<count]
    for i in 0..<count {
      let own = alpha[i]
      taps[i] = multiplyHigh(taps[i], own) &+ (centre &- multiplyHigh(centre, own))
    }
  }

  /// sum = (a + b) / 2.
  static func average(_ a: Taps, _ b: Taps, into sum: Taps) {
    let count = sum.count
    let (a, b) = (a[..<count], b[..<count])
    for i in 0..<count { sum[i] = (a[i] &>> 1) &+ (b[i] &>> 1) }
  }

  /// sum = (before + 2 a + b) / 4.
  static func averageCosited(_ before: Taps, _ a: Taps, _ b: Taps, into sum: Taps) {
    let count = sum.count
    let (before, a, b) = (before[..<count], a[..<count], b[..<count])
    for i in 0..<count { sum[i] = (before[i] &>> 2) &+ (a[i] &>> 1) &+ (b[i] &>> 2) }
  }

  /// Whether all codes are `maximum`, which is all ones.
  static func isOpaque(_ codes: Row<UInt16>, maximum: UInt16) -> Bool {
    var all = maximum
    for i in 0..<codes.count { all &= codes[i] }
    return all == maximum
  }

  /// As `compositeOver`, for codes of more than 8 bits, `scale` for one of 8; `centre` is the code
  /// of no chroma.
  @inline(never)
  static func compositeOver(
    _ codes: Row<UInt16>, _ tap: Taps, _ alpha: Taps, centre: Float, scale: Float, maximum: Float
  ) {
    let n = codes.count
    let (tap, alpha) = (tap[..<n], alpha[..<n])
    let (tapUnit, zero) = (scale * (1 / 256), centre * scale)
    for i in 0..<n {
      let clear = 1 - Float(alpha[i]) * (1 / 65280)
      let value = Float(tap[i]) * tapUnit + (Float(codes[i]) - zero) * clear
      codes[i] = UInt16(truncatingIfNeeded: nearest(min(max(value, 0), maximum)))
    }
  }

  /// Whether all bytes are 255.
  static func isOpaque(_ bytes: Bytes) -> Bool {
    var all: UInt8 = 255
    for i in 0..<bytes.count { all &= bytes[i] }
    return all == 255
  }

  /// Deinterleaves pixels that need no interpolation.
  static func deinterleave(_ pixels: Row<UInt32>, into taps: SpriteTaps) {
    let count = pixels.count
    let (c0, c1, c2, alpha) = (
      taps.c0[..<count], taps.c1[..<count], taps.c2[..<count], taps.alpha[..<count]
    )
    for i in 0..<count {
      let pixel = pixels[i]
      c0[i] = UInt16(truncatingIfNeeded: pixel) &<< 8
      c1[i] = UInt16(truncatingIfNeeded: pixel) & 0xFF00
      c2[i] = UInt16(truncatingIfNeeded: pixel &>> 16) &<< 8
      alpha[i] = UInt16(truncatingIfNeeded: pixel &>> 16) & 0xFF00
    }
  }

  /// Deinterleaves the lower and upper 16 bits of words.
  static func deinterleave(_ words: Row<UInt32>, low: Taps, high: Taps) {
    let count = words.count
    let (low, high) = (low[..<count], high[..<count])
    for i in 0..<count {
      low[i] = UInt16(truncatingIfNeeded: words[i])
      high[i] = UInt16(truncatingIfNeeded: words[i] &>> 16)
    }
  }
}
