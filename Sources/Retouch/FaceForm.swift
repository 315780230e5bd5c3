import Faces
import Pixels

/// The frame of a face's oval, to say where parts lie that the mesh does not name: -1 and 1 across
/// at its sides, -1 at the chin and 1 at the top.
struct FaceForm {
  let center: Point
  /// Unit vector from the chin to the top of the oval, and the one to its right.
  let up, right: Point
  let halfWidth, halfHeight: Double
  /// The wings of the nose, and where it ends over the upper lip.
  let nose: (left: Point, right: Point, end: Point)

  /// How far above the oval a forehead may reach, in heights of the oval: the mesh ends where hair
  /// begins on few heads.
  static let cap = 0.35

  /// Of an oval of the mesh with these points; nil for one without extent.
  ///
  /// `place` knows the other points by their numbers in `MeshIndex`.
  init?(_ oval: ArraySlice<Point>, _ place: (Int) -> Point) {
    let axis = place(MeshIndex.hairline) - place(MeshIndex.chin)
    nose = (
      place(MeshIndex.noseWings.left), place(MeshIndex.noseWings.right),
      place(MeshIndex.underNose)
    )
    guard axis.length > 1e-6 else { return nil }
    up = axis * (1 / axis.length)
    right = Point(x: -up.y, y: up.x)
    var (low, high) = (Point(x: .infinity, y: .infinity), Point(x: -.infinity, y: -.infinity))
    for point in oval {
      let (u, v) = (point.x * right.x + point.y * right.y, point.x * up.x + point.y * up.y)
      low = Point(x: min(low.x, u), y: min(low.y, v))
      high = Point(x: max(high.x, u), y: max(high.y, v))
    }
    halfWidth = (high.x - low.x) / 2
    halfHeight = (high.y - low.y) / 2
    guard halfWidth > 1e-6, halfHeight > 1e-6 else { return nil }
    center = right * ((low.x + high.x) / 2) + up * ((low.y + high.y) / 2)
  }

  /// A point of the picture in this frame: x across, y up.
  func place(_ point: Point) -> Point {
    let off = point - center
    return Point(
      x: (off.x * right.x + off.y * right.y) / halfWidth,
      y: (off.x * up.x + off.y * up.y) / halfHeight)
  }

  /// A point of the oval moved up as far as skin of the forehead may reach over it.
  func raised(_ point: Point) -> Point {
    let share = min(max(place(point).y, 0), 1)
    return point + up * (2 * halfHeight * Self.cap * share * share)
  }
}
