import Faces
import Pixels

/// The projection of points in head coordinates to pixels of the picture.
///
/// Within the depth range of the mesh, positions are projected orthographically, as the mesh's are, so
/// that glasses stay on the ears; outside it in perspective.
struct HeadProjection: Sendable, Equatable {
  private let origin, right, up, forward: Point3
  private let unit, focalLength: Double
  private let behind: Double

  /// That range in pupil distances in front of and behind the eyes.
  private static let before = 0.6
  /// The depth of the ears, and of the back of the skull.
  static let ears = -1.1
  static let skull = -2.7

  /// The range ends at depth `behind`.
  init(_ face: HeadFrame, behind: Double) {
    self.behind = behind
    (origin, right, up, forward) = (face.origin, face.right, face.up, face.forward)
    (unit, focalLength) = (face.unit, face.focalLength)
  }

  /// Projects a point given in pupil distances along the head's axes; z of the result is its depth.
  func project(_ p: Point3) -> Billboard.Corner {
    let planar = right * (p.x * unit) + up * (p.y * unit)
    let all = planar + forward * (p.z * unit)
    let excess = p.z > Self.before ? p.z - Self.before : p.z < behind ? p.z - behind : 0
    let far = (forward * (excess * unit)).z
    func inverseDepth(_ depth: Double) -> Double {
      focalLength / max(focalLength + depth, 0.25 * focalLength)
    }
    let seen = all * inverseDepth(far)
    return Billboard.Corner(
      position: Point3(x: origin.x + seen.x, y: origin.y + seen.y, z: origin.z + all.z),
      inverseDepth: inverseDepth(all.z))
  }

  /// A direction in head coordinates as one of the picture.
  func direction(_ p: Point3) -> Point3 { right * p.x + up * p.y + forward * p.z }
}
