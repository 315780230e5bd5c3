import Pixels

/// Samples of luma on a square grid in the upright picture.
struct LumaPatch {
  let side: Int
  private(set) var values: [Float]

  init(side: Int) {
    self.side = side
    values = Array(repeating: 0, count: side * side)
  }

  /// Samples the picture at points `step` pixels apart around `center`, interpolated bilinearly and
  /// averaged over cells of that size; beyond the edge the nearest pixels are repeated.
  mutating func sample(
    _ picture: borrowing Picture, _ view: UprightView, around center: Point, step: Double
  ) {
    // Green has the largest weight in luma.
    let luma = picture.component(picture.format.family == .rgb ? 1 : 0)
    let toStored = view.toStoredPixels
    // A cell that is larger than two pixels would be aliased by one sample.
    let density = max(1, min(Int(step * 0.6), 4))
    let spacing = step / Double(density)
    let half = step * Double(side - 1) / 2 + spacing * Double(density - 1) / 2
    let origin = toStored(Point(x: center.x - half, y: center.y - half))
    let (right, down) = (
      toStored(Point(x: center.x - half + spacing, y: center.y - half)) - origin,
      toStored(Point(x: center.x - half, y: center.y - half + spacing)) - origin
    )
    let weight = 1 / Float(density * density)
    for row in 0..<side {
      for column in 0..<side {
        var sum: Float = 0
        for v in 0..<density {
          for u in 0..<density {
            let (x, y) = (Double(column * density + u), Double(row * density + v))
            sum += Self.interpolate(
              luma, origin.x + right.x * x + down.x * y, origin.y + right.y * x + down.y * y)
          }
        }
        values[row * side + column] = sum * weight
      }
    }
  }

  @inline(__always)
  private static func interpolate(_ luma: Component, _ x: Double, _ y: Double) -> Float {
    // False for NaN.
    let x = x > 0 ? min(x, Double(luma.width - 1)) : 0
    let y = y > 0 ? min(y, Double(luma.height - 1)) : 0
    let (left, top) = (Int(x), Int(y))
    let (next, below) = (min(left + 1, luma.width - 1), min(top + 1, luma.height - 1))
    let (u, v) = (Float(x - Double(left)), Float(y - Double(top)))
    let a = Float(luma[left, top]) * (1 - u) + Float(luma[next, top]) * u
    let b = Float(luma[left, below]) * (1 - u) + Float(luma[next, below]) * u
    return a * (1 - v) + b * v
  }
}
