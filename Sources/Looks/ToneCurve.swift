/// A monotone cubic interpolation of a few points, extrapolated linearly.
///
/// Slopes: Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5, 1984).
package struct ToneCurve: Sendable {
  private let xs, ys, slopes: [Double]

  /// At least two points, in strictly ascending order of x.
  package init(_ points: (x: Double, y: Double)...) {
    precondition(points.count >= 2)
    let xs = points.map(\.x)
    let ys = points.map(\.y)
    var chords: [Double] = []
    for index in 1..<xs.count {
      chords.append((ys[index] - ys[index - 1]) / (xs[index] - xs[index - 1]))
    }
    slopes = xs.indices.map { index in
      guard index > 0, index < chords.count else { return chords[min(index, chords.count - 1)] }
      let (a, b) = (chords[index - 1], chords[index])
      guard a * b > 0 else { return 0 }
      let (h, k) = (xs[index] - xs[index - 1], xs[index + 1] - xs[index])
      let weight = (h + 2 * k) / (3 * (h + k))
      return a * b / (weight * b + (1 - weight) * a)
    }
    (self.xs, self.ys) = (xs, ys)
  }

  package func callAsFunction(_ x: Double) -> Double {
    let last = xs.count - 1
    if x <= xs[0] { return ys[0] + (x - xs[0]) * slopes[0] }
    if x >= xs[last] { return ys[last] + (x - xs[last]) * slopes[last] }
    var index = 0
    while x > xs[index + 1] { index += 1 }
    let width = xs[index + 1] - xs[index]
    let t = (x - xs[index]) / width
    let u = 1 - t
    // Hermite basis.
    let ends = (1 + 2 * t) * u * u * ys[index] + t * t * (3 - 2 * t) * ys[index + 1]
    return ends + width * t * u * (u * slopes[index] - t * slopes[index + 1])
  }
}
