import Pixels

/// Where points of one picture are in the next: Lucas and Kanade's method on a pyramid, iterated, with
/// what does not find its way back left out.
///
/// After Lucas and Kanade, "An iterative image registration technique" (1981), and Bouguet's notes on
/// its pyramidal form (2001). For tests: slow and plain.
struct Flow {
  /// Half the window's side, in pixels of each level.
  private static let radius = 7
  private static let rounds = 12

  /// A picture's lightness, and halves of it.
  private let levels: [Plane]

  private struct Plane {
    let (width, height): (Int, Int)
    let codes: [Float]

    subscript(x: Int, y: Int) -> Float {
      codes[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
    }

    func sample(_ x: Double, _ y: Double) -> Float {
      let (left, top) = (x.rounded(.down), y.rounded(.down))
      let (a, b) = (Float(x - left), Float(y - top))
      let (i, j) = (Int(left), Int(top))
      let upper = self[i, j] * (1 - a) + self[i + 1, j] * a
      let lower = self[i, j + 1] * (1 - a) + self[i + 1, j + 1] * a
      return upper * (1 - b) + lower * b
    }

    /// Half as large, each pixel from sixteen (1 3 3 1).
    var half: Plane {
      let (w, h) = ((width + 1) / 2, (height + 1) / 2)
      let weights: [Float] = [1, 3, 3, 1]
      var sums = [Float](repeating: 0, count: w * h)
      for y in 0..<h {
        for x in 0..<w {
          for (j, b) in weights.enumerated() {
            for (i, a) in weights.enumerated() {
              sums[y * w + x] += a * b * self[2 * x + i - 1, 2 * y + j - 1] / 64
            }
          }
        }
      }
      return Plane(width: w, height: h, codes: sums)
    }
  }

  /// Reads the lightness of a picture whose first component it is.
  init(_ picture: OwnedPicture, width: Int, height: Int) {
    var codes = [Float](repeating: 0, count: width * height)
    picture.withPicture { picture in
      for y in 0..<height {
        for x in 0..<width { codes[y * width + x] = Float(picture.component(0)[x, y]) }
      }
    }
    let whole = Plane(width: width, height: height, codes: codes)
    levels = [whole, whole.half, whole.half.half]
  }

  /// Where a point of this picture is in `next`; nil where there is too little to go by, or where it
  /// does not come back to within a fifth of a pixel.
  func track(_ point: Point, to next: Flow) -> Point? {
    guard let there = reach(point, in: next), let back = next.reach(there, in: self) else {
      return nil
    }
    return (back - point).length < 0.2 ? there : nil
  }

  private func reach(_ point: Point, in next: Flow) -> Point? {
    var moved = Point(x: 0, y: 0)
    for (number, (here, there)) in zip(levels, next.levels).enumerated().reversed() {
      let scale = Double(1 << number)
      // A pixel's middle is at a half.
      let place = Point(x: point.x / scale - 0.5, y: point.y / scale - 0.5)
      guard
        let step = Self.step(
          from: here, at: place, to: there, Point(x: moved.x / scale, y: moved.y / scale))
      else { return nil }
      moved = Point(x: step.x * scale, y: step.y * scale)
    }
    return moved.length < 40 ? Point(x: point.x + moved.x, y: point.y + moved.y) : nil
  }

  private static func step(
    from here: Plane, at place: Point, to there: Plane, _ start: Point
  ) -> Point? {
    var window: [(x: Double, y: Double, code: Float, right: Float, down: Float)] = []
    var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
    for j in -radius...radius {
      for i in -radius...radius {
        let (x, y) = (place.x + Double(i), place.y + Double(j))
        let right = (here.sample(x + 1, y) - here.sample(x - 1, y)) / 2
        let down = (here.sample(x, y + 1) - here.sample(x, y - 1)) / 2
        window.append((x, y, here.sample(x, y), right, down))
        (xx, xy, yy) = (xx + right * right, xy + right * down, yy + down * down)
      }
    }
    let (determinant, trace) = (xx * yy - xy * xy, xx + yy)
    let least = trace / 2 - max(trace * trace / 4 - determinant, 0).squareRoot()
    // In every direction it changes by a code and a half a pixel, in the mean.
    guard least > 2.25 * Float(window.count) else { return nil }
    var moved = start
    for _ in 0..<rounds {
      var (a, b): (Float, Float) = (0, 0)
      for place in window {
        let change = place.code - there.sample(place.x + moved.x, place.y + moved.y)
        (a, b) = (a + change * place.right, b + change * place.down)
      }
      let step = Point(
        x: Double((yy * a - xy * b) / determinant), y: Double((xx * b - xy * a) / determinant))
      moved = moved + step
      if step.length < 0.005 { break }
    }
    return moved
  }
}
