/// A point or vector; x to the right, y down, in the unit its owner names.
@usableFromInline package struct Point: Sendable, Equatable {
  @usableFromInline package var x, y: Double

  @usableFromInline package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  package static let zero = Point(x: 0, y: 0)

  package static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
  package static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
  package static func * (a: Point, k: Double) -> Point { Point(x: a.x * k, y: a.y * k) }

  /// The point with both coordinates scaled, for example from normalized coordinates to pixels.
  package func scaled(x sx: Double, y sy: Double) -> Point { Point(x: x * sx, y: y * sy) }

  /// Distance from the origin.
  package var length: Double { (x * x + y * y).squareRoot() }
}

/// A point or vector in space; x to the right, y down, z away from the viewer, all in one unit.
package struct Point3: Sendable, Equatable {
  package var x, y, z: Double

  package init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  package static let zero = Point3(x: 0, y: 0, z: 0)

  package static func + (a: Point3, b: Point3) -> Point3 {
    Point3(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }
  package static func - (a: Point3, b: Point3) -> Point3 {
    Point3(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }
  package static func * (a: Point3, k: Double) -> Point3 {
    Point3(x: a.x * k, y: a.y * k, z: a.z * k)
  }

  package func dot(_ b: Point3) -> Double { x * b.x + y * b.y + z * b.z }
  package func cross(_ b: Point3) -> Point3 {
    Point3(x: y * b.z - z * b.y, y: z * b.x - x * b.z, z: x * b.y - y * b.x)
  }
  /// Distance from the origin.
  package var length: Double { dot(self).squareRoot() }
  /// The unit vector in this direction; nil for a vector of almost no length, or not finite.
  package var unit: Point3? {
    let length = length
    return length > 1e-9 && length.isFinite ? self * (1 / length) : nil
  }
  /// The orthographic projection along z.
  package var xy: Point { Point(x: x, y: y) }
}

/// An upright rectangle, by its top left corner and size.
package struct Rectangle: Sendable, Equatable {
  package var x, y, width, height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  package init(from corner: Point, to opposite: Point) {
    self.init(x: corner.x, y: corner.y, width: opposite.x - corner.x, height: opposite.y - corner.y)
  }

  package static let zero = Rectangle(x: 0, y: 0, width: 0, height: 0)

  package var center: Point { Point(x: x + width / 2, y: y + height / 2) }
  package var area: Double { width * height }
  package var maxX: Double { x + width }
  package var maxY: Double { y + height }

  /// The intersection; of size zero if the two are disjoint.
  package func intersection(_ other: Rectangle) -> Rectangle {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return Rectangle(
      x: left, y: top, width: max(0, min(maxX, other.maxX) - left),
      height: max(0, min(maxY, other.maxY) - top))
  }

  /// Area of the intersection over that of the union, 0...1; 0 when both are empty.
  package func iou(_ other: Rectangle) -> Double {
    let common = intersection(other).area
    let union = area + other.area - common
    return union > 0 ? common / union : 0
  }

  /// As `Point.scaled`.
  package func scaled(x sx: Double, y sy: Double) -> Rectangle {
    Rectangle(x: x * sx, y: y * sy, width: width * sx, height: height * sy)
  }
}

extension Sequence<Point> {
  /// The upper left and the lower right corner of the bounding box; infinite for no points.
  ///
  /// Inlinable, because an unspecialized generic loop would allocate for every point.
  @inlinable package var boundingCorners: (low: Point, high: Point) {
    var low = Point(x: .infinity, y: .infinity)
    var high = Point(x: -.infinity, y: -.infinity)
    for point in self {
      low = Point(x: Swift.min(low.x, point.x), y: Swift.min(low.y, point.y))
      high = Point(x: Swift.max(high.x, point.x), y: Swift.max(high.y, point.y))
    }
    return (low, high)
  }
}

/// A rectangle turned about its centre.
package struct Region: Sendable, Equatable {
  package var center: Point
  package var width, height: Double
  /// Radians, clockwise on the screen.
  package var angle: Double

  package init(center: Point, width: Double, height: Double, angle: Double = 0) {
    (self.center, self.width, self.height) = (center, width, height)
    self.angle = angle
  }
}

/// An affine map of the plane: x' = a x + c y + tx, y' = b x + d y + ty.
package struct Affine: Sendable, Equatable {
  package var a, b, c, d, tx, ty: Double

  package init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d) = (a, b, c, d)
    (self.tx, self.ty) = (tx, ty)
  }

  package static let identity = Affine(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  package func callAsFunction(_ p: Point) -> Point {
    Point(x: a * p.x + c * p.y + tx, y: b * p.x + d * p.y + ty)
  }

  /// Area of the image of a unit square, negative when the map mirrors.
  package var determinant: Double { a * d - b * c }

  /// The inverse map; nil if the map is singular or a number is not finite.
  package var inverse: Affine? {
    let det = determinant
    guard det.isFinite, abs(det) > 1e-12, tx.isFinite, ty.isFinite else { return nil }
    return Affine(
      a: d / det, b: -b / det, c: -c / det, d: a / det,
      tx: (c * ty - d * tx) / det, ty: (b * tx - a * ty) / det)
  }

  /// The composition: first `self`, then `next`.
  package func then(_ next: Affine) -> Affine {
    Affine(
      a: next.a * a + next.c * b, b: next.b * a + next.d * b,
      c: next.a * c + next.c * d, d: next.b * c + next.d * d,
      tx: next.a * tx + next.c * ty + next.tx, ty: next.b * tx + next.d * ty + next.ty)
  }
}
