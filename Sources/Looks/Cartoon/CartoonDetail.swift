/// How finely a cartoon is drawn, by the size of its largest face.
///
/// A face of 45 cells that is drawn as coarsely as one of 300 loses its mouth and eyes.
enum CartoonDetail: Int, CaseIterable {
  case fine, medium, coarse

  var index: Int { rawValue }

  /// The deviation of smoothing and the radius of the blur that lines are measured with, in cells.
  var sizes: (smoothing: Double, line: Int) {
    switch self {
    case .fine: (3, 2)
    case .medium: (5.5, 3)
    case .coarse: (9, 3)
    }
  }

  /// The widths of faces in cells from which on they are drawn less finely.
  private static let bounds: (medium: Double, coarse: Double) = (60, 120)
  /// The ratio to a bound that a width must exceed in either direction, so that a face at a bound keeps its
  /// drawing.
  private static let margin = 1.15

  /// The detail for a face of this width in cells, after frames with this detail.
  func following(faceWidth: Double) -> CartoonDetail {
    let low = Self.detail(faceWidth / Self.margin)
    let high = Self.detail(faceWidth * Self.margin)
    return low == self || high == self ? self : Self.detail(faceWidth)
  }

  private static func detail(_ width: Double) -> CartoonDetail {
    width < bounds.medium ? .fine : width < bounds.coarse ? .medium : .coarse
  }
}
