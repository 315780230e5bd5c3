/// A monochrome look's map of luma, 0...1: a cubic, clamped to black and white.
///
/// A cubic needs a few vector operations and no table.
package struct GreyCurve: Sendable {
  /// The coefficients of 1, x, x^2 and x^3.
  private let factors: SIMD4<Double>

  package init(_ factors: SIMD4<Double>) { self.factors = factors }

  /// The same in single precision.
  var singleFactors: SIMD4<Float> { SIMD4<Float>(factors) }

  /// The coefficients of the powers of a luma code, and black and white, where luma's codes are
  /// `extent` from `zero` on; the result is a code.
  func codeTerms(zero: Double, extent: Double) -> (terms: SIMD4<Float>, range: ClosedRange<Int32>) {
    // x = slope code + shift.
    let moved = moved(slope: 1 / extent, shift: -zero / extent) * extent + SIMD4(zero, 0, 0, 0)
    return (SIMD4<Float>(moved), Int32(zero)...Int32((zero + extent).rounded()))
  }

  /// The coefficients of the powers of v, where x = `slope` v + `shift`.
  private func moved(slope: Double, shift: Double) -> SIMD4<Double> {
    let f = factors
    return SIMD4(
      ((f.w * shift + f.z) * shift + f.y) * shift + f.x,
      slope * ((3 * f.w * shift + 2 * f.z) * shift + f.y),
      slope * slope * (3 * f.w * shift + f.z), slope * slope * slope * f.w)
  }

  package func callAsFunction(_ x: Double) -> Double {
    let value = ((factors.w * x + factors.z) * x + factors.y) * x + factors.x
    return min(max(value, 0), 1)
  }

  /// The coefficients for `LookKernels.applyCubic` on luma codes of this range.
  func cubicTerms(_ range: ClosedRange<UInt8>, isFullRange: Bool) -> SIMD4<Int16> {
    let (offset, scale) = isFullRange ? (0.0, 255.0) : (16.0, 219.0)
    // x = slope v + shift, where v is -1 at code 0 and 0 at 128.
    let (slope, shift) = (128 / scale, (128 - offset) / scale)
    let moved = moved(slope: slope, shift: shift)
    // In 1/32 of a code, each coefficient twice as fine as the one before; half a step for each
    // truncated product.
    var codes = moved * scale * 32 * SIMD4(1, 2, 4, 8)
    codes.x += offset * 32 + 0.875
    return SIMD4(
      clamping: SIMD4<Int32>(
        Int32(codes.x.rounded()), Int32(codes.y.rounded()), Int32(codes.z.rounded()),
        Int32(codes.w.rounded())))
  }
}
