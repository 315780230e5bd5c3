import Glibc
package import Pixels

/// The position and rotation of a head in pixels of the frame, from the face's mesh, else its six
/// keypoints, else its box.
package struct HeadFrame: Sendable {
  /// The face's mesh; nil if unknown or degenerate.
  package let mesh: PixelMesh?
  /// The midpoint of the pupils.
  package let origin: Point3
  /// The head's axes: to the image's right, to its crown, out of the face.
  ///
  /// They and the unit are computed from points of the skull, so that mouth and eyelids do not move
  /// them.
  package let right, up, forward: Point3
  /// The distance of the pupils in 3D; larger than `pupilDistance` if the head is turned.
  package let unit: Double
  /// The distance of the pupils in the picture.
  package let pupilDistance: Double
  /// Unit vector along the pupils in the picture, to the image's right.
  package let axis: Point
  private let keypoints: [Point]
  private let scale: Point

  /// Nil if the box is empty or not finite, or the pupils are under half a pixel apart.
  package init?(_ face: Face, width: Int, height: Int) {
    scale = Point(x: Double(width), y: Double(height))
    keypoints = face.keypoints.count >= Face.Keypoint.allCases.count ? face.keypoints : []
    if let mesh = PixelMesh(face, width: width, height: height), let axes = mesh.rigidAxes {
      // Eye corners do not move when the lids close; pupils are the means of the lids.
      let left = mesh.mean(MeshIndex.eyeCorners.left)
      let rightEye = mesh.mean(MeshIndex.eyeCorners.right)
      let between = (mesh.mean(MeshIndex.rightEye) - mesh.mean(MeshIndex.leftEye)).xy
      let distance = (rightEye - left).length
      if between.length >= 0.5, distance < 1e7 {
        self.mesh = mesh
        origin = (left + rightEye) * 0.5
        (right, up) = axes
        forward = right.cross(up)
        unit = distance
        pupilDistance = between.length
        axis = between * (1 / between.length)
        return
      }
    }
    mesh = nil
    let (left, rightEye) = Self.pupils(face, scale)
    let between = rightEye - left
    guard between.length.isFinite, between.length >= 0.5 else { return nil }
    pupilDistance = between.length
    axis = between * (1 / between.length)
    let middle = (left + rightEye) * 0.5
    origin = Point3(x: middle.x, y: middle.y, z: 0)
    // The axes rotated by yaw, then pitch, then roll.
    let yaw = Self.cosineAndSine(min(max(face.pose?.yaw ?? 0, -60), 60))
    let pitch = Self.cosineAndSine(min(max(face.pose?.pitch ?? 0, -60), 60))
    unit = pupilDistance / yaw.x
    let roll = axis
    func rolled(_ x: Double, _ y: Double, _ z: Double) -> Point3 {
      Point3(x: roll.x * x - roll.y * y, y: roll.y * x + roll.x * y, z: z)
    }
    // Yaw below 0 turns the face to the image's left; pitch over 0 turns it down.
    forward = rolled(yaw.y * pitch.x, pitch.y, -yaw.x * pitch.x)
    right = rolled(yaw.x, 0, yaw.y)
    up = forward.cross(right)
  }

  /// The pupils of a face without a mesh, in pixels.
  private static func pupils(_ face: Face, _ scale: Point) -> (left: Point, right: Point) {
    if let a = face[.leftEye], let b = face[.rightEye] {
      return (a.scaled(x: scale.x, y: scale.y), b.scaled(x: scale.x, y: scale.y))
    }
    // The position of the pupils in the short-range detector's boxes.
    let box = face.box.scaled(x: scale.x, y: scale.y)
    let rotation = cosineAndSine(face.pose?.roll ?? 0)
    let half = rotation * (0.21 * box.width)
    let middle = box.center + Point(x: rotation.y, y: -rotation.x) * (0.13 * box.height)
    return (middle - half, middle + half)
  }

  /// Cosine (x) and sine (y) of an angle in degrees; those of 0 for an invalid angle.
  private static func cosineAndSine(_ degrees: Double) -> Point {
    let angle = abs(degrees) <= 360 ? degrees * .pi / 180 : 0
    return Point(x: cos(angle), y: sin(angle))
  }

  /// The yaw in degrees, negative toward the image's left.
  package var yaw: Double {
    let angle = atan2(forward.x, -forward.z) * 180 / .pi
    return angle.isFinite ? angle : 0
  }

  /// The viewer's right, perpendicular to the head's vertical axis: a unit vector along `right` (x)
  /// and `forward` (y).
  package var viewerRight: Point {
    // Perpendicular to both the head's axis and the line of sight.
    let side = Point3(x: -up.y, y: up.x, z: 0)
    let (x, y) = (side.dot(right), side.dot(forward))
    let length = (x * x + y * y).squareRoot()
    return length > 1e-9 ? Point(x: x / length, y: y / length) : Point(x: 1, y: 0)
  }

  /// The assumed focal length in pixels: the frame's longer side.
  package var focalLength: Double { max(scale.x, scale.y) }

  // MARK: Points

  /// Projects a point on the head, given in pupil distances along its axes from the origin.
  package func project(_ x: Double, _ y: Double, _ z: Double) -> Point {
    (origin + right * (x * unit) + up * (y * unit) + forward * (z * unit)).xy
  }

  /// A point of the mesh by its index in `MeshIndex`; nil without a mesh.
  package func meshPoint(_ index: Int) -> Point? { mesh?[index].xy }

  /// The mean of several points of the mesh; nil without one.
  package func mean(_ indices: [Int]) -> Point? { mesh?.mean(indices).xy }

  /// A keypoint in pixels; nil unless all six are known.
  package func keypoint(_ keypoint: Face.Keypoint) -> Point? {
    guard keypoint.rawValue < keypoints.count else { return nil }
    return keypoints[keypoint.rawValue].scaled(x: scale.x, y: scale.y)
  }

  /// The width of the head at the ears relative to 2.43 pupil distances, that of MediaPipe's
  /// canonical face; 1 without a mesh.
  package var relativeBreadth: Double {
    guard let mesh else { return 1 }
    let sides = (mesh[MeshIndex.sides.right] - mesh[MeshIndex.sides.left]).length / (2.43 * unit)
    return sides.isFinite ? min(max(sides, 0.85), 1.15) : 1
  }

  /// The height of the face from the chin to the top of the forehead, with closed lips, relative to 2.8
  /// pupil distances, that of MediaPipe's canonical face; 1 without a mesh.
  package var relativeHeight: Double {
    guard let mesh else { return 1 }
    let lips = MeshIndex.innerLips
    let open = (mesh[lips.upper] - mesh[lips.lower]).length
    let height = ((mesh[MeshIndex.hairline] - mesh[MeshIndex.chin]).length - open) / (2.8 * unit)
    return height.isFinite ? min(max(height, 0.9), 1.1) : 1
  }

  // MARK: Measures, only for faces with a mesh

  /// The 3D distance of two mesh points, in pupil distances.
  package func distance(_ a: Int, _ b: Int) -> Double? {
    mesh.map { ($0[a] - $0[b]).length / unit }
  }

  /// The height of a mesh point above the pupils along the head's axis, in pupil distances.
  package func elevation(_ index: Int) -> Double? {
    mesh.map { ($0[index] - origin).dot(up) / unit }
  }
}

extension MeshPoints {
  /// As `axes`, from points that neither the jaw nor the lids move: up is from the root of the nose
  /// to the hairline, corrected for its tilt of 9.4 degrees against chin to hairline on MediaPipe's
  /// canonical face (8.3 to 10.1 on eight people with closed mouths).
  fileprivate var rigidAxes: (right: Point3, up: Point3)? {
    let corners = MeshIndex.outerEyeCorners
    let forehead = self[MeshIndex.hairline] - self[MeshIndex.noseRoot]
    guard let right = (self[corners.right] - self[corners.left]).unit,
      let back = (forehead - right * forehead.dot(right)).unit
    else { return nil }
    let tilt = 9.4 * Double.pi / 180
    return (right, back * cos(tilt) + right.cross(back) * sin(tilt))
  }
}
