package import Compose

/// How people are keyed; `PersonKeyer` uses the `clamped` values.
package struct PersonKeySettings: Sendable, Equatable {
  /// Probability at and below which a pixel is background, 0...1.
  package var clipBlack = 0.4
  /// Probability at and above which a pixel is a person, 0...1.
  package var clipWhite = 0.9
  /// Fit edges to the picture's colours by a guided filter.
  package var refine = true
  /// Weight of the last opacity where nothing moves, 0...1.
  package var smoothing = 0.8
  /// The fraction of the background's colour that is subtracted at edges, 0...1.
  package var despill = 1.0
  /// Standard deviation of the background's blur in percent of the frame's height, 0...20; 0 for
  /// none.
  package var blur = 0.0
  /// Strength of the new background's light on edges, 0...1.
  package var lightWrap = 0.0
  /// The operations on the matte.
  package var matte = MatteSettings()

  package init() {}

  /// The same settings with every number in its range; NaN becomes the default.
  package var clamped: PersonKeySettings {
    let standard = Self()
    var result = self
    clamp(&result.clipBlack, 0, 1, standard.clipBlack)
    clamp(&result.clipWhite, 0, 1, standard.clipWhite)
    clamp(&result.smoothing, 0, 1, standard.smoothing)
    clamp(&result.despill, 0, 1, standard.despill)
    clamp(&result.blur, 0, 20, standard.blur)
    clamp(&result.lightWrap, 0, 1, standard.lightWrap)
    result.matte = matte.clamped
    return result
  }
}
