/// The rotation or mirroring that makes a stored picture upright: the eight EXIF orientations, with
/// GstVideoDirection's names.
package enum Orientation: Int, CaseIterable, Sendable {
  /// Stored upright ("identity").
  case up = 1
  /// Mirror left-right ("horiz").
  case upMirrored = 2
  /// Turn by 180 degrees ("180").
  case down = 3
  /// Mirror top-bottom ("vert").
  case downMirrored = 4
  /// Swap the axes: mirror along the diagonal from the upper left ("ul-lr").
  case leftMirrored = 5
  /// Turn clockwise by 90 degrees ("90r").
  case right = 6
  /// Mirror along the diagonal from the upper right ("ur-ll").
  case rightMirrored = 7
  /// Turn counter-clockwise by 90 degrees ("90l").
  case left = 8

  /// Whether turning swaps width and height.
  package var swapsAxes: Bool { rawValue >= 5 }

  /// Maps normalized coordinates, 0...1, of the upright picture to those of the stored one.
  package var uprightToStored: Affine {
    switch self {
    case .up: .identity
    case .upMirrored: Affine(a: -1, b: 0, c: 0, d: 1, tx: 1, ty: 0)
    case .down: Affine(a: -1, b: 0, c: 0, d: -1, tx: 1, ty: 1)
    case .downMirrored: Affine(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: 1)
    case .leftMirrored: Affine(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)
    case .right: Affine(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 1)
    case .rightMirrored: Affine(a: 0, b: -1, c: -1, d: 0, tx: 1, ty: 1)
    case .left: Affine(a: 0, b: 1, c: -1, d: 0, tx: 1, ty: 0)
    }
  }
}
