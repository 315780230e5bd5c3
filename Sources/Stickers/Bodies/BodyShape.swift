import Faces
import Glibc
import Pixels

/// The vertices and triangles of a body, in head coordinates relative to its anchor.
struct BodyShape {
  private(set) var positions: [Point3] = []
  /// Unit vectors out of the surface.
  private(set) var normals: [Point3] = []
  private(set) var textureCoordinates: [Point] = []
  private(set) var triangles: [FaceTopology.Triangle] = []
  /// For each vertex the first one at the same position: the two ends of a ring meet.
  private(set) var welded: [Int] = []
  /// Whether both sides are drawn.
  let isTwoSided: Bool

  /// Vertices around a ring.
  private static let segments = 40
  /// Vertices around the tube of a torus.
  private static let tubeSegments = 12
  /// Parts of a sheet across and down.
  private static let (columns, lines) = (12, 8)

  /// `aspectRatio` is the height of a sheet, as a fraction of the distance of `from` and `to`.
  init(_ body: StickerBody, aspectRatio: Double) {
    switch body.shape {
    case .lathe(let profile):
      isTwoSided = false
      addRings(body, profile, isClosed: false)
    case .torus(let thickness):
      isTwoSided = false
      let half = (body.to - body.from).length / 2
      let tube = min(thickness / 2, half / 2)
      let profile = (0...Self.tubeSegments).map { k in
        let angle = .pi * (1 - 2 * Double(k) / Double(Self.tubeSegments))
        return Point(x: 1 - (tube - tube * cos(angle)) / max(half, 1e-9), y: tube * sin(angle))
      }
      addRings(body, profile, isClosed: true)
    case .sheet(let bend):
      isTwoSided = true
      addSheet(body, bend, aspectRatio)
    }
  }

  /// Adds a surface of revolution.
  ///
  /// The left edge of the picture is behind, its middle in front.
  private mutating func addRings(_ body: StickerBody, _ profile: [Point], isClosed: Bool) {
    let half = (body.to - body.from).length / 2
    guard half > 0, let (right, up) = body.axes else { return }
    let (center, forward) = ((body.from + body.to) * 0.5, right.cross(up))
    let path = profile.map { Point(x: $0.x * half, y: $0.y) }
    let lengths = path.indices.map { $0 == 0 ? 0 : (path[$0] - path[$0 - 1]).length }
    let whole = max(lengths.reduce(0, +), 1e-9)
    var length = 0.0
    for (line, point) in path.enumerated() {
      length += lengths[line]
      let normal = Self.normal(of: path, at: line, isClosed: isClosed)
      for k in 0...Self.segments {
        let angle = 2 * .pi * Double(k % Self.segments) / Double(Self.segments)
        let (x, z) = (-sin(angle), -cos(angle))
        positions.append(
          center + right * (point.x * x) + up * point.y + forward * (point.x * body.depth * z))
        let own = right * (normal.x * x) + up * normal.y + forward * (normal.x * z / body.depth)
        normals.append(own.unit ?? up)
        textureCoordinates.append(
          Point(x: Double(k) / Double(Self.segments), y: length / whole))
        let isLast = isClosed && line == path.count - 1
        let first = isLast ? 0 : line * (Self.segments + 1)
        welded.append(point.x == 0 ? first : first + k % Self.segments)
      }
    }
    addTriangles(columns: Self.segments, lines: path.count - 1)
  }

  /// The direction out of a profile, to the left of its path; the mean of both sides of a corner.
  private static func normal(of path: [Point], at index: Int, isClosed: Bool) -> Point {
    let last = path.count - 1
    func left(_ a: Int, _ b: Int) -> Point {
      let way = path[b] - path[a]
      let length = way.length
      return length > 1e-9 ? Point(x: -way.y / length, y: way.x / length) : .zero
    }
    let before = index > 0 ? left(index - 1, index) : isClosed ? left(last - 1, last) : .zero
    let after = index < last ? left(index, index + 1) : isClosed ? left(0, 1) : .zero
    return before + after
  }

  private mutating func addSheet(_ body: StickerBody, _ bend: Point, _ aspectRatio: Double) {
    let across = body.to - body.from
    guard let downUnit = body.down.unit else { return }
    let down = downUnit * (across.length * aspectRatio)
    guard let out = (down * -1).unit.flatMap({ across.cross($0).unit }) else { return }
    let middle = (body.from + body.to) * 0.5
    for line in 0...Self.lines {
      for column in 0...Self.columns {
        let s = Double(column) / Double(Self.columns)
        let t = Double(line) / Double(Self.lines)
        let (x, y) = (2 * s - 1, 2 * t - 1)
        positions.append(
          middle + across * (x / 2) + down * (y / 2) - out * (bend.x * x * x + bend.y * y * y))
        let right = across - out * (4 * bend.x * x)
        let up = (down - out * (4 * bend.y * y)) * -1
        normals.append(right.cross(up).unit ?? out)
        textureCoordinates.append(Point(x: s, y: t))
        welded.append(welded.count)
      }
    }
    addTriangles(columns: Self.columns, lines: Self.lines)
  }

  private mutating func addTriangles(columns: Int, lines: Int) {
    for line in 0..<max(lines, 0) {
      for column in 0..<columns {
        let upper = line * (columns + 1) + column
        let lower = upper + columns + 1
        // At the axis a ring is a point.
        if welded[upper] != welded[upper + 1] {
          triangles.append(FaceTopology.Triangle(upper, lower, upper + 1))
        }
        if welded[lower] != welded[lower + 1] {
          triangles.append(FaceTopology.Triangle(upper + 1, lower, lower + 1))
        }
      }
    }
  }
}

extension StickerBody {
  /// The unit vectors from `from` to `to` and, perpendicular to it, against `down`; nil if these are
  /// parallel.
  var axes: (right: Point3, up: Point3)? {
    guard let right = (to - from).unit, let down = down.unit,
      let up = (right * down.dot(right) - down).unit
    else { return nil }
    return (right, up)
  }
}
