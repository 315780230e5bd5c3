import Glibc
import Pixels

/// What all points of a face do together from one picture to the next: they are carried, turned in
/// the picture's plane and made larger or smaller, as least squares say.
struct SharedMotion {
  private let from: Point
  private let to: Point
  /// The scale times the cosine, and times the sine, of the turn.
  private let turn: Point

  /// Two lists of the same points; without any, or of points that are all one, nothing turns.
  init(from old: [Point3], to new: [Point3]) {
    let count = Double(max(old.count, 1))
    var (from, to) = (Point.zero, Point.zero)
    for index in old.indices {
      (from, to) = (from + old[index].flat, to + new[index].flat)
    }
    (from, to) = (from * (1 / count), to * (1 / count))
    var (spread, along, across) = (0.0, 0.0, 0.0)
    for index in old.indices {
      let (a, b) = (old[index].flat - from, new[index].flat - to)
      spread += a.x * a.x + a.y * a.y
      along += a.x * b.x + a.y * b.y
      across += a.x * b.y - a.y * b.x
    }
    (self.from, self.to) = (from, to)
    turn = spread > 1e-6 ? Point(x: along / spread, y: across / spread) : Point(x: 1, y: 0)
  }

  /// Where a point is carried; its depth grows as the face does.
  func moved(_ point: Point3) -> Point3 {
    let (x, y) = (point.x - from.x, point.y - from.y)
    return Point3(
      x: to.x + turn.x * x - turn.y * y, y: to.y + turn.y * x + turn.x * y,
      z: point.z * turn.length)
  }

  /// How fast a face moves as a whole, in face sizes a second.
  struct Speed {
    static let zero = Speed(carried: .zero, turned: .zero)
    private(set) var carried: Point
    /// Of points at the face's rim.
    private(set) var turned: Point

    var length: Double {
      let (a, b) = (carried.length, turned.length)
      return (a * a + b * b).squareRoot()
    }

    mutating func approach(_ new: Speed, by share: Double) {
      carried = carried + (new.carried - carried) * share
      turned = turned + (new.turned - turned) * share
    }
  }

  func speed(size: Double, seconds: Double) -> Speed {
    Speed(
      carried: (to - from) * (1 / (size * seconds)),
      turned: Point(x: turn.x - 1, y: turn.y) * (0.5 / seconds))
  }
}
