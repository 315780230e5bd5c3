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
  /// Share of white that highlights are not lifted over.
  static let whitest: Float = 0.96

  /// Deviation of luma, in codes, that counts as texture and not as an edge.
  static func noise(_ intensity: Float) -> Float { 18 + 28 * intensity }

  /// Share of the texture that is taken: rises fast at first, 1 at 1.
  static func smoothing(_ intensity: Float) -> Float { 1.3 * intensity / (0.3 + intensity) }
}
