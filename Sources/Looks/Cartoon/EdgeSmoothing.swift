import Glibc
import Pixels
import Threads

/// Smooths a grid and keeps its edges: the recursive filter of domain transforms (Gastal and Oliveira,
/// ACM TOG 30(4), 2011).
///
/// Along rows and columns in turn, forth and back, each cell takes from its neighbour the less the
/// more the two differ.
final class EdgeSmoothing {
  /// Of steps between equal neighbours, in cells; and the difference that counts as much as a step.
  private let feedback: [Float]
  private let stiffness: Float
  /// Of each slice of a frame, shares of the rows that it works on at once.
  private let shares = Grid<Float>(of: 0)
  /// Rows that are worked on at once: along one, each cell waits for the one before.
  private static let lanes = 4

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
    let (width, height, lanes) = (cells.width, cells.height, Self.lanes)
    let rooms = lanes * runner.threadCount
    if shares.width != width || shares.height < rooms { shares.resize(width: width, height: rooms) }
    let shares = shares.rows
    for rate in feedback {
      runner.runPieces(height) { piece, rows in
        func room(_ lane: Int) -> Row<Float> { shares.row(piece * lanes + lane) }
        for top in stride(from: rows.lowerBound, to: rows.upperBound, by: lanes) {
          let count = min(lanes, rows.upperBound - top)
          for lane in 0..<count {
            Self.shares(room(lane), guide.row(top + lane), rate, stiffness)
          }
          if count == lanes {
            Self.along(
              (cells.row(top), cells.row(top + 1), cells.row(top + 2), cells.row(top + 3)),
              (room(0), room(1), room(2), room(3)))
          } else {
            for lane in 0..<count { Self.along(cells.row(top + lane), room(lane)) }
          }
        }
      }
      runner.runPieces(width, least: 64) { _, columns in
        func part(_ grid: Grid<Float>, _ y: Int) -> Row<Float> {
          grid.row(y)[from: columns.lowerBound, count: columns.count]
        }
        func take(_ y: Int, from before: Int) {
          Self.across(
            part(cells, y), part(cells, before), part(guide, y), part(guide, before), rate,
            stiffness)
        }
        for y in 1..<max(height, 1) { take(y, from: y - 1) }
        for y in stride(from: height - 2, through: 0, by: -1) { take(y, from: y + 1) }
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

  /// The shares between each cell of a row and the one before.
  @inline(never)
  private static func shares(
    _ shares: Row<Float>, _ guide: Row<Float>, _ rate: Float, _ stiffness: Float
  ) {
    let n = guide.count - 1
    guard n > 0 else { return }
    let (out, left, right) = (shares[1..<(n + 1)], guide[0..<n], guide[1..<(n + 1)])
    for x in 0..<n { out[x] = share(right[x] - left[x], rate, stiffness) }
  }

  /// Forth and back along a row.
  @inline(never)
  private static func along(_ row: Row<Float>, _ shares: Row<Float>) {
    let n = row.count
    for x in 1..<max(n, 1) { row[x] += (row[x - 1] - row[x]) * shares[x] }
    for x in stride(from: n - 2, through: 0, by: -1) {
      row[x] += (row[x + 1] - row[x]) * shares[x + 1]
    }
  }

  typealias Lanes = (Row<Float>, Row<Float>, Row<Float>, Row<Float>)

  /// The same along four rows at once.
  @inline(never)
  private static func along(_ rows: Lanes, _ shares: Lanes) {
    let n = rows.0.count
    let (a, b, c, d) = (rows.0[..<n], rows.1[..<n], rows.2[..<n], rows.3[..<n])
    let (k, l, m, o) = (shares.0[..<n], shares.1[..<n], shares.2[..<n], shares.3[..<n])
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
