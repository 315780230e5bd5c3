package import Faces
package import Pixels

/// A point in a frame with depth: x right, y down, z away from the viewer, all in pixels.
struct SpacePoint: Sendable, Equatable {
  var x: Double
  var y: Double
  var z: Double

  static func + (a: SpacePoint, b: SpacePoint) -> SpacePoint {
    SpacePoint(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }
  static func - (a: SpacePoint, b: SpacePoint) -> SpacePoint {
    SpacePoint(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }
  static func * (a: SpacePoint, k: Double) -> SpacePoint {
    SpacePoint(x: a.x * k, y: a.y * k, z: a.z * k)
  }
  func dot(_ b: SpacePoint) -> Double { x * b.x + y * b.y + z * b.z }
  func cross(_ b: SpacePoint) -> SpacePoint {
    SpacePoint(x: y * b.z - z * b.y, y: z * b.x - x * b.z, z: x * b.y - y * b.x)
  }
  var length: Double { dot(self).squareRoot() }
  /// The vector one long in this direction, or nil where it has none.
  var unit: SpacePoint? {
    let length = length
    return length > 1e-9 && length.isFinite ? self * (1 / length) : nil
  }
  var flat: Point { Point(x: x, y: y) }
}

/// Where a head is and how it is turned, in pixels of the frame, from as much as is known of a
/// face: its mesh, else its six keypoints, else its box.
package struct FaceFrame: Sendable {
  private let face: Face
  private let scaleX: Double
  private let scaleY: Double
  private let hasMesh: Bool
  private let hasKeypoints: Bool
  /// Between the pupils.
  let origin: SpacePoint
  /// The head's own axes: to the image's right, to its crown, out of the face.
  let right: SpacePoint
  let up: SpacePoint
  let forward: SpacePoint
  /// Distance of the pupils in space; larger than `pupilDistance` when the head is turned.
  package let unit: Double
  /// Distance of the pupils in the picture.
  package let pupilDistance: Double
  /// Unit vector along the pupils in the picture, to the image's right.
  package let axis: Point

  /// Nil when even the box is empty or not finite, or the face is under a pixel wide.
  package init?(_ face: Face, width: Int, height: Int) {
    self.face = face
    scaleX = Double(width)
    scaleY = Double(height)
    if face.landmarks.count >= Face.landmarkCount,
      let frame = Self.fromMesh(face.landmarks, Double(width), Double(height))
    {
      (hasMesh, hasKeypoints) = (true, true)
      (origin, right, up, forward, unit) = frame.axes
      (pupilDistance, axis) = (frame.pupilDistance, frame.axis)
      return
    }
    hasMesh = false
    let box = face.box.scaled(x: Double(width), y: Double(height))
    var left = Point(x: 0, y: 0)
    var rightEye = left
    if let a = face[.leftEye], let b = face[.rightEye] {
      hasKeypoints = face.keypoints.count >= Face.Keypoint.allCases.count
      left = Point(x: a.x * Double(width), y: a.y * Double(height))
      rightEye = Point(x: b.x * Double(width), y: b.y * Double(height))
    } else {
      hasKeypoints = false
      // Where pupils are in a detector's box, by the short-range model's own boxes.
      let turn = Self.turn(face.pose?.roll ?? 0)
      let half = Point(x: turn.x, y: turn.y) * (0.21 * box.width)
      let middle = box.center + Point(x: turn.y, y: -turn.x) * (0.13 * box.height)
      left = middle - half
      rightEye = middle + half
    }
    let between = rightEye - left
    guard between.length.isFinite, between.length >= 0.5 else { return nil }
    pupilDistance = between.length
    axis = between * (1 / between.length)
    let middle = (left + rightEye) * 0.5
    origin = SpacePoint(x: middle.x, y: middle.y, z: 0)
    // The head's axes turned by yaw, then pitch, then with the pupils.
    let yaw = Self.turn(min(max(face.pose?.yaw ?? 0, -60), 60))
    let pitch = Self.turn(min(max(face.pose?.pitch ?? 0, -60), 60))
    unit = pupilDistance / yaw.x
    let roll = axis
    func turned(_ x: Double, _ y: Double, _ z: Double) -> SpacePoint {
      SpacePoint(x: roll.x * x - roll.y * y, y: roll.y * x + roll.x * y, z: z)
    }
    // Yaw below 0 turns the face to the image's left; pitch over 0 turns it down.
    forward = turned(yaw.y * pitch.x, pitch.y, -yaw.x * pitch.x)
    right = turned(yaw.x, 0, yaw.y)
    up = forward.cross(right)
  }

  /// Point `index` of the mesh, in pixels; only for faces that have one.
  private func mesh(_ index: Int) -> SpacePoint {
    Self.mesh(face.landmarks[index], scaleX, scaleY)
  }

  private static func mesh(_ point: Landmark, _ sx: Double, _ sy: Double) -> SpacePoint {
    SpacePoint(x: Double(point.x) * sx, y: Double(point.y) * sy, z: Double(point.z) * sx)
  }

  private static func mean(
    _ landmarks: [Landmark], _ indices: [Int], _ sx: Double, _ sy: Double
  ) -> SpacePoint {
    var sum = SpacePoint(x: 0, y: 0, z: 0)
    for index in indices { sum = sum + mesh(landmarks[index], sx, sy) }
    return sum * (1 / Double(indices.count))
  }

  /// The axes by the outer eye corners and the line from chin to hairline, made square.
  private static func fromMesh(
    _ landmarks: [Landmark], _ sx: Double, _ sy: Double
  ) -> (
    axes: (SpacePoint, SpacePoint, SpacePoint, SpacePoint, Double), pupilDistance: Double,
    axis: Point
  )? {
    let left = mean(landmarks, VisionPoints.leftPupil, sx, sy)
    let rightEye = mean(landmarks, VisionPoints.rightPupil, sx, sy)
    let corners = mesh(landmarks[263], sx, sy) - mesh(landmarks[33], sx, sy)
    let height = mesh(landmarks[10], sx, sy) - mesh(landmarks[152], sx, sy)
    guard let right = corners.unit, let up = (height - right * height.dot(right)).unit else {
      return nil
    }
    let between = (rightEye - left).flat
    let unit = (rightEye - left).length
    guard between.length >= 0.5, unit.isFinite, unit < 1e7 else { return nil }
    let origin = (left + rightEye) * 0.5
    return (
      (origin, right, up, right.cross(up), unit), between.length,
      between * (1 / between.length)
    )
  }

  /// A place on the head, given in pupil distances along its axes from between the pupils.
  func place(_ x: Double, _ y: Double, _ z: Double) -> Point {
    (origin + right * (x * unit) + up * (y * unit) + forward * (z * unit)).flat
  }

  /// Where a named anchor is, in pixels of the frame.
  ///
  /// The crown is no point of the mesh: it is held at 1.72 pupil distances over the pupils
  /// and 0.7 behind them, and so moves with the head as a point of a rigid body. Anthropometric
  /// tables put it about 11 cm over the eyes of a head whose pupils are 6.3 cm apart.
  package func point(_ anchor: StickerAnchor) -> Point {
    switch anchor {
    case .headTop: place(0, 1.72, -0.7)
    case .forehead: at(151) ?? place(0, 0.62, 0.3)
    case .eyes, .screen: origin.flat
    case .leftEye: hasMesh ? pupil(VisionPoints.leftPupil) : keypoint(.leftEye) ?? place(-0.5, 0, 0)
    case .rightEye:
      hasMesh ? pupil(VisionPoints.rightPupil) : keypoint(.rightEye) ?? place(0.5, 0, 0)
    case .nose: at(4) ?? keypoint(.noseTip) ?? place(0, -0.62, 0.5)
    case .mouth:
      hasMesh
        ? ((mesh(13) + mesh(14)) * 0.5).flat : keypoint(.mouthCenter) ?? place(0, -1, 0.3)
    case .chin: at(152) ?? place(0, -1.68, 0.1)
    case .leftCheek: at(50) ?? place(-0.56, -0.55, 0.2)
    case .rightCheek: at(280) ?? place(0.56, -0.55, 0.2)
    case .face:
      hasMesh
        ? ((mesh(10) + mesh(152) + mesh(234) + mesh(454)) * 0.25).flat : place(0, -0.4, 0)
    }
  }

  /// Point `index` of Apple Vision's 76, in pixels of the frame; nil for other indices.
  package func visionPoint(_ index: Int) -> Point? {
    guard VisionPoints.mesh.indices.contains(index) else { return nil }
    if hasMesh {
      switch index {
      case 6: return pupil(VisionPoints.leftPupil)
      case 13: return pupil(VisionPoints.rightPupil)
      default: return mesh(VisionPoints.mesh[index]).flat
      }
    }
    switch index {
    case 6: return point(.leftEye)
    case 13: return point(.rightEye)
    default:
      let (x, y) = VisionPoints.template(index)
      return place(x, y, 0)
    }
  }

  private func pupil(_ contour: [Int]) -> Point {
    Self.mean(face.landmarks, contour, scaleX, scaleY).flat
  }

  private func at(_ index: Int) -> Point? { hasMesh ? mesh(index).flat : nil }

  private func keypoint(_ keypoint: Face.Keypoint) -> Point? {
    guard hasKeypoints, let point = face[keypoint] else { return nil }
    return Point(x: point.x * scaleX, y: point.y * scaleY)
  }

  /// Cosine (x) and sine (y) of an angle in degrees, by Taylor's series on a quarter of it.
  static func turn(_ degrees: Double) -> Point {
    guard degrees.isFinite, abs(degrees) <= 360 else { return Point(x: 1, y: 0) }
    let t = degrees * (Double.pi / 180) / 8
    let s = t * t
    var cosine = 1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56)))
    var sine = t * (1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72))))
    for _ in 0..<3 { (cosine, sine) = (cosine * cosine - sine * sine, 2 * sine * cosine) }
    return Point(x: cosine, y: sine)
  }

  // What expressions are measured by; only for faces with a mesh.

  /// Distance in space of two mesh points, in pupil distances; nil without a mesh.
  func distance(_ a: Int, _ b: Int) -> Double? {
    hasMesh ? (mesh(a) - mesh(b)).length / unit : nil
  }

  /// How far a mesh point lies over the pupils along the head's own axis, in pupil distances.
  func elevation(_ index: Int) -> Double? {
    hasMesh ? (mesh(index) - origin).dot(up) / unit : nil
  }
}
