import Faces
package import Pixels

/// A rectangle in head space, projected by a perspective camera.
///
/// Its corners are the upper left, upper right, lower left and lower right of a picture.
package struct Billboard: Sendable, Equatable {
  /// A corner: its position in pixels, with z its depth relative to the eyes, away from the camera;
  /// and its inverse depth, 1 at the eyes.
  package struct Corner: Sendable, Equatable {
    package var position: Point3
    package var inverseDepth: Double
  }

  package var corners: InlineArray<4, Corner>

  package static func == (a: Billboard, b: Billboard) -> Bool {
    (0..<4).allSatisfy { a.corners[$0] == b.corners[$0] }
  }

  /// Depth of the skull's axis, about which round items turn.
  private static let axis = -0.9

  /// The projection of `item` on `quad`; nil if it is not visible.
  init?(
    _ item: StickerItem, _ quad: StickerQuad, _ face: HeadFrame, aspectRatio: Double,
    _ adjustment: StickerPlacement.Adjustment
  ) {
    func adjusted(_ p: Point3) -> Point3 {
      Point3(
        x: p.x * face.relativeBreadth * adjustment.scale + item.offsetX + adjustment.offsetX,
        y: p.y * adjustment.scale + item.offsetY + adjustment.offsetY, z: p.z * adjustment.scale)
    }
    var (from, to) = (adjusted(quad.from), adjusted(quad.to))
    var downAxis = quad.down
    if quad.isRound {
      let turn = face.viewerRight
      func turned(_ p: Point3) -> Point3 {
        let z = p.z - Self.axis
        return Point3(
          x: p.x * turn.x - z * turn.y, y: p.y, z: p.x * turn.y + z * turn.x + Self.axis)
      }
      let middle = turned(Point3(x: 0, y: 0, z: 0))
      (from, to, downAxis) = (turned(from), turned(to), turned(downAxis) - middle)
    }
    let height = (to - from).length * item.scaleWidth * aspectRatio
    guard let downAxis = downAxis.unit, height.isFinite, height > 0 else { return nil }
    let down = downAxis * (height / 2)
    let vertices = [from - down, to - down, from + down, to + down] as InlineArray<4, Point3>
    let projection = HeadProjection(face, behind: HeadProjection.ears)
    corners = InlineArray { projection.project(vertices[$0]) }
    for index in 0..<4 {
      let corner = corners[index]
      guard corner.position.x.isFinite, corner.position.y.isFinite, corner.position.z.isFinite
      else {
        return nil
      }
    }
  }

  /// Mean depth of the corners, in pixels.
  var depth: Double {
    (corners[0].position.z + corners[1].position.z + corners[2].position.z + corners[3].position.z)
      / 4
  }

  /// The billboard moved by `offset` pixels.
  func moved(by offset: Point) -> Billboard {
    var moved = self
    for index in 0..<4 {
      moved.corners[index].position.x += offset.x
      moved.corners[index].position.y += offset.y
    }
    return moved
  }

  /// Its placement without perspective; nil if it is seen edge-on.
  var placement: StickerPlacement? {
    func middle(_ a: Int, _ b: Int) -> Point {
      (corners[a].position.xy + corners[b].position.xy) * 0.5
    }
    let (left, right, top, bottom) = (middle(0, 2), middle(1, 3), middle(0, 1), middle(2, 3))
    let (across, down) = (right - left, bottom - top)
    guard across.length > 1e-9 else { return nil }
    var placement = StickerPlacement(
      center: (left + right) * 0.5, width: across.length, height: down.length,
      axis: across * (1 / across.length))
    placement.down = down
    placement.billboard = self
    return placement
  }
}
