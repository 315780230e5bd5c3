package import Pixels

/// Indices of the face mesh, as MediaPipe numbers them.
///
/// Contours are those of face_mesh_connections.py (FACEMESH_FACE_OVAL, _LIPS, _LEFT_EYE,
/// _RIGHT_EYE, _LEFT_EYEBROW, _RIGHT_EYEBROW), in order round each feature. Left and right are the
/// image's.
package enum MeshIndex {
  // MARK: Rings

  /// The face oval, clockwise on the screen from the top of the forehead.
  package static let oval = [
    10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377,
    152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
  ]
  /// The contour of an eye from its outer corner, lower lid first; the mean of the points
  /// approximates the pupil.
  package static let leftEye = [
    33, 7, 163, 144, 145, 153, 154, 155, 133, 173, 157, 158, 159, 160, 161, 246,
  ]
  /// The contour of the other eye, each point the mirror image.
  package static let rightEye = [
    263, 249, 390, 373, 374, 380, 381, 382, 362, 398, 384, 385, 386, 387, 388, 466,
  ]
  package static let leftBrow = [70, 63, 105, 66, 107, 55, 65, 52, 53, 46]
  package static let rightBrow = [300, 293, 334, 296, 336, 285, 295, 282, 283, 276]
  package static let lips = [
    61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291, 375, 321, 405, 314, 17, 84, 181, 91, 146,
  ]

  /// The features inside the oval that are not skin.
  package static let features = [leftEye, rightEye, leftBrow, rightBrow, lips]

  // MARK: Points

  /// The top and the bottom of the oval, and its outermost points beside the ears.
  package static let hairline = 10
  package static let chin = 152
  package static let sides = (left: 234, right: 454)
  package static let forehead = 151
  /// The tip of the nose, and the point below it that detectors report as the tip.
  package static let noseTip = 4
  package static let underNoseTip = 1
  /// The outermost points of the nostrils, and the base of the nose above the upper lip.
  package static let noseWings = (left: 129, right: 358)
  package static let underNose = 2
  package static let cheeks = (left: 50, right: 280)
  package static let outerEyeCorners = (left: 33, right: 263)
  /// Both corners of each eye.
  package static let eyeCorners = (left: [33, 133], right: [263, 362])
  package static let noseRoot = 168
  /// The bridge of the nose: the point between the brows above its root, and two below it.
  package static let noseBridge = (betweenBrows: 8, middle: 6, end: 197)
  /// The middles of the lips' inner edges.
  package static let innerLips = (upper: 13, lower: 14)
  /// The corners of the lips' outer and inner edges.
  package static let mouthCorners = (left: 61, right: 291)
  package static let innerMouthCorners = (left: 78, right: 308)
  /// The middle of a brow, and its end beside the nose.
  package static let browMiddles = (left: 105, right: 334)
  package static let innerBrowEnds = (left: 55, right: 285)

  // MARK: Eyes

  /// The points of the irises, which only a mesh of 478 points has: the centre, and those of the edge
  /// at the right, the top, the left and the bottom.
  package static let leftIris = 468...472
  package static let rightIris = 473...477

  /// The six points that measure the openness of an eye.
  package struct Opening: Sendable {
    /// From the left of the image to the right.
    package let corners: (left: Int, right: Int)
    /// Two points of the upper lid, and the points of the lower lid below them.
    package let upper: (Int, Int)
    package let lower: (Int, Int)

    package init(corners: (left: Int, right: Int), upper: (Int, Int), lower: (Int, Int)) {
      (self.corners, self.upper, self.lower) = (corners, upper, lower)
    }

    /// The eye aspect ratio, height over width (Soukupova and Cech, "Real-time eye blink detection
    /// using facial landmarks", 2016); nil for zero width.
    package func aspectRatio(_ point: (Int) -> Point3) -> Double? {
      func distance(_ a: Int, _ b: Int) -> Double { (point(a) - point(b)).length }
      let width = distance(corners.left, corners.right)
      guard width > 1e-9 else { return nil }
      return (distance(upper.0, lower.0) + distance(upper.1, lower.1)) / (2 * width)
    }
  }

  package static let leftOpening = Opening(corners: (33, 133), upper: (160, 158), lower: (144, 153))
  package static let rightOpening = Opening(
    corners: (362, 263), upper: (385, 387), lower: (380, 373))
}
