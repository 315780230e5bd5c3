import Glibc
import Pixels
import Threads

/// Smooths a grid and keeps its edges: the recursive filter of domain transforms (Gastal and Oliveira,
/// ACM TOG 30(4), 2011).
///
/// Along rows and columns in turn, forth and back, each cell takes from its neighbour the less the
/// more the two differ.
struct EdgeSmoothing {
  /// Of steps between equal neighbours, in cells; and the difference that counts as much as a step.
  private let feedback: [Float]
  private let stiffness: Float

  /// `reach` is the deviation in cells, `contrast` the difference, 0...1, that is an edge.
  init(reach: Double, contrast: Double, rounds: Int = 2) {
    // Reaches of later rounds halve, so that no streaks are left (equation 14 there).
    feedback = (0..<rounds).map { round in
      let part =
        reach * 3.0.squareRoot() * pow(2, Double(rounds - round - 1))
        / (pow(4, Double(rounds)) - 1).squareRoot()
      return Float(2.0.squareRoot() / part)
    }
    stiffness = Float(reach / contrast)
  }

  /// Smooths `cells` by its own edges, as they were in `guide`; the two have one size.
  func apply(_ cells: Grid<Float>, guide: Grid<Float>, runner: any SliceRunner) {
    let (width, height) = (cells.width, cells.height)
    for rate in feedback {
      runner.runPieces(height) { _, rows in
        for y in rows { Self.along(cells.row(y), guide.row(y), rate, stiffness) }
      }
      runner.runPieces(width, least: 64) { _, columns in
        let (start, count) = (columns.lowerBound, columns.count)
        for y in 1..<max(height, 1) {
          Self.across(
            cells.row(y)[from: start, count: count], cells.row(y - 1)[from: start, count: count],
            guide.row(y)[from: start, count: count], guide.row(y - 1)[from: start, count: count],
            rate, stiffness)
        }
        for y in stride(from: height - 2, through: 0, by: -1) {
          Self.across(
            cells.row(y)[from: start, count: count], cells.row(y + 1)[from: start, count: count],
            guide.row(y)[from: start, count: count], guide.row(y + 1)[from: start, count: count],
            rate, stiffness)
        }
      }
    }
  }

  /// The share that a cell takes from its neighbour: exp(-d rate) as a fraction, which needs no
  /// call and is the same everywhere; within 2 % up to 1, and as good as 0 where exp is.
  @inline(__always)
  private static func share(_ difference: Float, _ rate: Float, _ stiffness: Float) -> Float {
    let d = (1 + abs(difference) * stiffness) * rate
    return 1 / (1 + d * (1 + d * (0.5 + d * 0.16667)))
  }

  @inline(never)
  private static func along(
    _ row: Row<Float>, _ guide: Row<Float>, _ rate: Float, _ stiffness: Float
  ) {
    let n = row.count
    for x in 1..<max(n, 1) {
      row[x] += (row[x - 1] - row[x]) * share(guide[x] - guide[x - 1], rate, stiffness)
    }
    for x in stride(from: n - 2, through: 0, by: -1) {
      row[x] += (row[x + 1] - row[x]) * share(guide[x] - guide[x + 1], rate, stiffness)
    }
  }

  @inline(never)
  private static func across(
    _ row: Row<Float>, _ before: Row<Float>, _ guide: Row<Float>, _ guideBefore: Row<Float>,
    _ rate: Float, _ stiffness: Float
  ) {
    let n = row.count
    let (before, guide, guideBefore) = (before[..<n], guide[..<n], guideBefore[..<n])
    for x in 0..<n {
      row[x] += (before[x] - row[x]) * share(guide[x] - guideBefore[x], rate, stiffness)
    }
  }
}
