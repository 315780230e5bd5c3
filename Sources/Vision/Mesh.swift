import Faces
import Glibc
package import Pixels

/// The points of MediaPipe's face mesh, 468 or with the irises 478, in pixels of the upright picture.
///
/// z is in the same unit, negative toward the camera, 0 near the middle of the head. Points may lie
/// outside the picture. Left and right are the picture's.
package struct Mesh: MeshPoints, Sendable, Equatable {
  package var points: [Point3]

  package init(points: [Point3]) {
    precondition(
      points.count == Face.landmarkCount || points.count == Face.landmarkCountWithIrises)
    self.points = points
  }

  /// All 468 points at the origin.
  package static let empty = Mesh(points: Array(repeating: .zero, count: Face.landmarkCount))

  /// All 478 points at the origin.
  package static let emptyWithIrises = Mesh(
    points: Array(repeating: .zero, count: Face.landmarkCountWithIrises))

  /// The network that it is from.
  var kind: FaceMeshModel.Kind { hasIrises ? .points478 : .points468 }

  package var hasIrises: Bool { points.count >= Face.landmarkCountWithIrises }

  package subscript(_ index: Int) -> Point3 { points[index] }

  /// The bounding box of all points.
  package var bounds: Rectangle {
    let (low, high) = points.lazy.map(\.xy).boundingCorners
    return Rectangle(from: low, to: high)
  }

  /// The six points of `Face.Keypoint`, from the mesh points nearest to the detector's.
  ///
  /// On the test photograph the detector's eyes are nearest to the means of the eye contours, its
  /// ears to the outermost points of the mesh at their height.
  package var keypoints: [Point] {
    let (lips, sides) = (MeshIndex.innerLips, MeshIndex.sides)
    return [
      mean(MeshIndex.leftEye).xy, mean(MeshIndex.rightEye).xy,
      points[MeshIndex.underNoseTip].xy,
      (points[lips.upper].xy + points[lips.lower].xy) * 0.5, points[sides.left].xy,
      points[sides.right].xy,
    ]
  }

  /// The region in which the mesh network measures this face in the next picture.
  ///
  /// For an upright head it is MediaPipe's (face_landmark_landmarks_to_roi.pbtxt): the bounding box
  /// of all points, rotated by the outer corners of the eyes, made square and 1.5 times as large. A
  /// bounding box grows as the head tilts, and the network's answer depends slightly on the region:
  /// from a tilt of 5 to 20 degrees the region changes over to bounds along the face's own axes.
  package var region: Region {
    let eyes = MeshIndex.outerEyeCorners
    let (a, b) = (points[eyes.left].xy, points[eyes.right].xy)
    let angle = atan2(b.y - a.y, b.x - a.x)
    let upright = bounds
    let side = max(upright.width, upright.height)
    let degrees = abs(angle) * 180 / .pi
    let weight = max(0, min((min(degrees, 180 - degrees) - 5) / 15, 1))
    let own = bounds(along: angle)
    let center = upright.center + (own.center - upright.center) * weight
    let width = 1.5 * (side + (own.side - side) * weight)
    return Region(center: center, width: width, height: width, angle: angle)
  }

  /// The centre and longer side of the bounds along axes rotated by `angle`.
  private func bounds(along angle: Double) -> (center: Point, side: Double) {
    let (c, s) = (cos(angle), sin(angle))
    let (low, high) = points.lazy.map {
      Point(x: c * $0.x + s * $0.y, y: c * $0.y - s * $0.x)
    }.boundingCorners
    let (x, y) = ((low.x + high.x) / 2, (low.y + high.y) / 2)
    return (Point(x: c * x - s * y, y: s * x + c * y), max(high.x - low.x, high.y - low.y))
  }
}

extension Region {
  /// The region of the mesh network for a detection in pixels of the upright picture.
  ///
  /// For BlazeFace face_detection_front_detection_to_roi.pbtxt of MediaPipe. YuNet's box ends at the
  /// chin, as the mesh does, but reaches above it: of 269 faces this region gave the smallest errors
  /// of the mesh's first measurement, 1.5 % of the eye distance.
  package init(_ detection: Detection) {
    let axis = detection.eyeAxis
    self.init(face: detection.box, from: .zero, to: axis)
    guard detection.network == .yuNet, axis.length > 0 else { return }
    let longer = max(detection.box.width, detection.box.height)
    let down = Point(x: -axis.y, y: axis.x) * (1 / axis.length)
    center = center + down * (0.05 * longer)
    (width, height) = (1.36 * longer, 1.36 * longer)
  }

  /// A tile 1.5 times the longer side of `face`, turned so that `left` to `right` is level.
  init(face: Rectangle, from left: Point, to right: Point) {
    let side = max(face.width, face.height) * 1.5
    self.init(
      center: face.center, width: side, height: side,
      angle: atan2(right.y - left.y, right.x - left.x))
  }

  /// The map from samples of an input `count` pixels wide and high to pixels of the picture.
  ///
  /// As in MediaPipe's CPU conversion, sample 0 lies on the region's edge and the last one a step
  /// before the opposite edge.
  func map(from count: Int) -> Affine {
    let (c, s) = (cos(angle), sin(angle))
    let (w, h) = (width / Double(count), height / Double(count))
    return Affine(
      a: w * c, b: w * s, c: -h * s, d: h * c,
      tx: center.x - 0.5 * width * c + 0.5 * height * s,
      ty: center.y - 0.5 * width * s - 0.5 * height * c)
  }

  /// Whether the region is finite, not empty, and of a plausible size.
  var isUsable: Bool {
    let far = 1e6
    return abs(center.x) < far && abs(center.y) < far && width > 1 && width < far && height > 1
      && height < far && angle.isFinite
  }
}
