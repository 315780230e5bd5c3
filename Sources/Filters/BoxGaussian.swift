package import Pixels
package import Threads

/// A Gaussian of any width over a grid of cells of four values: three boxes each way, with the
/// outermost cells repeated.
///
/// Sums go along whole rows and whole columns, so that results are the same for every number of
/// threads.
package final class BoxGaussian {
  private typealias Cell = SIMD4<Float>

  /// What is blurred, in place.
  package let cells: Grid<SIMD4<Float>>
  private let other: Grid<SIMD4<Float>>
  private let columns, rows: Int
  /// Of each thread: a row with the padding at both ends, and the sums of columns.
  private let scratch = Grid<SIMD4<Float>>(of: .zero)

  package init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = Grid(width: columns, height: rows, of: .zero)
    other = Grid(width: columns, height: rows, of: .zero)
  }

  /// A box of `radius` whole cells on each side of the middle one, and a part of one more.
  private struct Box {
    let radius: Int
    let weight, scale: Float

    /// A third of a Gaussian's variance; that of a box with radius r is r (r + 1) / 3.
    init(sigma: Double) {
      let variance = sigma * sigma / 3
      radius = Int(((1 + 12 * variance).squareRoot() - 1) / 2)
      let r = Double(radius)
      // With the weight f at both ends: (r (r + 1) (2 r + 1) / 3 + 2 f (r + 1)^2) / (2 r + 1 + 2 f).
      let whole = 2 * r + 1
      let missing = variance * whole - r * (r + 1) * whole / 3
      let most = 2 * (r + 1) * (r + 1) - 2 * variance
      weight = Float(most > 0 ? min(max(missing / most, 0), 1) : 0)
      scale = 1 / Float(whole + 2 * Double(weight))
    }
  }

  /// Blurs by a standard deviation in cells.
  package func blur(sigma: Double, runner: any SliceRunner) {
    let box = Box(sigma: sigma)
    let padding = min(box.radius, columns) + 2
    let threads = max(1, runner.threadCount)
    scratch.resize(width: columns + 2 * padding, height: 2 * threads)
    runner.runPieces(rows, least: 8) { piece, rows in
      let line = scratch.row(2 * piece)
      for y in rows {
        let row = cells.row(y)
        for _ in 0..<3 { across(row, line, box, padding) }
      }
    }
    // Three passes end in the other grid; one more copy costs less than a fourth.
    runner.runPieces(columns, least: 16) { piece, columns in
      let sums = scratch.row(2 * piece + 1)[..<columns.count]
      down(cells, other, columns, sums, box)
      down(other, cells, columns, sums, box)
      down(cells, other, columns, sums, box)
      for y in 0..<rows { cells.row(y)[columns].copy(other.row(y)[columns]) }
    }
  }

  private func across(_ row: Row<Cell>, _ line: Row<Cell>, _ box: Box, _ padding: Int) {
    let n = row.count
    line[..<padding].fill(row[0])
    line[from: padding, count: n].copy(row)
    line[(padding + n)...].fill(row[n - 1])
    // Beyond a whole row all cells are its first or its last.
    let radius = min(box.radius, n)
    let beyond = Float(box.radius - radius)
    var sum = (row[0] + row[n - 1]) * beyond
    for x in padding - radius...padding + radius { sum += line[x] }
    // The ends of the window round the first cell.
    let left = line[from: padding - radius - 1, count: n + 1]
    let right = line[from: padding + radius + 1, count: n]
    for x in 0..<n {
      row[x] = (sum + (left[x] + right[x]) * box.weight) * box.scale
      sum += right[x] - left[x &+ 1]
    }
  }

  private func down(
    _ source: Grid<Cell>, _ target: Grid<Cell>, _ columns: Range<Int>, _ sums: Row<Cell>,
    _ box: Box
  ) {
    func row(_ y: Int) -> Row<Cell> { source.row(max(0, min(y, rows - 1)))[columns] }
    let radius = min(box.radius, rows)
    let beyond = Float(box.radius - radius)
    let (first, last) = (row(0), row(rows - 1))
    for x in 0..<sums.count { sums[x] = (first[x] + last[x]) * beyond }
    for y in -radius...radius {
      let line = row(y)
      for x in 0..<sums.count { sums[x] += line[x] }
    }
    for y in 0..<rows {
      let (above, below, leaving) = (
        row(y - radius - 1), row(y + radius + 1), row(y - radius)
      )
      let out = target.row(y)[columns]
      for x in 0..<sums.count {
        let sum = sums[x]
        out[x] = (sum + (above[x] + below[x]) * box.weight) * box.scale
        sums[x] = sum + (below[x] - leaving[x])
      }
    }
  }
}
