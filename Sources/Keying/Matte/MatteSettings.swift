/// What users have done to a matte, whatever makes it.
package protocol MatteSettings {
  /// Pixels by which the edge is pulled in, or out when negative, -2...8.
  var shrink: Double { get set }
  /// Standard deviation of the edge's blur, 0...4 pixels.
  var soften: Double { get set }
  /// Shares of the frame's width and height that are made transparent at each side, 0...1.
  var cropLeft: Double { get set }
  var cropRight: Double { get set }
  var cropTop: Double { get set }
  var cropBottom: Double { get set }
  /// Keep what would go and drop what would stay.
  var invert: Bool { get set }
  /// Show the matte itself, white where the subject is, as an opaque picture.
  var showMatte: Bool { get set }

  init()
}

extension MatteSettings {
  /// Brings what all mattes have into its range; what is not a number gets the default.
  mutating func limitMatte() {
    let standard = Self()
    limit(&shrink, -2, 8, standard.shrink)
    limit(&soften, 0, 4, standard.soften)
    limit(&cropLeft, 0, 1, standard.cropLeft)
    limit(&cropRight, 0, 1, standard.cropRight)
    limit(&cropTop, 0, 1, standard.cropTop)
    limit(&cropBottom, 0, 1, standard.cropBottom)
  }

  /// What is done to the matte's own plane.
  var shape: MatteShape { MatteShape(shrink: shrink, soften: soften, isInverted: invert) }
}

/// Brings a number into its range; what is none gets its default.
///
/// By address, for a key path would allocate.
func limit(_ value: inout Double, _ low: Double, _ high: Double, _ standard: Double) {
  value = value.isNaN ? standard : min(max(value, low), high)
}
