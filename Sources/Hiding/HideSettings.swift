/// The settings for hiding faces.
package struct HideSettings: Sendable, Equatable {
  package enum Mode: String, Sendable, CaseIterable {
    case mosaic, blur, color
  }

  package enum Shape: String, Sendable, CaseIterable {
    case ellipse, rectangle
  }

  package var mode = Mode.mosaic
  /// 0...1: 0 leaves 16 blocks across a face, 1 leaves four.
  package var strength = 0.5
  /// Alpha, red, green and blue, from the highest byte to the lowest.
  package var color: UInt32 = 0xff00_0000
  package var shape = Shape.ellipse
  /// Margin around the face's box that is hidden too, in widths of the box.
  package var margin = 0.25

  package init() {}
}
