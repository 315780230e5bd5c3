/// What is done to a matte after it was keyed; `clamped` values are used.
package struct MatteSettings: Sendable, Equatable {
  /// Pixels by which the edge is pulled in, or out when negative, -2...8.
  package var shrink = 0.0
  /// Standard deviation of the edge's blur, 0...4 pixels.
  package var soften = 0.0
  /// Fractions of the frame's width and height that are made transparent at each side, 0...1.
  package var cropLeft = 0.0
  package var cropRight = 0.0
  package var cropTop = 0.0
  package var cropBottom = 0.0
  /// Exchange foreground and background.
  package var invert = false
  /// Show the matte itself as an opaque grey picture, white where alpha is 255.
  package var showMatte = false

  package init() {}

  /// The same settings with every number in its range; NaN becomes the default.
  package var clamped: MatteSettings {
    let standard = Self()
    var result = self
    clamp(&result.shrink, -2, 8, standard.shrink)
    clamp(&result.soften, 0, 4, standard.soften)
    clamp(&result.cropLeft, 0, 1, standard.cropLeft)
    clamp(&result.cropRight, 0, 1, standard.cropRight)
    clamp(&result.cropTop, 0, 1, standard.cropTop)
    clamp(&result.cropBottom, 0, 1, standard.cropBottom)
    return result
  }

  /// The operations on the matte's own plane.
  var shape: MatteShape { MatteShape(shrink: shrink, soften: soften, isInverted: invert) }
}

/// Brings a number into its range; NaN becomes the default.
///
/// By address: a key path would allocate.
package func clamp(_ value: inout Double, _ low: Double, _ high: Double, _ standard: Double) {
  value = value.isNaN ? standard : min(max(value, low), high)
}
