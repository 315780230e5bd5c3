import Pixels

/// Blends of colours that are more than a sum or a product (W3C Compositing and Blending Level 1).
enum SpriteColor {
  /// Soft light, times both alphas, of colours that are premultiplied.
  @inline(__always)
  static func softLight(_ s: Float, _ d: Float, _ a: Float, _ below: Float) -> Float {
    // Without alpha there is no colour either. Minima and maxima select the cases, since branches
    // would keep the loop from being vectorised: a polynomial up to 0.25, the root beyond.
    let source = s / (a + 1e-12)
    let back = max(d, 0) / (below + 1e-12)
    let low = min(back, 0.25)
    // With the maximum visible, the compiler makes the root an instruction and not a call.
    let root = max(back - low + 0.25, 0).squareRoot()
    let curve = ((16 * low - 12) * low + 4) * low + (root - 0.5)
    let light = 2 * source - 1
    let lighter = max(light, 0) * (curve - back)
    let darker = min(light, 0) * (back - back * back)
    return a * below * (back + lighter + darker)
  }

  /// Gives the light below, straight red, green and blue, the taps' hue and saturation; over alpha
  /// as every blend.
  static func blendColor(_ taps: SpriteTaps, on light: SpriteScratch.Light, isLight: Bool) {
    let scale: Float = isLight ? 1 : 255
    for i in 0..<min(taps.count, light.0.count, light.3.count) {
      let alpha = Float(taps.alpha[i]) / 65280
      let below = light.3[i]
      let out = alpha + below * (1 - alpha)
      guard alpha > 0, out > 0 else { continue }
      let own = SIMD3(Float(taps.c0[i]), Float(taps.c1[i]), Float(taps.c2[i])) / 65280
      let back = SIMD3(light.0[i], light.1[i], light.2[i]) / scale
      let mixed = clipped(own / alpha + (luminosity(back) - luminosity(own / alpha)))
      // In steps, for older compilers take long to find the types of all at once.
      let single = own * (1 - below) + back * (below * (1 - alpha))
      let sum: SIMD3<Float> = single + mixed * (alpha * below)
      let result: SIMD3<Float> = sum / out * scale
      (light.0[i], light.1[i], light.2[i]) = (result.x, result.y, result.z)
    }
  }

  private static func luminosity(_ c: SIMD3<Float>) -> Float { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }

  /// A colour brought into 0...1 with its luminosity kept.
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
