import Glibc
import Pixels
import Threads

/// Edge-preserving smoothing of a grid by the recursive filter of the domain transform (Gastal and
/// Oliveira, ACM TOG 30(4), 2011).
///
/// Passes alternate along rows and columns, forward and backward; the feedback weight decreases
/// with the difference of neighbours.
final class DomainTransformFilter {
  /// The decay per cell of each round, and the additional distance per unit of difference.
  private let feedback: [Float]
  private let stiffness: Float
  /// For each slice, the weights of the rows that it filters at once.
  private let weights = Grid<Float>(of: 0)
  /// The number of rows filtered at once: within one, each cell depends on the one before.
  private static let lanes = 4

  /// `sigma` is the spatial deviation in cells, `contrast` the range deviation, 0...1.
  init(sigma: Double, contrast: Double, rounds: Int = 2) {
    // Sigma halves each round, to avoid streaks (equation 14).
    feedback = (0..<rounds).map { round in
      let roundSigma =
        sigma * 3.0.squareRoot() * pow(2, Double(rounds - round - 1))
        / (pow(4, Double(rounds)) - 1).squareRoot()
      return Float(2.0.squareRoot() / roundSigma)
    }
    stiffness = Float(sigma / contrast)
  }

  /// Smooths `cells` by its own edges, as they were in `guide`; the two have one size.
  func apply(_ cells: Grid<Float>, guide: Grid<Float>, runner: any SliceRunner) {
    let (width, height, lanes) = (cells.width, cells.height, Self.lanes)
    let weightRows = lanes * runner.threadCount
    if weights.width != width || weights.height < weightRows {
      weights.resize(width: width, height: weightRows)
    }
    let weights = weights.rows
    for rate in feedback {
      runner.runSlices(height) { slice, rows in
        for top in stride(from: rows.lowerBound, to: rows.upperBound, by: lanes) {
          filterRowGroup(
            top..<min(top + lanes, rows.upperBound), cells, guide, weights, first: slice * lanes,
            rate)
        }
      }
      runner.runSlices(width, minimumRows: 64) { _, columns in
        func band(_ grid: Grid<Float>, _ y: Int) -> Row<Float> {
          grid.row(y)[from: columns.lowerBound, count: columns.count]
        }
        func update(_ y: Int, from previous: Int) {
          Self.filterColumns(
            band(cells, y), band(cells, previous), band(guide, y), band(guide, previous), rate,
            stiffness)
        }
        for y in 1..<max(height, 1) { update(y, from: y - 1) }
        for y in stride(from: height - 2, through: 0, by: -1) { update(y, from: y + 1) }
      }
    }
  }

  /// Smooths up to `lanes` rows along themselves; `first` is the first of their rows of weights.
  @inline(__always)
  private func filterRowGroup(
    _ rows: Range<Int>, _ cells: Grid<Float>, _ guide: Grid<Float>, _ weights: Grid<Float>.Rows,
    first: Int, _ rate: Float
  ) {
    func weightRow(_ lane: Int) -> Row<Float> { weights.row(first + lane) }
    let top = rows.lowerBound
    for lane in 0..<rows.count {
      Self.writeFeedbackWeights(weightRow(lane), guide.row(top + lane), rate, stiffness)
    }
    if rows.count == Self.lanes {
      Self.filterRows(
        (cells.row(top), cells.row(top + 1), cells.row(top + 2), cells.row(top + 3)),
        (weightRow(0), weightRow(1), weightRow(2), weightRow(3)))
    } else {
      for lane in 0..<rows.count { Self.filterRow(cells.row(top + lane), weightRow(lane)) }
    }
  }

  /// The feedback weight exp(-d rate) as a rational function, which needs no library call and is
  /// the same on all platforms; within 2 % for exponents up to 1.
  @inline(__always)
  private static func feedbackWeight(_ difference: Float, _ rate: Float, _ stiffness: Float)
    -> Float
  {
    let d = (1 + abs(difference) * stiffness) * rate
    return 1 / (1 + d * (1 + d * (0.5 + d * 0.16667)))
  }

  /// The weights between the cells of a row and their predecessors.
  @inline(never)
  private static func writeFeedbackWeights(
    _ weights: Row<Float>, _ guide: Row<Float>, _ rate: Float, _ stiffness: Float
  ) {
    let n = guide.count - 1
    guard n > 0 else { return }
    let (out, left, right) = (weights[1..<(n + 1)], guide[0..<n], guide[1..<(n + 1)])
    for x in 0..<n { out[x] = feedbackWeight(right[x] - left[x], rate, stiffness) }
  }

  /// Filters a row forward and backward.
  @inline(never)
  private static func filterRow(_ row: Row<Float>, _ weights: Row<Float>) {
    let n = row.count
    for x in 1..<max(n, 1) { row[x] += (row[x - 1] - row[x]) * weights[x] }
    for x in stride(from: n - 2, through: 0, by: -1) {
      row[x] += (row[x + 1] - row[x]) * weights[x + 1]
    }
  }

  typealias Lanes = (Row<Float>, Row<Float>, Row<Float>, Row<Float>)

  /// Filters four rows at once.
  @inline(never)
  private static func filterRows(_ rows: Lanes, _ weights: Lanes) {
    let n = rows.0.count
    let (a, b, c, d) = (rows.0[..<n], rows.1[..<n], rows.2[..<n], rows.3[..<n])
    let (k, l, m, o) = (weights.0[..<n], weights.1[..<n], weights.2[..<n], weights.3[..<n])
    guard n > 1 else { return }
    var last = SIMD4(a[0], b[0], c[0], d[0])
    for x in 1..<n {
      let own = SIMD4(a[x], b[x], c[x], d[x])
      last = own + (last - own) * SIMD4(k[x], l[x], m[x], o[x])
      (a[x], b[x], c[x], d[x]) = (last.x, last.y, last.z, last.w)
    }
    for x in stride(from: n &- 2, through: 0, by: -1) {
      let own = SIMD4(a[x], b[x], c[x], d[x])
      let y = x &+ 1
      last = own + (last - own) * SIMD4(k[y], l[y], m[y], o[y])
      (a[x], b[x], c[x], d[x]) = (last.x, last.y, last.z, last.w)
    }
  }

  @inline(never)
  private static func filterColumns(
    _ row: Row<Float>, _ previous: Row<Float>, _ guide: Row<Float>, _ guideBefore: Row<Float>,
    _ rate: Float, _ stiffness: Float
  ) {
    let n = row.count
    let (previous, guide, guideBefore) = (previous[..<n], guide[..<n], guideBefore[..<n])
    for x in 0..<n {
      row[x] += (previous[x] - row[x]) * feedbackWeight(guide[x] - guideBefore[x], rate, stiffness)
    }
  }
}
