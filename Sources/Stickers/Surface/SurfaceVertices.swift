import Pixels

/// The vertices of a mesh, a billboard or a body: positions in pixels of the picture, and inverse depths.
struct SurfaceVertices {
  private let points: [Point3]
  private let offset: Point
  private let focalLength: Double
  private let billboard: Billboard?
  private let body: Row<BodyVertex>?

  /// The vertices of a face on a picture of this size, moved by `offset`.
  ///
  /// Positions are orthographic; inverse depths are those for a camera whose distance is the
  /// picture's longer side.
  init(_ points: [Point3], offset: Point, width: Int, height: Int) {
    (self.points, self.offset) = (points, offset)
    focalLength = Double(max(width, height, 1))
    (billboard, body) = (nil, nil)
  }

  init(_ billboard: Billboard) {
    (points, offset, focalLength) = ([], .zero, 1)
    self.billboard = billboard
    body = nil
  }

  /// The vertices of a body, whose memory must outlive this.
  init(body: Row<BodyVertex>) {
    (points, offset, focalLength, billboard) = ([], .zero, 1, nil)
    self.body = body
  }

  /// The part of a billboard that shows the part from `low` to `high` of its picture, both as
  /// fractions.
  func cropped(from low: Point, to high: Point) -> SurfaceVertices {
    guard let billboard else { return self }
    var cropped = billboard
    for index in 0..<4 {
      let fraction = Point(x: index & 1 == 0 ? low.x : high.x, y: index < 2 ? low.y : high.y)
      // Positions times depths are linear on the billboard; positions are not.
      var (position, distance) = (Point3.zero, 0.0)
      for corner in 0..<4 {
        let weight =
          (corner & 1 == 0 ? 1 - fraction.x : fraction.x)
          * (corner < 2 ? 1 - fraction.y : fraction.y)
        let own = weight / billboard.corners[corner].inverseDepth
        position = position + billboard.corners[corner].position * own
        distance += own
      }
      cropped.corners[index] = Billboard.Corner(
        position: position * (1 / distance), inverseDepth: 1 / distance)
    }
    return SurfaceVertices(cropped)
  }

  /// Lengths in pixels of a billboard's upper and left side.
  var sides: (across: Double, down: Double) {
    guard let billboard else { return (0, 0) }
    let corners = billboard.corners
    return (
      (corners[1].position - corners[0].position).xy.length,
      (corners[2].position - corners[0].position).xy.length
    )
  }

  var count: Int { body?.count ?? (billboard == nil ? points.count : 4) }

  subscript(index: Int) -> (position: Point, inverseDepth: Double) {
    if let vertex = body?[index] {
      return (Point(x: vertex.x, y: vertex.y), vertex.inverseDepth)
    }
    if let billboard {
      let corner = billboard.corners[index]
      return (corner.position.xy, corner.inverseDepth)
    }
    let point = points[index]
    return (point.xy + offset, focalLength / max(focalLength + point.z, 0.1 * focalLength))
  }

  /// The depth of a mesh vertex in pixels.
  func depth(_ index: Int) -> Double { points[index].z }
}
