/// How faces are hidden.
package struct HideSettings: Sendable, Equatable {
  package enum Mode: String, Sendable, CaseIterable {
    case mosaic, blur, color
  }

  package enum Shape: String, Sendable, CaseIterable {
    case ellipse, rectangle
  }

  package var mode = Mode.mosaic
  /// 0 leaves sixteen blocks across a face, 1 leaves four.
  package var strength = 0.5
  /// Alpha, red, green and blue, from the highest byte to the lowest.
  package var color: UInt32 = 0xff00_0000
  package var shape = Shape.ellipse
  /// How far beyond the face's box is hidden too, in its widths.
  package var margin = 0.25

  package init() {}
}
