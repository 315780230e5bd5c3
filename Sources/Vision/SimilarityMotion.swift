import Glibc
import Pixels

/// The similarity transform (translation, rotation in the picture's plane, scale) between the
/// points of a face in two pictures, by least squares.
struct SimilarityMotion {
  private let from: Point
  private let to: Point
  /// The scale times the cosine, and times the sine, of the rotation.
  private let scaledRotation: Point

  /// The transform from `old` to `new`, lists of the same points; it is a translation where all
  /// points coincide.
  init(from old: [Point3], to new: [Point3]) {
    let count = Double(max(old.count, 1))
    var (from, to) = (Point.zero, Point.zero)
    for index in old.indices {
      (from, to) = (from + old[index].xy, to + new[index].xy)
    }
    (from, to) = (from * (1 / count), to * (1 / count))
    var (squaredSize, dot, cross) = (0.0, 0.0, 0.0)
    for index in old.indices {
      let (a, b) = (old[index].xy - from, new[index].xy - to)
      squaredSize += a.x * a.x + a.y * a.y
      dot += a.x * b.x + a.y * b.y
      cross += a.x * b.y - a.y * b.x
    }
    (self.from, self.to) = (from, to)
    scaledRotation =
      squaredSize > 1e-6 ? Point(x: dot / squaredSize, y: cross / squaredSize) : Point(x: 1, y: 0)
  }

  /// The transformed point; its depth is scaled as well.
  func moved(_ point: Point3) -> Point3 {
    let (x, y) = (point.x - from.x, point.y - from.y)
    return Point3(
      x: to.x + scaledRotation.x * x - scaledRotation.y * y,
      y: to.y + scaledRotation.y * x + scaledRotation.x * y,
      z: point.z * scaledRotation.length)
  }

  /// The speed of a face as a whole, in face sizes a second.
  struct Speed {
    static let zero = Speed(translation: .zero, rotation: .zero)
    private(set) var translation: Point
    /// The speed of points at the outline of the face.
    private(set) var rotation: Point

    var length: Double {
      let (a, b) = (translation.length, rotation.length)
      return (a * a + b * b).squareRoot()
    }

    mutating func approach(_ new: Speed, by weight: Double) {
      translation = translation + (new.translation - translation) * weight
      rotation = rotation + (new.rotation - rotation) * weight
    }
  }

  func speed(size: Double, seconds: Double) -> Speed {
    Speed(
      translation: (to - from) * (1 / (size * seconds)),
      rotation: Point(x: scaledRotation.x - 1, y: scaledRotation.y) * (0.5 / seconds))
  }
}
