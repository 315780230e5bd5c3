import Faces
import Glibc
import Pixels

/// Eases the placements of a face's stickers when it gets or loses its mesh: the box's points are
/// elsewhere, so that a hat would jump.
///
/// At the change it keeps the similarity from the new head to the old one, and applies less and less
/// of it in the frames that follow.
struct PlacementBlend {
  /// The frames that a change takes.
  static let frames = 5

  private struct Head {
    var hasMesh: Bool
    var origin, axis: Point
    var unit: Double
  }

  private var last: Head?
  /// The similarity from the new head to the old one: the offset in units of the new head, the angle,
  /// and the logarithm of the scale.
  private var offset = Point.zero
  private var angle = 0.0
  private var growth = 0.0
  /// The frames that are left, this one included.
  private var left = 0
  private var head: Head?

  mutating func reset() { (last, left) = (nil, 0) }

  /// Sets the head of the next frame.
  mutating func update(_ frame: HeadFrame?) {
    left = max(left - 1, 0)
    guard let frame else {
      (last, head) = (nil, nil)
      return
    }
    let now = Head(
      hasMesh: frame.mesh != nil, origin: frame.origin.xy, axis: frame.axis, unit: frame.unit)
    if let last, last.hasMesh != now.hasMesh, now.unit > 0, last.unit > 0 {
      offset = (last.origin - now.origin) * (1 / now.unit)
      angle =
        atan2(last.axis.y, last.axis.x) - atan2(now.axis.y, now.axis.x)
      angle = angle.remainder(dividingBy: 2 * .pi)
      growth = log(last.unit / now.unit)
      // Another head would be an error of tracking.
      let isSame = offset.length < 2 && abs(growth) < 1 && offset.length.isFinite
      left = isSame ? Self.frames : 0
    }
    (last, head) = (now, now)
  }

  /// The placement with what is left of the change.
  func applied(to placement: StickerPlacement) -> StickerPlacement {
    guard left > 1, let head else { return placement }
    let weight = Double(left - 1) / Double(Self.frames)
    let scale = exp(growth * weight)
    let turn = Point(x: cos(angle * weight), y: sin(angle * weight))
    let shift = offset * (head.unit * weight)
    func turned(_ p: Point) -> Point {
      Point(x: turn.x * p.x - turn.y * p.y, y: turn.y * p.x + turn.x * p.y)
    }
    func moved(_ p: Point) -> Point { head.origin + shift + turned(p - head.origin) * scale }
    var placement = placement
    placement.center = moved(placement.center)
    placement.width *= scale
    placement.height *= scale
    placement.axis = turned(placement.axis)
    placement.down = placement.down.map { turned($0) * scale }
    placement.body = placement.body?.transformed(
      turn: turn, scale: scale, about: head.origin, offset: shift)
    placement.bodyDepth *= scale
    guard var billboard = placement.billboard else { return placement }
    for index in 0..<4 {
      let position = moved(billboard.corners[index].position.xy)
      billboard.corners[index].position.x = position.x
      billboard.corners[index].position.y = position.y
      billboard.corners[index].position.z *= scale
    }
    placement.billboard = billboard
    return placement
  }
}
