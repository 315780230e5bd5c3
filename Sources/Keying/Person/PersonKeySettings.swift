/// How people are taken out of their room; `PersonKey` uses what is `clamped`.
package struct PersonKeySettings: Sendable, Equatable {
  /// Probability at and below which a place shows nobody, 0...1.
  package var clipBlack = 0.4
  /// Probability at and above which it surely shows somebody, 0...1.
  package var clipWhite = 0.9
  /// Have the edge follow the picture's colours.
  package var refine = true
  /// Share of the last opacity where nothing moves, 0...1.
  package var smoothing = 0.8
  /// How much of the room's colour is taken off the edge, 0...1.
  package var despill = 1.0
  /// Standard deviation of the blur of the room, as a share of the frame's height in percent,
  /// 0...20; 0 for none.
  package var blur = 0.0
  /// How much of the background's light falls on the edge, 0...1.
  package var lightWrap = 0.0
  /// What is done to the matte.
  package var matte = MatteSettings()

  package init() {}

  /// The same settings with every number in its range; what is not a number gets its default.
  package var clamped: PersonKeySettings {
    let standard = Self()
    var result = self
    limit(&result.clipBlack, 0, 1, standard.clipBlack)
    limit(&result.clipWhite, 0, 1, standard.clipWhite)
    limit(&result.smoothing, 0, 1, standard.smoothing)
    limit(&result.despill, 0, 1, standard.despill)
    limit(&result.blur, 0, 20, standard.blur)
    limit(&result.lightWrap, 0, 1, standard.lightWrap)
    result.matte = matte.clamped
    return result
  }
}
