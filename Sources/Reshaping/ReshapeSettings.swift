/// The strengths of reshaping, each -1...1; 0 changes nothing.
package struct ReshapeSettings: Sendable, Equatable {
  /// A fun-house mirror for the whole face.
  package enum Distortion: String, CaseIterable, Sendable {
    case none, stretch, bulge, pinch, twirl
  }

  /// Positive: narrower from the cheekbones to the chin.
  package var slim = 0.0
  /// Positive: wider between the angles of the jaw.
  package var jaw = 0.0
  /// Positive: larger.
  package var eyes = 0.0
  /// Positive: broader.
  package var nose = 0.0
  /// Positive: larger.
  package var mouth = 0.0
  /// Positive: longer.
  package var chin = 0.0
  /// Positive: higher.
  package var forehead = 0.0
  package var distortion = Distortion.none
  /// Strength of the distortion, -1...1; negative values invert it.
  package var amount = 0.0

  package init() {}

  /// Whether the settings change nothing.
  package var isIdentity: Bool {
    slim == 0 && jaw == 0 && eyes == 0 && nose == 0 && mouth == 0 && chin == 0 && forehead == 0
      && (distortion == .none || amount == 0)
  }

  /// The settings with all strengths times `factor`, for a face that fades in or out.
  func scaled(by factor: Double) -> ReshapeSettings {
    var result = self
    result.slim *= factor
    result.jaw *= factor
    result.eyes *= factor
    result.nose *= factor
    result.mouth *= factor
    result.chin *= factor
    result.forehead *= factor
    result.amount *= factor
    return result
  }
}
