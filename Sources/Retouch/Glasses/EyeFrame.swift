import Faces
import Pixels

/// The coordinate frame of a face's eyes, in units of their distance on a frontal face.
///
/// x is from -0.5 at the centre of one eye to 0.5 at the other's, y is 0 there and grows upward.
struct EyeFrame {
  let center: Point
  /// The vectors of one unit in pixels.
  let across, up: Point
  /// The bridge of the nose, downward from near the brows.
  let bridge: (top: Point, root: Point, middle: Point, end: Point)
  private let tip: Point

  /// The distance from the hairline to the chin: 2.8 to 3.1 units on ten portraits.
  private static let height = 2.95
  /// How far the bridge begins above the root of the nose, toward the point between the brows.
  private static let bridgeTop = 0.4

  /// The frame of a mesh; nil if it has no area.
  ///
  /// `point` returns mesh points by their `MeshIndex`.
  init?(_ point: (Int) -> Point) {
    let corners = MeshIndex.eyeCorners
    let left = (point(corners.left[0]) + point(corners.left[1])) * 0.5
    let right = (point(corners.right[0]) + point(corners.right[1])) * 0.5
    center = (left + right) * 0.5
    across = right - left
    up = (point(MeshIndex.hairline) - point(MeshIndex.chin)) * (1 / Self.height)
    guard abs(across.x * up.y - across.y * up.x) > 1 else { return nil }
    let names = MeshIndex.noseBridge
    let root = point(MeshIndex.noseRoot)
    bridge = (
      root + (point(names.betweenBrows) - root) * Self.bridgeTop, root, point(names.middle),
      point(names.end)
    )
    tip = point(MeshIndex.noseTip)
  }

  /// x of the tip of the nose: 0 on a frontal face, 0.15 to 0.2 on one turned by 14 degrees.
  var noseTip: Double { coordinates(of: tip).x }

  /// The coordinates of a point of the picture.
  func coordinates(of point: Point) -> Point {
    let off = point - center
    let scale = 1 / (across.x * up.y - across.y * up.x)
    return Point(
      x: (off.x * up.y - off.y * up.x) * scale, y: (off.y * across.x - off.x * across.y) * scale)
  }
}
