import Glibc
import Pixels

extension HeadPose {
  /// The pose of the head of `mesh`, seen along the camera's axis; nil for a degenerate mesh.
  ///
  /// The rotation that fits `CanonicalFace` to the mesh by weighted least squares is a quaternion
  /// (Horn, "Closed-form solution of absolute orientation using unit quaternions", 1987), read as
  /// rotations about y, then x, then z.
  package init?(_ mesh: some MeshPoints) {
    guard let rotation = Self.rotationQuaternion(to: mesh) else { return nil }
    let (w, x, y, z) = (rotation[0], rotation[1], rotation[2], rotation[3])
    let degrees = 180 / Double.pi
    let pitch = asin(max(-1, min(-2 * (y * z - w * x), 1))) * degrees
    self.init(
      // Horn's y axis points up, so his rotations about z are counter-clockwise on the screen.
      roll: -atan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z)) * degrees,
      yaw: atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)) * degrees,
      // With irises the pitch is 0.9 times that without, plus 1.1 degrees (on 1286 frames of films).
      pitch: mesh.hasIrises ? (pitch - 1.1) / 0.9 : pitch)
  }

  /// The unit quaternion (w, x, y, z) from the canonical face to the mesh.
  private static func rotationQuaternion(to mesh: some MeshPoints) -> SIMD4<Double>? {
    var total = 0.0
    var from = SIMD3<Double>()
    var to = from
    for anchor in CanonicalFace.anchors {
      total += anchor.weight
      from += anchor.weight * anchor.position
      to += anchor.weight * inCanonicalAxes(mesh[anchor.index])
    }
    from /= total
    to /= total
    // The rows of the covariance matrix: x, y and z of the canonical face, each with the mesh's.
    var (sx, sy, sz) = (SIMD3<Double>(), SIMD3<Double>(), SIMD3<Double>())
    for anchor in CanonicalFace.anchors {
      let a = anchor.position - from
      let b = anchor.weight * (inCanonicalAxes(mesh[anchor.index]) - to)
      sx += a.x * b
      sy += a.y * b
      sz += a.z * b
    }
    let size = ((sx * sx).sum() + (sy * sy).sum() + (sz * sz).sum()).squareRoot()
    guard size.isFinite, size > 1e-9 else { return nil }
    sx /= size
    sy /= size
    sz /= size
    // Horn's symmetric matrix N. Its eigenvalues are within -2...2, so adding 2 makes the largest
    // one, whose vector is the result, the largest in magnitude for the power iteration.
    let n0 = SIMD4(sx.x + sy.y + sz.z + 2, sy.z - sz.y, sz.x - sx.z, sx.y - sy.x)
    let n1 = SIMD4(n0.y, sx.x - sy.y - sz.z + 2, sx.y + sy.x, sz.x + sx.z)
    let n2 = SIMD4(n0.z, n1.z, -sx.x + sy.y - sz.z + 2, sy.z + sz.y)
    let n3 = SIMD4(n0.w, n1.w, n2.w, -sx.x - sy.y + sz.z + 2)
    var rotation = SIMD4(1, 0.1, 0.2, 0.3)
    for _ in 0..<100 {
      rotation = n0 * rotation.x + n1 * rotation.y + n2 * rotation.z + n3 * rotation.w
      let length = (rotation * rotation).sum().squareRoot()
      guard length > 1e-9 else { return nil }
      rotation /= length
    }
    return rotation
  }

  /// Converts a mesh point: its y points down and its z away from the camera, unlike the canonical
  /// face's.
  private static func inCanonicalAxes(_ p: Point3) -> SIMD3<Double> { SIMD3(p.x, -p.y, -p.z) }
}
