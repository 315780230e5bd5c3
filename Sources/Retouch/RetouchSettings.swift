/// What to do to the skin of faces: the look of `SkinRetouch`.
package struct RetouchSettings: Sendable, Equatable {
  /// The part of each face that is treated.
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
  /// Share of the finest texture given back, 0...1.
  package var detail = 0.25
  /// Tone lift of the skin, 0...1.
  package var brightness = 0.15
  /// Pull of colour patches toward the colour of the skin round them, 0...1.
  package var evenSkin = 0.0
  /// Radius of the smoothing in pixels, up to 32; 0 takes it from the face's size.
  package var radius = 0.0
  package var mask = Mask.face
  /// How far to spare what differs from this face's own skin, 0...1.
  package var skinAdapt = 0.65
  /// Softness of the mask's edge in face widths, 0...0.1.
  package var feather = 0.015
  /// Paint the mask (white: treated fully) instead of treating.
  package var showsMask = false

  package init() {}

  /// Whether a picture with these settings stays as it is, whatever faces it has.
  package var changesNothing: Bool {
    !showsMask && !(intensity > 0) && !(brightness > 0) && !(evenSkin > 0)
  }

  /// The settings with every number in its range; one that is not finite is its default.
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
