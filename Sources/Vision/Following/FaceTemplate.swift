import Pixels

/// The luma of a face, by which it is found again in the next picture.
///
/// Template matching by normalized cross-correlation (J. Lewis, "Fast Normalized Cross-Correlation",
/// 1995).
struct FaceTemplate {
  /// Samples along the face, and how many of them it may move between two pictures beside its
  /// prediction.
  private static let side = 24, reach = 8
  private static let windowSide = side + 2 * reach
  /// The weight of each new picture in the template.
  private static let adaptation: Float = 0.1

  /// Values whose squares sum up to no more are all alike.
  private static let noContrast: Float = 1e-6

  /// Mean 0 and length 1; and the same at half the resolution.
  private var values: [Float]
  private var halves: [Float]

  /// Where a template was found.
  struct Match {
    let center: Point
    /// Normalized cross-correlation, -1...1.
    let correlation: Double
  }

  /// Memory for matching, shared by all templates of a stream.
  struct Scratch {
    fileprivate let patch = LumaPatch(side: FaceTemplate.side)
    // Correlations are computed for eight columns at once, some of them beyond the window.
    fileprivate let window = LumaPatch(side: FaceTemplate.windowSide, padding: 8)
    fileprivate let coarse = Grid<Float>(
      width: FaceTemplate.windowSide / 2 + 8, height: FaceTemplate.windowSide / 2, of: 0)
  }

  /// The picture pixels between two samples of a face.
  private static func step(_ box: Rectangle) -> Double {
    max(box.width, box.height) / Double(side)
  }

  /// The template of the face in `box`; nil if it has no contrast.
  init?(
    _ picture: borrowing Picture, _ view: UprightView, _ box: Rectangle, _ scratch: Scratch
  ) {
    scratch.patch.sample(picture, view, around: box.center, step: Self.step(box))
    values = Self.values(scratch.patch.samples)
    halves = []
    guard values.standardize(minimum: Self.noContrast) else { return nil }
    updateHalves()
  }

  /// Adapts the template to the face in `box`.
  mutating func adapt(
    to picture: borrowing Picture, _ view: UprightView, _ box: Rectangle, _ scratch: Scratch
  ) {
    scratch.patch.sample(picture, view, around: box.center, step: Self.step(box))
    var new = Self.values(scratch.patch.samples)
    guard new.standardize(minimum: Self.noContrast) else { return }
    for index in values.indices { values[index] += Self.adaptation * (new[index] - values[index]) }
    _ = values.standardize(minimum: Self.noContrast)
    updateHalves()
  }

  /// The best match within `reach` samples of the predicted box.
  func match(
    _ picture: borrowing Picture, _ view: UprightView, near box: Rectangle,
    _ scratch: Scratch
  ) -> Match {
    let step = Self.step(box)
    scratch.window.sample(picture, view, around: box.center, step: step)
    Self.downsample2x2(scratch.window.samples, into: scratch.coarse)
    // At half the resolution everywhere, then at full resolution around the best place.
    var best = Place(x: 0, y: 0, correlation: -2)
    for y in 0...Self.reach {
      for x in [0, 8] where x <= Self.reach {
        let found = Self.correlations(halves, Self.side / 2, scratch.coarse, x, y)
        for lane in 0...min(7, Self.reach - x) where found[lane] > best.correlation {
          best = Place(x: x + lane, y: y, correlation: found[lane])
        }
      }
    }
    return refine(best, near: box, scratch.window.samples)
  }

  /// A place in the window.
  private struct Place {
    var x, y: Int
    var correlation: Float
  }

  /// The match at full resolution around a place at half the resolution.
  private func refine(_ coarse: Place, near box: Rectangle, _ window: Grid<Float>) -> Match {
    let last = 2 * Self.reach
    let (left, top) = (2 * coarse.x, 2 * coarse.y)
    let (first, above) = (max(0, left - 2), max(0, top - 2))
    var found = InlineArray<5, SIMD8<Float>>(repeating: SIMD8(repeating: -2))
    for y in above...min(last, top + 2) {
      found[y - above] = Self.correlations(values, Self.side, window, first, y)
    }
    func correlation(_ x: Int, _ y: Int) -> Float { found[y - above][x - first] }
    var best = Place(x: left, y: top, correlation: -2)
    for y in max(0, top - 1)...min(last, top + 1) {
      for x in max(0, left - 1)...min(last, left + 1) where correlation(x, y) > best.correlation {
        best = Place(x: x, y: y, correlation: correlation(x, y))
      }
    }
    func peak(_ before: Float, _ after: Float) -> Double {
      // The vertex of the parabola through three values.
      let curvature = before - 2 * best.correlation + after
      guard curvature < -1e-6 else { return 0 }
      return Double(max(-0.5, min(0.5 * (before - after) / curvature, 0.5)))
    }
    var offset = Point(x: Double(best.x - Self.reach), y: Double(best.y - Self.reach))
    if best.x > 0, best.x < last {
      offset.x += peak(correlation(best.x - 1, best.y), correlation(best.x + 1, best.y))
    }
    if best.y > 0, best.y < last {
      offset.y += peak(correlation(best.x, best.y - 1), correlation(best.x, best.y + 1))
    }
    return Match(
      center: box.center + offset * Self.step(box), correlation: Double(best.correlation))
  }

  /// The normalized cross-correlations of a template with the parts of a window at (x, y) and the
  /// seven places right of it.
  private static func correlations(
    _ template: [Float], _ side: Int, _ window: Grid<Float>, _ x: Int, _ y: Int
  ) -> SIMD8<Float> {
    var (product, sum, square) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    for row in 0..<side {
      let line = window.row(y + row)[from: x, count: side + 7]
      let start = row * side
      for column in 0..<side {
        let values = line.lanes(at: column)
        product += values * template[start + column]
        sum += values
        square += values * values
      }
    }
    // The template has mean 0 and length 1.
    let count = Float(side * side)
    let variance = square - sum * sum * (1 / count)
    var found = SIMD8<Float>.zero
    for lane in 0..<8 where variance[lane] > count {
      found[lane] = product[lane] / variance[lane].squareRoot()
    }
    return found
  }

  private static func values(_ samples: Grid<Float>) -> [Float] {
    var values: [Float] = []
    values.reserveCapacity(side * side)
    for y in 0..<side { values += Array(samples.row(y)[..<side]) }
    return values
  }

  private mutating func updateHalves() {
    if halves.isEmpty { halves = Array(repeating: 0, count: values.count / 4) }
    let half = Self.side / 2
    for y in 0..<half {
      for x in 0..<half {
        let i = 2 * y * Self.side + 2 * x
        halves[y * half + x] =
          0.25 * (values[i] + values[i + 1] + values[i + Self.side] + values[i + Self.side + 1])
      }
    }
    _ = halves.standardize(minimum: Self.noContrast)
  }

  /// Means of 2 x 2 samples of a window.
  private static func downsample2x2(_ window: Grid<Float>, into half: Grid<Float>) {
    for y in 0..<windowSide / 2 {
      let (out, top, bottom) = (half.row(y), window.row(2 * y), window.row(2 * y + 1))
      for x in 0..<windowSide / 2 {
        out[x] = 0.25 * (top[2 * x] + top[2 * x + 1] + bottom[2 * x] + bottom[2 * x + 1])
      }
    }
  }
}
