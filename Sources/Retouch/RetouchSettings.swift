/// The settings of `SkinRetouch`.
package struct RetouchSettings: Sendable, Equatable {
  /// The area of each face that is retouched.
  package enum Mask: String, Sendable, CaseIterable {
    /// The mesh's oval without eyes, brows and lips; an ellipse where there is no mesh.
    case face
    /// An ellipse about the face, without eyes, brows and lips where those are known.
    case ellipse
    /// The face's upright rectangle, without eyes, brows and lips where those are known.
    case rectangle
    /// The whole frame, with or without faces.
    case full
  }

  /// Strength of the smoothing, 0...1.
  package var intensity = 0.6
  /// The fraction of the finest texture that is kept, 0...1.
  package var detail = 0.25
  /// Tone lift of the skin, 0...1.
  package var brightness = 0.15
  /// The strength of skin tone equalization, 0...1.
  package var evenSkin = 0.0
  /// The smoothing radius in pixels, up to 32; 0 derives it from the face's size.
  package var radius = 0.0
  package var mask = Mask.face
  /// How far to exclude what differs from this face's own skin, 0...1.
  package var skinAdapt = 0.65
  /// Softness of the mask's edge in face widths, 0...0.1.
  package var feather = 0.015
  /// Shows the mask (white for full retouching) instead of retouching.
  package var showsMask = false

  package init() {}

  /// Whether these settings leave every picture unchanged.
  package var changesNothing: Bool {
    !showsMask && !(intensity > 0) && !(brightness > 0) && !(evenSkin > 0)
  }

  /// The settings clamped to their ranges; non-finite numbers become their defaults.
  var clamped: RetouchSettings {
    var result = self
    let defaults = RetouchSettings()
    func clamp(_ path: WritableKeyPath<RetouchSettings, Double>, _ limit: Double) {
      let value = self[keyPath: path]
      result[keyPath: path] = value.isFinite ? min(max(value, 0), limit) : defaults[keyPath: path]
    }
    clamp(\.intensity, 1)
    clamp(\.detail, 1)
    clamp(\.brightness, 1)
    clamp(\.evenSkin, 1)
    clamp(\.radius, 32)
    clamp(\.skinAdapt, 1)
    clamp(\.feather, 0.1)
    return result
  }
}
