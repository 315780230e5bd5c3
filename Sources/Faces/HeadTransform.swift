import Glibc
import Pixels

/// The position of a head before a camera with a vertical field of view of 63 degrees, whose centre
/// is that of the picture: the assumption of MediaPipe, which knows nothing of the camera either.
///
/// The matrix takes points of `CanonicalFace` to millimetres from the camera: x to the image's
/// right, y up, z toward the camera, so that a head has a negative z. Its distance is right if the
/// head is as large as the canonical one and the field of view is 63 degrees.
package enum HeadTransform {
  /// Half of the field of view, in degrees.
  private static let halfField = 31.5

  /// The matrix of a mesh in pixels of a picture of this size, four rows of four; nil for a
  /// degenerate mesh.
  ///
  /// The mesh is an orthographic view: its depths are those of a head in the plane at distance 1
  /// (MediaPipe, face_geometry, geometry_pipeline.cc). Its scale says how far that plane really is;
  /// points are then moved along the rays that they are seen on, and the scale is estimated again.
  package static func matrix(
    _ mesh: some MeshPoints, width: Double, height: Double
  ) -> [Float]? {
    guard width >= 1, height >= 1 else { return nil }
    let unit = 2 * tan(halfField * .pi / 180) / height
    let center = Point3(x: width / 2, y: height / 2, z: 0)
    func position(_ index: Int) -> SIMD3<Double> {
      let p = (mesh[index] - center) * unit
      return SIMD3(p.x, -p.y, p.z)
    }
    var offset = 0.0
    for index in 0..<Face.landmarkCount { offset += mesh[index].z }
    offset *= unit / Double(Face.landmarkCount)
    guard var fit = CanonicalFit({ position($0) * SIMD3(1, 1, -1) }), fit.scale > 0 else {
      return nil
    }
    var scale = 1.0
    for _ in 0..<2 {
      scale *= fit.scale
      let current = scale
      guard
        let next = CanonicalFit({ index in
          let p = position(index)
          let depth = (p.z - offset + 1) / current
          return SIMD3(p.x * depth, p.y * depth, -depth)
        }), next.scale > 0
      else { return nil }
      fit = next
    }
    return fit.matrix(unitsPerCentimetre: 10)
  }
}

/// The rotation, scale and translation that take the points of `CanonicalFace` nearest to others, by
/// weighted least squares.
struct CanonicalFit {
  /// The unit quaternion (w, x, y, z).
  let rotation: SIMD4<Double>
  let scale: Double
  let translation: SIMD3<Double>

  /// Fits the face to `position`, which gives a point by its number in the mesh; nil for a
  /// degenerate one.
  ///
  /// The rotation is a quaternion (Horn, "Closed-form solution of absolute orientation using unit
  /// quaternions", 1987).
  init?(_ position: (Int) -> SIMD3<Double>) {
    var total = 0.0
    var from = SIMD3<Double>()
    var to = from
    for anchor in CanonicalFace.anchors {
      total += anchor.weight
      from += anchor.weight * anchor.position
      to += anchor.weight * position(anchor.index)
    }
    from /= total
    to /= total
    // The rows of the covariance matrix: x, y and z of the canonical face, each with the mesh's.
    var (sx, sy, sz) = (SIMD3<Double>(), SIMD3<Double>(), SIMD3<Double>())
    var spread = 0.0
    for anchor in CanonicalFace.anchors {
      let a = anchor.position - from
      let b = anchor.weight * (position(anchor.index) - to)
      sx += a.x * b
      sy += a.y * b
      sz += a.z * b
      spread += anchor.weight * (a * a).sum()
    }
    guard let rotation = Self.rotation(sx, sy, sz) else { return nil }
    self.rotation = rotation
    let rows = Self.rows(rotation)
    // The sum of the products of the rotated points with the others.
    let products = SIMD3(
      rows.0.x * sx.x + rows.0.y * sy.x + rows.0.z * sz.x,
      rows.1.x * sx.y + rows.1.y * sy.y + rows.1.z * sz.y,
      rows.2.x * sx.z + rows.2.y * sy.z + rows.2.z * sz.z)
    scale = products.sum() / spread
    let turned = SIMD3((rows.0 * from).sum(), (rows.1 * from).sum(), (rows.2 * from).sum())
    translation = to - scale * turned
  }

  /// The quaternion for a covariance matrix with these rows.
  private static func rotation(
    _ sx: SIMD3<Double>, _ sy: SIMD3<Double>, _ sz: SIMD3<Double>
  ) -> SIMD4<Double>? {
    let size = ((sx * sx).sum() + (sy * sy).sum() + (sz * sz).sum()).squareRoot()
    guard size.isFinite, size > 1e-9 else { return nil }
    let (sx, sy, sz) = (sx / size, sy / size, sz / size)
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

  /// The rows of the rotation matrix of a unit quaternion.
  private static func rows(
    _ q: SIMD4<Double>
  ) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    let (w, x, y, z) = (q[0], q[1], q[2], q[3])
    return (
      SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
      SIMD3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
      SIMD3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    )
  }

  /// Four rows of four numbers.
  func matrix(unitsPerCentimetre units: Double) -> [Float] {
    let (a, b, c) = Self.rows(rotation)
    var numbers: [Float] = []
    for (row, shift) in [(a, translation.x), (b, translation.y), (c, translation.z)] {
      for value in [scale * row.x, scale * row.y, scale * row.z, units * shift] {
        numbers.append(Float(value))
      }
    }
    return numbers + [0, 0, 0, 1]
  }
}
