import Faces
package import Pixels

/// A rectangle in the head's space as a camera sees it: the corners of a picture, the upper left, the
/// upper right, the lower left and the lower right one.
package struct Billboard: Sendable, Equatable {
  /// A corner: where it is seen, in pixels, with its depth beside the eyes' in z, away from the
  /// camera; and how near it is beside them.
  package struct Corner: Sendable, Equatable {
    package var place: Point3
    package var inverseDepth: Double
  }

  package var corners: InlineArray<4, Corner>

  package static func == (a: Billboard, b: Billboard) -> Bool {
    (0..<4).allSatisfy { a.corners[$0] == b.corners[$0] }
  }

  /// Depths of the mesh, in pupil distances before and behind the eyes: within them places are the
  /// picture's own, as the mesh's are, so that glasses stay on ears; beyond, things shrink and grow
  /// as they do before a camera.
  private static let before = 0.6
  private static let behind = -1.1
  /// Depth of the axis that round things turn about: the skull's.
  private static let axis = -0.9

  /// The picture of `item` on `quad`, or nil where it is not seen.
  init?(
    _ item: StickerItem, _ quad: StickerQuad, _ face: HeadFrame, ratio: Double,
    _ adjustment: StickerPlacement.Adjustment
  ) {
    func place(_ p: Point3) -> Point3 {
      Point3(
        x: p.x * face.breadth * adjustment.scale + item.offsetX + adjustment.offsetX,
        y: p.y * adjustment.scale + item.offsetY + adjustment.offsetY, z: p.z * adjustment.scale)
    }
    var (from, to) = (place(quad.from), place(quad.to))
    var fall = quad.down
    if quad.isRound {
      let turn = face.viewerRight
      func turned(_ p: Point3) -> Point3 {
        let z = p.z - Self.axis
        return Point3(
          x: p.x * turn.x - z * turn.y, y: p.y, z: p.x * turn.y + z * turn.x + Self.axis)
      }
      let middle = turned(Point3(x: 0, y: 0, z: 0))
      (from, to, fall) = (turned(from), turned(to), turned(fall) - middle)
    }
    let height = (to - from).length * item.scaleWidth * ratio
    guard let fall = fall.unit, height.isFinite, height > 0 else { return nil }
    let down = fall * (height / 2)
    let places = [from - down, to - down, from + down, to + down] as InlineArray<4, Point3>
    let unit = face.unit
    corners = InlineArray { index in
      let p = places[index]
      let flat = face.right * (p.x * unit) + face.up * (p.y * unit)
      let all = flat + face.forward * (p.z * unit)
      let beyond = p.z > Self.before ? p.z - Self.before : p.z < Self.behind ? p.z - Self.behind : 0
      let far = (face.forward * (beyond * unit)).z
      func inverseDepth(_ depth: Double) -> Double {
        face.focalLength / max(face.focalLength + depth, 0.25 * face.focalLength)
      }
      let seen = all * inverseDepth(far)
      return Corner(
        place: Point3(
          x: face.origin.x + seen.x, y: face.origin.y + seen.y, z: face.origin.z + all.z),
        inverseDepth: inverseDepth(all.z))
    }
    for index in 0..<4 {
      let corner = corners[index]
      guard corner.place.x.isFinite, corner.place.y.isFinite, corner.place.z.isFinite else {
        return nil
      }
    }
  }

  /// How far away its middle is.
  var depth: Double {
    (corners[0].place.z + corners[1].place.z + corners[2].place.z + corners[3].place.z) / 4
  }

  /// The same elsewhere in the picture.
  func moved(by offset: Point) -> Billboard {
    var moved = self
    for index in 0..<4 {
      moved.corners[index].place.x += offset.x
      moved.corners[index].place.y += offset.y
    }
    return moved
  }

  /// Where it lies, but for perspective.
  var placement: StickerPlacement? {
    func middle(_ a: Int, _ b: Int) -> Point {
      (corners[a].place.flat + corners[b].place.flat) * 0.5
    }
    let (left, right, top, bottom) = (middle(0, 2), middle(1, 3), middle(0, 1), middle(2, 3))
    let (across, down) = (right - left, bottom - top)
    // Seen from its edge there is nothing of it.
    guard across.length > 1e-9 else { return nil }
    var placement = StickerPlacement(
      center: (left + right) * 0.5, width: across.length, height: down.length,
      axis: across * (1 / across.length))
    placement.down = down
    placement.billboard = self
    return placement
  }
}
