import Pixels
import Threads

/// Averages a mask in time where the picture does not move.
///
/// Plain averaging leaves ghosts behind what moves, and averaging by the mask's own certainty, as
/// MediaPipe's, lags there too; so the weight of the last mask falls to nothing where luma changed.
struct MotionFilter {
  /// Mean change of luma in a window, in codes, up to which nothing has moved, and the span from
  /// there to where everything has.
  private static let still: Float = 2
  private static let span: Float = 6
  /// Mean change over the whole picture that only a cut makes.
  static let cut: Float = 20
  /// Cells on each side of the middle one of a window.
  private static let radius = 2

  /// Change of luma in each cell; then summed along rows.
  private let change: Grid<Int32>
  private let sums: Grid<Int32>

  init(columns: Int, rows: Int) {
    change = Grid(width: columns + 2 * Self.radius, height: rows, of: 0)
    sums = Grid(width: columns, height: rows, of: 0)
  }

  /// Measures how still the picture is; returns the mean change of the whole of it, in codes.
  func measure(
    _ now: borrowing Picture, _ before: borrowing Picture, into stillness: Grid<Float>,
    _ runner: any SliceRunner
  ) -> Float {
    let (new, old) = (now.plane(0), before.plane(0))
    let (columns, rows) = (stillness.width, stillness.height)
    let radius = Self.radius
    runner.runPieces(rows, least: 16) { _, rows in
      for y in rows {
        let (a, b) = (new.row(y)[..<columns], old.row(y)[..<columns])
        let line = change.row(y)
        let inner = line[from: radius, count: columns]
        for x in 0..<columns { inner[x] = abs(Int32(a[x]) &- Int32(b[x])) }
        Self.sum(line, into: sums.row(y))
      }
    }
    runner.runPieces(rows, least: 16) { _, range in
      for y in range {
        let (top, bottom) = (max(y - radius, 0), min(y + radius, rows - 1))
        let out = stillness.row(y)
        // Windows are cut at the picture's ends; a share too small there errs towards motion by
        // nothing, for what is outside counts as still.
        let share = 1 / Float((bottom - top + 1) * min(2 * radius + 1, columns))
        out.fill(0)
        for row in top...bottom {
          let line = sums.row(row)[..<out.count]
          for x in 0..<out.count { out[x] += Float(line[x]) }
        }
        for x in 0..<out.count {
          out[x] = 1 - min(max((out[x] * share - Self.still) * (1 / Self.span), 0), 1)
        }
      }
    }
    var total: Int64 = 0
    for y in 0..<rows {
      let line = change.row(y)
      var sum: Int32 = 0
      for x in 0..<line.count { sum &+= line[x] }
      total += Int64(sum)
    }
    return Float(total) / Float(columns * rows)
  }

  private static func sum(_ line: Row<Int32>, into out: Row<Int32>) {
    let n = out.count
    let (a, b, c) = (line[..<n], line[from: 1, count: n], line[from: 2, count: n])
    let (d, e) = (line[from: 3, count: n], line[from: 4, count: n])
    for x in 0..<n { out[x] = a[x] &+ b[x] &+ c[x] &+ d[x] &+ e[x] }
  }

  /// Mixes `new` into `mask`: all of it where the picture moves, and 1 - `weight` where it is
  /// still.
  static func mix(
    _ new: Grid<Float>, into mask: Grid<Float>, _ stillness: Grid<Float>, weight: Float
  ) {
    for y in 0..<mask.height {
      let (m, p, k) = (mask.row(y), new.row(y)[..<mask.width], stillness.row(y)[..<mask.width])
      for x in 0..<m.count { m[x] = p[x] + (m[x] - p[x]) * (weight * k[x]) }
    }
  }
}
