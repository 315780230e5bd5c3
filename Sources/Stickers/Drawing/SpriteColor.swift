import Pixels

/// Blend modes that are not a sum or a product (W3C Compositing and Blending Level 1).
enum SpriteColor {
  /// The soft-light term of premultiplied colours, multiplied by both alphas.
  @inline(__always)
  static func softLight(_ s: Float, _ d: Float, _ a: Float, _ below: Float) -> Float {
    // At alpha 0 the colour is 0. Minima and maxima select the cases, since branches would prevent
    // vectorisation: a polynomial up to 0.25, the square root above.
    let source = s / (a + 1e-12)
    let back = max(d, 0) / (below + 1e-12)
    let low = min(back, 0.25)
    // With the explicit maximum the compiler emits a square-root instruction instead of a call.
    let root = max(back - low + 0.25, 0).squareRoot()
    let curve = ((16 * low - 12) * low + 4) * low + (root - 0.5)
    let light = 2 * source - 1
    let lighter = max(light, 0) * (curve - back)
    let darker = min(light, 0) * (back - back * back)
    return a * below * (back + lighter + darker)
  }

  /// Blends the taps' hue and saturation with the luminosity of straight red, green and blue in
  /// `rows`, of which the fourth is alpha, 0...1.
  ///
  /// Colours are 0...1 if `isNormalized`, else codes.
  static func blendColor(_ taps: SpriteTaps, on rows: SpriteScratch.ColorRows, isNormalized: Bool) {
    let scale: Float = isNormalized ? 1 : 255
    for i in 0..<min(taps.count, rows.0.count, rows.3.count) {
      let alpha = Float(taps.alpha[i]) / 65280
      let below = rows.3[i]
      let out = alpha + below * (1 - alpha)
      guard alpha > 0, out > 0 else { continue }
      let own = SIMD3(Float(taps.c0[i]), Float(taps.c1[i]), Float(taps.c2[i])) / 65280
      let back = SIMD3(rows.0[i], rows.1[i], rows.2[i]) / scale
      let mixed = clipped(own / alpha + (luminosity(back) - luminosity(own / alpha)))
      // In steps: older compilers take long to type-check one expression.
      let single = own * (1 - below) + back * (below * (1 - alpha))
      let sum: SIMD3<Float> = single + mixed * (alpha * below)
      let result: SIMD3<Float> = sum / out * scale
      (rows.0[i], rows.1[i], rows.2[i]) = (result.x, result.y, result.z)
    }
  }

  private static func luminosity(_ c: SIMD3<Float>) -> Float { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }

  /// Clips a colour to 0...1, keeping its luminosity.
  private static func clipped(_ color: SIMD3<Float>) -> SIMD3<Float> {
    let middle = luminosity(color)
    let (low, high) = (
      min(color.x, min(color.y, color.z)), max(color.x, max(color.y, color.z))
    )
    var color = color
    if low < 0, middle > low { color = middle + (color - middle) * (middle / (middle - low)) }
    if high > 1, high > middle {
      color = middle + (color - middle) * ((1 - middle) / (high - middle))
    }
    return color
  }
}
