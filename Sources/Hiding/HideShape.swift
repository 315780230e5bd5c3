import Glibc
import Pixels

/// A rotated ellipse or rectangle, in pixels.
struct HideShape {
  private let center: Point
  /// Half of its width and height before rotation.
  private let halfSize: Point
  private let c, s: Double
  private let isEllipse: Bool
  /// Its bounding rectangle.
  let bounds: Rectangle

  /// The shape that hides an area.
  init(_ area: HiddenArea, _ settings: HideSettings) {
    let face = area.face
    let isWholeFrame = area.cause == .unknown
    let padding =
      isWholeFrame ? 0 : settings.margin * area.marginScale * face.width + area.errorBound
    center = face.center
    halfSize = Point(x: face.width / 2 + padding, y: face.height / 2 + padding)
    (c, s) = (cos(face.angle), sin(face.angle))
    isEllipse = settings.shape == .ellipse && !isWholeFrame
    let wide: Double
    let high: Double
    if isEllipse {
      (wide, high) = (hypot(halfSize.x * c, halfSize.y * s), hypot(halfSize.x * s, halfSize.y * c))
    } else {
      (wide, high) = (
        halfSize.x * abs(c) + halfSize.y * abs(s), halfSize.x * abs(s) + halfSize.y * abs(c)
      )
    }
    bounds = Rectangle(
      x: center.x - wide, y: center.y - high, width: 2 * wide, height: 2 * high)
  }

  /// The columns that it covers in rows from `low` to `high`, rounded outward; nil if none.
  ///
  /// It is evaluated at the ends of the range and every half pixel.
  func columns(from low: Double, to high: Double) -> ClosedRange<Double>? {
    let (top, bottom) = (max(low, bounds.y), min(high, bounds.maxY))
    guard top <= bottom else { return nil }
    var (left, right) = (Double.infinity, -Double.infinity)
    var y = top
    while true {
      if let found = columns(at: y) {
        left = min(left, found.lowerBound)
        right = max(right, found.upperBound)
      }
      guard y < bottom else { break }
      y = min(y + 0.5, bottom)
    }
    return left <= right ? (left - 0.5)...(right + 0.5) : nil
  }

  private func columns(at y: Double) -> ClosedRange<Double>? {
    let dy = y - center.y
    return isEllipse ? ellipseColumns(dy) : rectangleColumns(dy)
  }

  /// Solves (dx c + dy s)^2 / a^2 + (dy c - dx s)^2 / b^2 <= 1 for dx.
  private func ellipseColumns(_ dy: Double) -> ClosedRange<Double>? {
    let (p, q) = (1 / (halfSize.x * halfSize.x), 1 / (halfSize.y * halfSize.y))
    let square = c * c * p + s * s * q
    let middle = dy * c * s * (q - p) / square
    let discriminant = (1 - dy * dy * (s * s * p + c * c * q)) / square + middle * middle
    // At the top and bottom rounding may give a small negative value.
    guard discriminant > -1e-6, square > 0 else { return nil }
    let halfWidth = max(discriminant, 0).squareRoot()
    return (center.x + middle - halfWidth)...(center.x + middle + halfWidth)
  }

  /// Solves |dx c + dy s| <= a and |dy c - dx s| <= b for dx.
  private func rectangleColumns(_ dy: Double) -> ClosedRange<Double>? {
    var (left, right) = (-bounds.width / 2, bounds.width / 2)
    for (slope, offset, limit) in [(c, dy * s, halfSize.x), (-s, dy * c, halfSize.y)] {
      if abs(slope) < 1e-9 {
        guard abs(offset) <= limit + 1e-6 else { return nil }
        continue
      }
      let (a, b) = ((-limit - offset) / slope, (limit - offset) / slope)
      left = max(left, min(a, b))
      right = min(right, max(a, b))
    }
    return left <= right + 1e-6
      ? (center.x + min(left, right))...(center.x + max(left, right)) : nil
  }
}
