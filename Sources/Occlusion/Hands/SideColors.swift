import Pixels

/// The local colours on both sides of a hand's outline, by which cells near it are told apart.
///
/// Keeps its memory from face to face. It looks at every second cell of every second row.
final class SideColors {
  private static let side = FaceCrop.side / 2
  private typealias Plane = Grid<SIMD4<Float>>

  /// Sums in a window: of colours surely in the hand with their number, of those surely not, and of
  /// squares of both.
  private let inside = Plane(width: side, height: side, of: .zero)
  private let outside = Plane(width: side, height: side, of: .zero)
  private let squares = Plane(width: side, height: side, of: .zero)
  private let line = Plane(width: side, height: 3, of: .zero)
  private let columns = Plane(width: side, height: 1, of: .zero)

  /// The distances in millimetres from which a cell is surely in the hand, and surely not.
  private static let surelyInside: Float = -3, surelyOutside: Float = 6
  /// The variance of noise, in squared codes.
  private static let noise: Float = 15
  /// The most evidence that colours give, and the distance in millimetres over which it falls.
  private static let limit: Float = 3, range: Float = 9
  /// The part of a window that both sides need for full evidence.
  private static let fullPart: Float = 0.08

  private var inverseCount: Float = 0

  /// Measures the colours in windows of `radius` cells each way; `odds` are negative where the face is.
  func measure(
    _ crop: FaceCrop, distance: Grid<Float>, odds: Grid<Float>, radius: Int
  ) {
    let (columns, rows) = ((crop.columns + 1) / 2, (crop.rows + 1) / 2)
    for y in 0..<rows {
      let (colors, distances, chances) = (
        crop.colors.row(2 * y), distance.row(2 * y), odds.row(2 * y)
      )
      let (a, b, c) = (inside.row(y), outside.row(y), squares.row(y))
      for x in 0..<columns {
        // Smaller numbers sum more exactly.
        var color = colors[2 * x] - 128
        color.w = 1
        let d = distances[2 * x]
        let isInside = d < Self.surelyInside
        let isOutside = d > Self.surelyOutside && chances[2 * x] < 0
        a[x] = isInside ? color : .zero
        b[x] = isOutside ? color : .zero
        c[x] = isInside || isOutside ? color * color : .zero
      }
    }
    let reach = max(radius / 2, 2)
    for plane in [inside, outside, squares] { sum(plane, columns, rows, reach) }
    inverseCount = 1 / Float((2 * reach + 1) * (2 * reach + 1))
  }

  /// Replaces a plane by its sums over windows, clipped to it.
  private func sum(_ plane: Plane, _ width: Int, _ height: Int, _ reach: Int) {
    for y in 0..<height {
      let row = plane.row(y)
      let copy = line.row(0)
      copy.copy(row)
      var total = SIMD4<Float>.zero
      for x in 0..<min(reach, width) { total += copy[x] }
      for x in 0..<width {
        if x + reach < width { total += copy[x + reach] }
        if x - reach - 1 >= 0 { total -= copy[x - reach - 1] }
        row[x] = total
      }
    }
    sumColumns(plane, width, height, reach)
  }

  private func sumColumns(_ plane: Plane, _ width: Int, _ height: Int, _ reach: Int) {
    // Column by column in strips, so that a column's old values are kept beside the new ones.
    let (old, totals) = (history.rows, columns.row(0))
    for x in 0..<width { totals[x] = .zero }
    for y in 0..<min(reach, height) {
      let row = plane.row(y)
      for x in 0..<width { totals[x] += row[x] }
    }
    let depth = Self.historyRows
    for y in 0..<height {
      let row = plane.row(y)
      if y + reach < height {
        let below = plane.row(y + reach)
        for x in 0..<width { totals[x] += below[x] }
      }
      if y - reach - 1 >= 0 {
        let above = old.row((y - reach - 1) % depth)
        for x in 0..<width { totals[x] -= above[x] }
      }
      let keep = old.row(y % depth)
      for x in 0..<width {
        keep[x] = row[x]
        row[x] = totals[x]
      }
    }
  }

  /// More rows than a window reaches back.
  private static let historyRows = 32
  private let history = Plane(width: side, height: historyRows, of: .zero)

  /// The evidence, a logarithm of odds, that the colour of a cell at a distance from a hand, in
  /// millimetres, is the hand's: by normal distributions of both sides with one variance.
  func evidence(x: Int, y: Int, _ color: SIMD4<Float>, distance: Float) -> Float {
    let (a, b) = (inside.row(y / 2)[x / 2], outside.row(y / 2)[x / 2])
    let fewest = min(a.w, b.w)
    guard fewest > 0.5 else { return 0 }
    let (meanA, meanB) = (a / a.w, b / b.w)
    let spread = squares.row(y / 2)[x / 2] - meanA * meanA * a.w - meanB * meanB * b.w
    let variance = pointwiseMax(spread / (a.w + b.w), .zero) + Self.noise
    let own = color - 128
    let (toA, toB) = (own - meanA, own - meanB)
    let ratios = (toB * toB - toA * toA) / variance
    let likelihood = 0.5 * (ratios.x + ratios.y + ratios.z)
    let part = min(fewest * inverseCount / Self.fullPart, 1)
    let near = distance / Self.range
    // A bell without an exponential: 1 at the outline, under 0.02 from 2.5 ranges on.
    let square = near * near
    let weight = 1 / (1 + square + 0.5 * square * square + square * square * square / 6)
    return min(max(likelihood, -Self.limit), Self.limit) * weight * part
  }
}
