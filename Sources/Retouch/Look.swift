/// The constants of the retouching that are a matter of taste.
///
/// Tuned on a photograph enlarged three times with known pores and blemishes: texture falls by a
/// quarter at intensity 0.25 and by half at 1, and the picture comes nearer to the one without
/// blemishes.
enum Look {
  /// Radius of the filter in face widths; wider windows flatten the face's shading.
  static let radius = 1.0 / 40
  /// Radius of the mean of what was taken, which is given back, in radii of the filter.
  static let wideRadius = 1.2
  /// Radius of the surroundings that colour is evened to, in face widths.
  static let eveningRadius = 0.1
  /// Share of white that the strongest colour of highlights is not lifted over.
  static let whitest: Float = 0.99
  /// Code that red, green and blue are not raised over: nothing is clipped that was not.
  static let ceiling: Int16 = 254

  /// Deviation of luma, in codes, that counts as texture and not as an edge.
  ///
  /// Pores shade light skin by more codes than dark skin, so it grows with the skin's own
  /// lightness, 0...1, in part: noise does not.
  static func noise(_ intensity: Float, lightness: Float) -> Float {
    let relative = min(max(lightness / usualLightness, 0.2), 1.4)
    return (18 + 28 * intensity) * (1 - proportion + proportion * relative)
  }

  /// The lightness of the skin that was tuned on.
  static let usualLightness: Float = 0.68
  private static let proportion: Float = 0.85

  /// Share of the texture that is taken: rises fast at first, 1 at 1.
  static func smoothing(_ intensity: Float) -> Float { 1.2 * intensity / (0.2 + intensity) }
}
