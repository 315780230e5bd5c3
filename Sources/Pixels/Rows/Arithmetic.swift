/// `value / 255` rounded to nearest, exact for every product of two bytes.
///
/// (x + 128 + ((x + 128) >> 8)) >> 8; all 65 536 products are checked by a test.
@inlinable @inline(__always)
package func dividedBy255(_ value: UInt16) -> UInt16 {
  let biased = value &+ 128
  return (biased &+ (biased &>> 8)) &>> 8
}

/// The upper 16 bits of the product: one vector instruction, where signed factors need three.
@inlinable @inline(__always)
package func multiplyHigh(_ a: UInt16, _ b: UInt16) -> UInt16 {
  UInt16(truncatingIfNeeded: (UInt32(a) &* UInt32(b)) &>> 16)
}

/// `value` rounded to the nearest integer, ties to even, for |value| under 2^22.
///
/// Adding 1.5 x 2^23 leaves the integer in the low bits of the significand. This never traps, is
/// vectorised, unlike a checked conversion, and needs no library call without SSE4.1, unlike
/// `rounded()`.
@inlinable @inline(__always)
package func nearest(_ value: Float) -> Int32 {
  Int32(bitPattern: (value + 12_582_912).bitPattern) &- 0x4B40_0000
}

/// The larger of two values, by one instruction; `b` where one is not a number.
///
/// `max` orders zeros and numbers beside NaN, which takes a vector of compares and a blend.
@inlinable @inline(__always)
package func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }

/// The smaller of two values, as `larger`.
@inlinable @inline(__always)
package func smaller(_ a: Float, _ b: Float) -> Float { a < b ? a : b }

/// `value` limited to `low` and `high`; `low` where it is not a number.
@inlinable @inline(__always)
package func limited(_ value: Float, _ low: Float, _ high: Float) -> Float {
  smaller(larger(value, low), high)
}

/// The nearest code to a value below 2^22, limited to 0...`maximum`.
///
/// Limited as an integer: the compiler moves a limit in floating point behind the rounding, where it
/// takes more instructions.
@inlinable @inline(__always)
package func nearestCode(_ value: Float, _ maximum: Int32) -> UInt16 {
  UInt16(truncatingIfNeeded: min(max(nearest(value), 0), maximum))
}

/// `value` limited to 0...255 and rounded to the nearest integer.
@inlinable @inline(__always)
package func nearestByte(_ value: Float) -> UInt8 {
  UInt8(truncatingIfNeeded: nearest(min(max(value, 0), 255)))
}

/// As `nearest` in double precision, for |value| under 2^31; other values are truncated to 32 bits.
@inlinable @inline(__always)
package func nearest(_ value: Double) -> Int32 {
  Int32(truncatingIfNeeded: (value + 6_755_399_441_055_744).bitPattern)
}
