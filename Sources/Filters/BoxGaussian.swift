package import Pixels
package import Threads

/// A Gaussian blur of any width over a grid of four channels, by three box filters in each
/// direction; edges are clamped.
///
/// Running sums cover whole rows and columns, so that results do not depend on the number of
/// threads.
package final class BoxGaussian {
  private typealias Cell = SIMD4<Float>

  /// The grid that is blurred in place.
  package let cells: Grid<SIMD4<Float>>
  private let other: Grid<SIMD4<Float>>
  private let columns, rows: Int
  /// For each thread: a row with padding at both ends, and column sums.
  private let scratch = Grid<SIMD4<Float>>(of: .zero)

  package init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = Grid(width: columns, height: rows, of: .zero)
    other = Grid(width: columns, height: rows, of: .zero)
  }

  /// A box of `radius` whole cells on each side of the centre, and a fraction of one more.
  private struct Box {
    let radius: Int
    let weight, scale: Float

    /// Each box has a third of the Gaussian's variance; a box of radius r has r (r + 1) / 3.
    init(sigma: Double) {
      let variance = sigma * sigma / 3
      radius = Int(((1 + 12 * variance).squareRoot() - 1) / 2)
      let r = Double(radius)
      // With the weight f at both ends: (r (r + 1) (2 r + 1) / 3 + 2 f (r + 1)^2) / (2 r + 1 + 2
      // f).
      let whole = 2 * r + 1
      let missing = variance * whole - r * (r + 1) * whole / 3
      let maximum = 2 * (r + 1) * (r + 1) - 2 * variance
      weight = Float(maximum > 0 ? min(max(missing / maximum, 0), 1) : 0)
      scale = 1 / Float(whole + 2 * Double(weight))
    }
  }

  /// Blurs by a standard deviation in cells.
  package func blur(sigma: Double, runner: any SliceRunner) {
    let box = Box(sigma: sigma)
    let padding = min(box.radius, columns) + 2
    let threads = max(1, runner.threadCount)
    scratch.resize(width: columns + 2 * padding, height: 2 * threads)
    runner.runSlices(rows, minimumRows: 8) { slice, rows in
      let line = scratch.row(2 * slice)
      for y in rows {
        let row = cells.row(y)
        for _ in 0..<3 { blurRow(row, line, box, padding) }
      }
    }
    // Three passes end in the other grid; copying back costs less than a fourth pass.
    runner.runSlices(columns, minimumRows: 16) { slice, columns in
      let sums = scratch.row(2 * slice + 1)[..<columns.count]
      blurColumns(cells, other, columns, sums, box)
      blurColumns(other, cells, columns, sums, box)
      blurColumns(cells, other, columns, sums, box)
      for y in 0..<rows { cells.row(y)[columns].copy(other.row(y)[columns]) }
    }
  }

  private func blurRow(_ row: Row<Cell>, _ line: Row<Cell>, _ box: Box, _ padding: Int) {
    let n = row.count
    line[..<padding].fill(row[0])
    line[from: padding, count: n].copy(row)
    line[(padding + n)...].fill(row[n - 1])
    // Cells beyond a whole row are copies of its first or last.
    let radius = min(box.radius, n)
    let edgeWeight = Float(box.radius - radius)
    var sum = (row[0] + row[n - 1]) * edgeWeight
    for x in padding - radius...padding + radius { sum += line[x] }
    // The ends of the first cell's window.
    let left = line[from: padding - radius - 1, count: n + 1]
    let right = line[from: padding + radius + 1, count: n]
    for x in 0..<n {
      row[x] = (sum + (left[x] + right[x]) * box.weight) * box.scale
      sum += right[x] - left[x &+ 1]
    }
  }

  private func blurColumns(
    _ source: Grid<Cell>, _ target: Grid<Cell>, _ columns: Range<Int>, _ sums: Row<Cell>,
    _ box: Box
  ) {
    func row(_ y: Int) -> Row<Cell> { source.row(max(0, min(y, rows - 1)))[columns] }
    let radius = min(box.radius, rows)
    let edgeWeight = Float(box.radius - radius)
    let (first, last) = (row(0), row(rows - 1))
    for x in 0..<sums.count { sums[x] = (first[x] + last[x]) * edgeWeight }
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
