import Faces
import Pixels

/// The coordinate frame of a face's oval: x from -1 to 1 across, y from -1 at the chin to 1 at the
/// top.
struct OvalFrame {
  let center: Point
  /// The unit vectors from the chin to the top of the oval, and to its right.
  let up, right: Point
  let halfWidth, halfHeight: Double
  /// The wings of the nose, and its lower end.
  let nose: (left: Point, right: Point, end: Point)

  /// The maximum height of the forehead above the oval, in heights of the oval: the mesh often ends
  /// below the hairline.
  static let cap = 0.35

  /// The frame of an oval with these points; nil if it has no extent.
  ///
  /// `point` returns mesh points by their `MeshIndex`.
  init?(_ oval: ArraySlice<Point>, _ point: (Int) -> Point) {
    let axis = point(MeshIndex.hairline) - point(MeshIndex.chin)
    nose = (
      point(MeshIndex.noseWings.left), point(MeshIndex.noseWings.right),
      point(MeshIndex.underNose)
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

  /// The coordinates of a point of the picture: x across, y up.
  func coordinates(of point: Point) -> Point {
    let off = point - center
    return Point(
      x: (off.x * right.x + off.y * right.y) / halfWidth,
      y: (off.x * up.x + off.y * up.y) / halfHeight)
  }

  /// A point of the oval, raised to the maximum height of the forehead.
  func raisedToForehead(_ point: Point) -> Point {
    let height = min(max(coordinates(of: point).y, 0), 1)
    return point + up * (2 * halfHeight * Self.cap * height * height)
  }
}
