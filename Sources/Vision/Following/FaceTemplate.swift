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
    fileprivate var patch = LumaPatch(side: FaceTemplate.side)
    fileprivate var window = LumaPatch(side: FaceTemplate.windowSide)
    fileprivate var coarse = [Float](
      repeating: 0, count: FaceTemplate.windowSide * FaceTemplate.windowSide / 4)
  }

  /// The picture pixels between two samples of a face.
  private static func step(_ box: Rectangle) -> Double {
    max(box.width, box.height) / Double(side)
  }

  /// The template of the face in `box`; nil if it has no contrast.
  init?(
    _ picture: borrowing Picture, _ view: UprightView, _ box: Rectangle, _ scratch: inout Scratch
  ) {
    scratch.patch.sample(picture, view, around: box.center, step: Self.step(box))
    values = scratch.patch.values
    halves = []
    guard values.standardize(minimum: Self.noContrast) else { return nil }
    updateHalves()
  }

  /// Adapts the template to the face in `box`.
  mutating func adapt(
    to picture: borrowing Picture, _ view: UprightView, _ box: Rectangle, _ scratch: inout Scratch
  ) {
    scratch.patch.sample(picture, view, around: box.center, step: Self.step(box))
    var new = scratch.patch.values
    guard new.standardize(minimum: Self.noContrast) else { return }
    for index in values.indices { values[index] += Self.adaptation * (new[index] - values[index]) }
    _ = values.standardize(minimum: Self.noContrast)
    updateHalves()
  }

  /// The best match within `reach` samples of the predicted box.
  func match(
    _ picture: borrowing Picture, _ view: UprightView, near box: Rectangle,
    _ scratch: inout Scratch
  ) -> Match {
    let step = Self.step(box)
    scratch.window.sample(picture, view, around: box.center, step: step)
    Self.downsample2x2(scratch.window.values, Self.windowSide, into: &scratch.coarse)
    // At half the resolution everywhere, then at full resolution around the best place.
    let (half, wide) = (Self.side / 2, Self.windowSide / 2)
    var best = (x: 0, y: 0, correlation: Float(-2))
    for y in 0...Self.reach {
      for x in 0...Self.reach {
        let found = Self.correlation(halves, half, scratch.coarse, wide, x, y)
        if found > best.correlation { best = (x, y, found) }
      }
    }
    let (left, top) = (2 * best.x, 2 * best.y)
    best.correlation = -2
    for y in max(0, top - 1)...min(2 * Self.reach, top + 1) {
      for x in max(0, left - 1)...min(2 * Self.reach, left + 1) {
        let found = correlation(scratch.window, x, y)
        if found > best.correlation { best = (x, y, found) }
      }
    }
    func peak(_ before: Float, _ after: Float) -> Double {
      // The vertex of the parabola through three values.
      let curvature = before - 2 * best.correlation + after
      guard curvature < -1e-6 else { return 0 }
      return Double(max(-0.5, min(0.5 * (before - after) / curvature, 0.5)))
    }
    var offset = Point(x: Double(best.x - Self.reach), y: Double(best.y - Self.reach))
    if best.x > 0, best.x < 2 * Self.reach {
      offset.x += peak(
        correlation(scratch.window, best.x - 1, best.y),
        correlation(scratch.window, best.x + 1, best.y))
    }
    if best.y > 0, best.y < 2 * Self.reach {
      offset.y += peak(
        correlation(scratch.window, best.x, best.y - 1),
        correlation(scratch.window, best.x, best.y + 1))
    }
    return Match(center: box.center + offset * step, correlation: Double(best.correlation))
  }

  private func correlation(_ window: LumaPatch, _ x: Int, _ y: Int) -> Float {
    Self.correlation(values, Self.side, window.values, Self.windowSide, x, y)
  }

  /// The normalized cross-correlation of a template with the part of a window at (x, y).
  private static func correlation(
    _ template: [Float], _ side: Int, _ window: [Float], _ width: Int, _ x: Int, _ y: Int
  ) -> Float {
    var (product, sum, square) = (
      SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero
    )
    for row in 0..<side {
      let (start, from) = (row * side, (y + row) * width + x)
      var column = 0
      while column < side {
        let (a, b) = (start + column, from + column)
        let t = SIMD4(template[a], template[a + 1], template[a + 2], template[a + 3])
        let w = SIMD4(window[b], window[b + 1], window[b + 2], window[b + 3])
        product += t * w
        sum += w
        square += w * w
        column += 4
      }
    }
    // The template has mean 0 and length 1.
    let total = sum.sum()
    let variance = square.sum() - total * total / Float(side * side)
    return variance > Float(side * side) ? product.sum() / variance.squareRoot() : 0
  }

  private mutating func updateHalves() {
    if halves.isEmpty { halves = Array(repeating: 0, count: values.count / 4) }
    Self.downsample2x2(values, Self.side, into: &halves)
    _ = halves.standardize(minimum: Self.noContrast)
  }

  /// Means of 2 x 2 values.
  private static func downsample2x2(_ values: [Float], _ side: Int, into half: inout [Float]) {
    let wide = side / 2
    for y in 0..<wide {
      for x in 0..<wide {
        let i = 2 * y * side + 2 * x
        half[y * wide + x] =
          0.25 * (values[i] + values[i + 1] + values[i + side] + values[i + side + 1])
      }
    }
  }
}
