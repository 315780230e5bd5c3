import Faces
import Pixels

/// The position, direction and size of a hand in a frame, for stickers.
struct HandFrame {
  /// The unit of sizes on hands in pixels: two thirds of the palm's length, about a pupil distance of the person.
  let unit: Double
  private let palm, tip: (point: Point, up: Point)

  /// Nil for a hand of no size.
  init?(_ hand: TrackedHand, width: Int, height: Int) {
    guard hand.isUsable else { return nil }
    func place(_ index: Int) -> Point3 {
      let point = hand.landmarks[index]
      return Point3(
        x: Double(point.x) * Double(width), y: Double(point.y) * Double(height),
        z: Double(point.z) * Double(width))
    }
    let (wrist, index, middle, little) = (place(0), place(5), place(9), place(17))
    // In space, so that a sticker keeps its size when the hand turns; the palm's breadth stands for its length
    // where the hand points at the camera.
    let length = max((middle - wrist).length, Self.lengthByBreadth * (little - index).length)
    unit = Self.unitByLength * length
    guard unit > 0.5, unit.isFinite else { return nil }
    palm = (
      ((wrist + index + middle + place(13) + little) * 0.2).xy,
      Self.direction(wrist.xy, middle.xy)
    )
    tip = (place(8).xy, Self.direction(place(6).xy, place(8).xy))
  }

  private static let unitByLength = 2.0 / 3
  /// An adult's palm is 1.3 times as long, from the wrist, as its knuckles are wide.
  private static let lengthByBreadth = 1.3

  /// A unit vector; up where the points are the same.
  private static func direction(_ from: Point, _ to: Point) -> Point {
    let length = (to - from).length
    return length > 1e-6 ? (to - from) * (1 / length) : Point(x: 0, y: -1)
  }

  /// An anchor, and the unit vector to the right of one who looks from the wrist to the fingers; nil for anchors
  /// that are not on hands.
  func place(_ anchor: StickerAnchor) -> (point: Point, right: Point)? {
    switch anchor {
    case .palm: (palm.point, Point(x: -palm.up.y, y: palm.up.x))
    case .fingertip: (tip.point, Point(x: -tip.up.y, y: tip.up.x))
    default: nil
    }
  }
}

extension StickerPlacement {
  /// The placement of `item` on a hand; nil for items that are not on hands.
  static func onHand(
    _ item: StickerItem, _ hand: HandFrame, _ adjustment: Adjustment
  ) -> StickerPlacement? {
    guard case .anchor(let anchor) = item.attachment, let place = hand.place(anchor) else {
      return nil
    }
    return StickerPlacement(
      item, at: place.point, axis: place.right, unit: hand.unit,
      width: item.scaleWidth * hand.unit, adjustment)
  }
}
