import Faces
package import Pixels

/// The light on a head: a constant, and a part that grows linearly with the surface's normal.
///
/// These are the first four spherical harmonics of a diffuse surface (Basri and Jacobs, "Lambertian
/// reflectance and linear subspaces", 2003), relative to the mean of the skin.
package struct BodyLight: Sendable, Equatable {
  private var constant: Double
  private var direction: Point3

  /// Before a face is measured: from the viewer, and a little from above.
  package static let standard = BodyLight(
    constant: 0.72, direction: Point3(x: 0, y: -0.16, z: -0.36))

  /// Bounds of the gain.
  private static let (minimum, maximum) = (0.4, 1.45)

  /// The gain of a surface with this unit normal, in axes of the picture.
  func gain(_ normal: Point3) -> Double {
    max(Self.minimum, min(Self.maximum, constant + direction.dot(normal)))
  }

  /// The light moved by `weight`, 0...1, toward another one.
  func eased(toward other: BodyLight, _ weight: Double) -> BodyLight {
    BodyLight(
      constant: constant + (other.constant - constant) * weight,
      direction: direction + (other.direction - direction) * weight)
  }

  private init(constant: Double, direction: Point3) {
    (self.constant, self.direction) = (constant, direction)
  }

  /// Measures the light on the skin of a face at `points`, in pixels of `picture`; nil if too little of
  /// it lies in the picture.
  ///
  /// Least squares of the luma of skin over the normals, regularised by `standard`: a front view says
  /// little of the sides.
  package init?(_ points: [Point3], offset: Point, picture: borrowing Picture) {
    let target = SpriteTarget(picture)
    let isRGB = target.layout.family == .rgb
    let black = isRGB ? 0 : Double(target.colorimetry.lumaOffset)
    guard points.count >= Face.landmarkCount else { return nil }
    // Sums of products of (1, x, y, z), and those with the luma.
    var rows = (SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>())
    var (right, total, count) = (SIMD4<Double>(), 0.0, 0.0)
    for t in Self.skin {
      let (a, b, c) = (points[t.a], points[t.b], points[t.c])
      guard let normal = (b - a).cross(c - a).unit, normal.z < -0.2 else { continue }
      let middle = Point(x: (a.x + b.x + c.x) / 3, y: (a.y + b.y + c.y) / 3) + offset
      guard middle.x >= 0, middle.y >= 0, middle.x < Double(target.width),
        middle.y < Double(target.height)
      else { continue }
      let (x, y) = (Int(middle.x), Int(middle.y))
      func code(_ component: Int) -> Double { target.code(component, x: x, y: y) }
      let luma =
        (isRGB ? 0.2126 * code(0) + 0.7152 * code(1) + 0.0722 * code(2) : code(0)) - black
      let n = SIMD4(1, normal.x, normal.y, normal.z)
      (rows.0, rows.1) = (rows.0 + n * n.x, rows.1 + n * n.y)
      (rows.2, rows.3) = (rows.2 + n * n.z, rows.3 + n * n.w)
      right += n * luma
      total += luma
      count += 1
    }
    guard count >= 50, total > 8 * count else { return nil }
    let standard = Self.standard
    let prior = SIMD4(
      standard.constant, standard.direction.x, standard.direction.y, standard.direction.z)
    let weight = Self.regularisation * count
    right = right * (count / total) + prior * weight
    rows.0.x += weight
    rows.1.y += weight
    rows.2.z += weight
    rows.3.w += weight
    guard let found = Self.solve(rows, right) else { return nil }
    self.init(constant: found.x, direction: Point3(x: found.y, y: found.z, z: found.w))
  }

  /// Weight of `standard`, in measurements.
  private static let regularisation = 0.06

  /// The triangles of the mesh that are skin.
  private static let skin: [FaceTopology.Triangle] = {
    let features = Set(MeshIndex.features.joined())
    return FaceTopology.triangles.filter { features.isDisjoint(with: [$0.a, $0.b, $0.c]) }
  }()

  /// Solves a symmetric, positive definite system by elimination.
  private static func solve(
    _ rows: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>), _ right: SIMD4<Double>
  ) -> SIMD4<Double>? {
    var m: InlineArray<4, SIMD4<Double>> = [rows.0, rows.1, rows.2, rows.3]
    var b = right
    for k in 0..<4 {
      guard m[k][k] > 1e-9 else { return nil }
      for i in k + 1..<4 {
        let factor = m[i][k] / m[k][k]
        m[i] -= m[k] * factor
        b[i] -= b[k] * factor
      }
    }
    for k in (0..<4).reversed() {
      var sum = b[k]
      for j in k + 1..<4 { sum -= m[k][j] * b[j] }
      b[k] = sum / m[k][k]
    }
    let isFinite = b.x.isFinite && b.y.isFinite && b.z.isFinite && b.w.isFinite
    return isFinite ? b : nil
  }
}
