import Glibc
import Pixels

extension HeadPose {
  /// The pose of the head of `mesh`, seen along the camera's axis; nil for a degenerate mesh.
  ///
  /// The rotation of `CanonicalFit`, read as rotations about y, then x, then z.
  package init?(_ mesh: some MeshPoints) {
    guard let fit = CanonicalFit({ Self.inCanonicalAxes(mesh[$0]) }) else { return nil }
    let rotation = fit.rotation
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

  /// Converts a mesh point: its y points down and its z away from the camera, unlike the canonical
  /// face's.
  private static func inCanonicalAxes(_ p: Point3) -> SIMD3<Double> { SIMD3(p.x, -p.y, -p.z) }
}
