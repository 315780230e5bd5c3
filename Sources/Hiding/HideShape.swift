import Glibc
import Pixels

/// An ellipse or a rectangle, turned, in pixels.
struct HideShape {
  private let center: Point
  /// Half of its width and of its height, before it is turned.
  private let half: Point
  private let c, s: Double
  private let isEllipse: Bool
  /// The upright rectangle around it.
  let bounds: Rectangle

  /// What is hidden of an area.
  init(_ area: HiddenArea, _ settings: HideSettings) {
    let face = area.face
    let isWhole = area.cause == .unknown
    let beyond = isWhole ? 0 : settings.margin * face.width + area.slack
    center = face.center
    half = Point(x: face.width / 2 + beyond, y: face.height / 2 + beyond)
    (c, s) = (cos(face.angle), sin(face.angle))
    isEllipse = settings.shape == .ellipse && !isWhole
    let wide: Double
    let high: Double
    if isEllipse {
      (wide, high) = (hypot(half.x * c, half.y * s), hypot(half.x * s, half.y * c))
    } else {
      (wide, high) = (half.x * abs(c) + half.y * abs(s), half.x * abs(s) + half.y * abs(c))
    }
    bounds = Rectangle(
      x: center.x - wide, y: center.y - high, width: 2 * wide, height: 2 * high)
  }

  /// The columns it covers in rows from `low` to `high`, a little more rather than less; nil where
  /// it covers none.
  ///
  /// Rows are looked at half a pixel apart, and at the edges of the range.
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
    return isEllipse ? ellipse(dy) : rectangle(dy)
  }

  /// Where (dx c + dy s)^2 / a^2 + (dy c - dx s)^2 / b^2 <= 1, solved for dx.
  private func ellipse(_ dy: Double) -> ClosedRange<Double>? {
    let (p, q) = (1 / (half.x * half.x), 1 / (half.y * half.y))
    let square = c * c * p + s * s * q
    let middle = dy * c * s * (q - p) / square
    let rest = (1 - dy * dy * (s * s * p + c * c * q)) / square + middle * middle
    // At the very top and bottom rounding may leave less than nothing.
    guard rest > -1e-6, square > 0 else { return nil }
    let reach = max(rest, 0).squareRoot()
    return (center.x + middle - reach)...(center.x + middle + reach)
  }

  /// Where |dx c + dy s| <= a and |dy c - dx s| <= b.
  private func rectangle(_ dy: Double) -> ClosedRange<Double>? {
    var (left, right) = (-bounds.width / 2, bounds.width / 2)
    for (slope, offset, limit) in [(c, dy * s, half.x), (-s, dy * c, half.y)] {
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
