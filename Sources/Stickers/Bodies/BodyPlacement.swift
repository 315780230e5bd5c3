import Faces
import Pixels

/// The place of a body in a picture.
package struct BodyPlacement: Sendable, Equatable {
  private let projection: HeadProjection
  /// Factors of its coordinates, and what is added to them, in pupil distances.
  private let scale, offset: Point3
  /// A similarity of the picture that follows the projection: a rotation and scale about the origin,
  /// and an offset in pixels.
  private var turn = Point(x: 1, y: 0)
  private var shift = Point.zero
  private var growth = 1.0

  /// The place of `body` on a head.
  ///
  /// It is as broad as the head, and one without an anchor as high.
  init(
    _ item: StickerItem, _ body: StickerBody, _ face: HeadFrame,
    _ adjustment: StickerPlacement.Adjustment
  ) {
    // As orthographic as the skull, which they surround.
    projection = HeadProjection(face, behind: HeadProjection.skull)
    let anchor = body.anchor.map { face.position($0) }
    let size = adjustment.scale
    scale = Point3(
      x: size * face.relativeBreadth, y: size * (anchor == nil ? face.relativeHeight : 1), z: size)
    let start = anchor ?? .zero
    offset = Point3(
      x: start.x + item.offsetX + adjustment.offsetX,
      y: start.y + item.offsetY + adjustment.offsetY,
      z: start.z)
  }

  /// A point of the body, in pixels with its depth; and its inverse depth.
  func project(_ p: Point3) -> Billboard.Corner {
    var corner = projection.project(
      Point3(x: p.x * scale.x, y: p.y * scale.y, z: p.z * scale.z) + offset)
    let (x, y) = (corner.position.x, corner.position.y)
    corner.position = Point3(
      x: growth * (turn.x * x - turn.y * y) + shift.x,
      y: growth * (turn.y * x + turn.x * y) + shift.y, z: corner.position.z * growth)
    return corner
  }

  /// A direction of the body as one of the picture.
  func direction(_ p: Point3) -> Point3 {
    let q = projection.direction(p)
    return Point3(x: turn.x * q.x - turn.y * q.y, y: turn.y * q.x + turn.x * q.y, z: q.z)
  }

  func moved(by offset: Point) -> BodyPlacement {
    var moved = self
    moved.shift = shift + offset
    return moved
  }

  /// The placement after a rotation by the angle with the cosine and sine `turn` and a scale, both
  /// about `center`, and then an offset in pixels.
  func transformed(turn by: Point, scale: Double, about center: Point, offset: Point)
    -> BodyPlacement
  {
    func turned(_ p: Point) -> Point {
      Point(x: by.x * p.x - by.y * p.y, y: by.y * p.x + by.x * p.y)
    }
    var new = self
    new.turn = turned(turn)
    new.shift = center + offset + turned(shift - center) * scale
    new.growth = growth * scale
    return new
  }
}

extension StickerPlacement {
  /// The bounding rectangle of a body on a head; nil if it is not finite.
  init?(
    _ item: StickerItem, _ body: StickerBody, _ face: HeadFrame,
    _ adjustment: StickerPlacement.Adjustment, aspectRatio: Double
  ) {
    let placement = BodyPlacement(item, body, face, adjustment)
    let (low, high) = body.bounds(aspectRatio: aspectRatio * item.scaleWidth)
    var (first, last) = (Point.zero, Point.zero)
    for index in 0..<8 {
      let corner = placement.project(
        Point3(
          x: index & 1 == 0 ? low.x : high.x, y: index & 2 == 0 ? low.y : high.y,
          z: index & 4 == 0 ? low.z : high.z)
      ).position
      guard corner.x.isFinite, corner.y.isFinite, corner.z.isFinite else { return nil }
      if index == 0 { (first, last) = (corner.xy, corner.xy) }
      first = Point(x: min(first.x, corner.x), y: min(first.y, corner.y))
      last = Point(x: max(last.x, corner.x), y: max(last.y, corner.y))
    }
    self.init(center: (first + last) * 0.5, width: last.x - first.x, height: last.y - first.y)
    self.body = placement
    bodyDepth = placement.project((low + high) * 0.5).position.z
  }
}

extension StickerBody {
  /// The corners of a box around it, in head coordinates.
  func bounds(aspectRatio: Double) -> (low: Point3, high: Point3) {
    let across = to - from
    let half = across.length / 2
    let middle = (from + to) * 0.5
    var reach: Point3
    func extent(_ p: Point3, _ length: Double) -> Point3 {
      Point3(x: abs(p.x) * length, y: abs(p.y) * length, z: abs(p.z) * length)
    }
    let axes = axes ?? (Point3(x: 1, y: 0, z: 0), Point3(x: 0, y: 1, z: 0))
    let out = axes.right.cross(axes.up)
    switch shape {
    case .lathe(let profile):
      var (radius, height) = (0.0, 0.0)
      for point in profile {
        radius = max(radius, abs(point.x) * half)
        height = max(height, abs(point.y))
      }
      reach =
        extent(axes.right, radius) + extent(axes.up, height) + extent(out, radius * depth)
    case .torus(let thickness):
      reach =
        extent(axes.right, half) + extent(axes.up, thickness / 2) + extent(out, half * depth)
    case .sheet(let bend):
      reach =
        extent(axes.right, half) + extent(down.unit ?? axes.up, half * abs(aspectRatio))
        + extent(out, abs(bend.x) + abs(bend.y))
    }
    return (middle - reach, middle + reach)
  }
}
