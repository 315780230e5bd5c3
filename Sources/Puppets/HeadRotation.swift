import Faces
import Glibc

/// The rotation of a head as the programs for puppets expect it.
struct HeadRotation {
  /// The rows of the rotation matrix from the head's axes to the camera's.
  ///
  /// x to the image's right, y up, z toward the camera. `HeadPose` is this matrix as rotations about
  /// z, then x, then y; its roll has the opposite sign.
  private let rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
  private let pose: HeadPose

  init(_ pose: HeadPose) {
    self.pose = pose
    let (y, x, z) = (radians(pose.yaw), radians(pose.pitch), radians(-pose.roll))
    let (sy, cy, sx, cx, sz, cz) = (sin(y), cos(y), sin(x), cos(x), sin(z), cos(z))
    rows = (
      SIMD3(cy * cz + sy * sx * sz, sy * sx * cz - cy * sz, sy * cx),
      SIMD3(cx * sz, cx * cz, -sx),
      SIMD3(cy * sx * sz - sy * cz, sy * sz + cy * sx * cz, cy * cx)
    )
  }

  /// A vector in the camera's axes along the head's axes.
  func unrotated(_ v: SIMD3<Double>) -> SIMD3<Double> {
    v.x * rows.0 + v.y * rows.1 + v.z * rows.2
  }

  /// The unit vector ahead of the face, in the camera's axes.
  var ahead: SIMD3<Double> { SIMD3(rows.0.z, rows.1.z, rows.2.z) }

  /// The length in the picture of a unit vector along the eyes.
  var foreshortening: Double {
    (rows.0.x * rows.0.x + rows.1.x * rows.1.x).squareRoot()
  }

  /// The rotation of an avatar in Unity's coordinates, x to its right, y up, z ahead: it turns to its
  /// right when the person turns to theirs.
  ///
  /// Positive angles of Unity are down, to the right and, about z, toward the left shoulder; it too
  /// rotates about z, then x, then y.
  var unity: Quaternion {
    Quaternion(axis: 1, degrees: -pose.yaw) * Quaternion(axis: 0, degrees: pose.pitch)
      * Quaternion(axis: 2, degrees: pose.roll)
  }

  // MARK: OpenSeeFace

  /// The rotation matrix of OpenSeeFace's tracker.
  ///
  /// It maps axes of the face, x to the person's right, y up, z ahead, to rows and columns of the
  /// image and the depth. Its solver finds the solution behind the camera, in which the first two
  /// have the opposite sign: a head that looks into the camera is turned by 180 degrees about the
  /// diagonal.
  private var tracker: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    (rows.1 * SIMD3(-1, 1, 1), rows.0 * SIMD3(1, -1, -1), rows.2 * SIMD3(1, -1, -1))
  }

  /// The tracker's quaternion: of the transposed matrix, as its formula computes it.
  var trackerQuaternion: Quaternion {
    let m = tracker
    let q: SIMD4<Double>
    let t: Double
    // The largest of the four components first (M. Day, "Converting a Rotation Matrix to a
    // Quaternion", 2015).
    if m.2.z < 0 {
      if m.0.x > m.1.y {
        t = 1 + m.0.x - m.1.y - m.2.z
        q = SIMD4(t, m.0.y + m.1.x, m.2.x + m.0.z, m.1.z - m.2.y)
      } else {
        t = 1 - m.0.x + m.1.y - m.2.z
        q = SIMD4(m.0.y + m.1.x, t, m.1.z + m.2.y, m.2.x - m.0.z)
      }
    } else if m.0.x < -m.1.y {
      t = 1 - m.0.x - m.1.y + m.2.z
      q = SIMD4(m.2.x + m.0.z, m.1.z + m.2.y, t, m.0.y - m.1.x)
    } else {
      t = 1 + m.0.x + m.1.y + m.2.z
      q = SIMD4(m.1.z - m.2.y, m.2.x - m.0.z, m.0.y - m.1.x, t)
    }
    return Quaternion(q * (0.5 / t.squareRoot()))
  }

  /// The tracker's angles about x, y and z in degrees: those of OpenCV's RQDecomp3x3.
  var trackerAngles: SIMD3<Double> {
    let m = tracker
    // Adding 0 takes the sign off a zero.
    return SIMD3(
      atan2(m.2.y + 0, m.2.z), atan2(-m.2.x, (m.2.y * m.2.y + m.2.z * m.2.z).squareRoot()),
      atan2(m.1.x, m.0.x + 0)) * (180 / Double.pi)
  }
}

private func radians(_ degrees: Double) -> Double { degrees * Double.pi / 180 }

/// A rotation as a unit quaternion.
struct Quaternion: Equatable {
  /// x, y, z, w.
  private(set) var components: SIMD4<Double>

  init(_ components: SIMD4<Double>) { self.components = components }

  /// A rotation about one of the axes 0, 1, 2.
  init(axis: Int, degrees: Double) {
    let half = radians(degrees) / 2
    components = SIMD4(0, 0, 0, cos(half))
    components[axis] = sin(half)
  }

  /// `a` after `b`.
  static func * (a: Quaternion, b: Quaternion) -> Quaternion {
    let (p, q) = (a.components, b.components)
    return Quaternion(
      SIMD4(
        p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
        p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
        p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z))
  }
}
