/// The tuning constants of the retouching.
///
/// Tuned on a photograph enlarged three times with known pores and blemishes: texture falls by a
/// quarter at intensity 0.25 and by half at 1, and the picture comes nearer to the one without
/// blemishes.
enum RetouchTuning {
  /// The filter's radius in face widths; larger windows flatten the face's shading.
  static let radius = 1.0 / 40
  /// The radius, in filter radii, of the mean of the removed signal, which is added back.
  static let wideRadius = 1.2
  /// The radius, in face widths, of the mean colour for skin tone equalization.
  static let eveningRadius = 0.1
  /// The maximum of the largest colour component of highlights, relative to white.
  static let whitest: Float = 0.99
  /// The code that red, green and blue are not raised above, so that nothing new is clipped.
  static let ceiling: Int16 = 254

  /// The deviation of luma in codes that separates texture from edges.
  ///
  /// It grows partly with the skin's lightness, 0...1: pores have more contrast in codes on light
  /// skin; noise has not.
  static func textureDeviation(_ intensity: Float, lightness: Float) -> Float {
    let relative = min(max(lightness / referenceLightness, 0.2), 1.4)
    return (18 + 28 * intensity) * (1 - proportion + proportion * relative)
  }

  /// The skin lightness of the tuning photograph.
  static let referenceLightness: Float = 0.68
  private static let proportion: Float = 0.85

  /// The fraction of the texture that is removed: rises fast at first, 1 at 1.
  static func smoothingFraction(_ intensity: Float) -> Float { 1.2 * intensity / (0.2 + intensity) }
}
