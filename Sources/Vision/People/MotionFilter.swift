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

  /// Change of luma in each cell, and its sums along rows; above and below them are rows of none.
  private let change: Grid<UInt16>
  private let sums: Grid<UInt16>
  /// The sum over each row.
  private let totals: Grid<Int32>

  init(columns: Int, rows: Int) {
    change = Grid(width: columns + 2 * Self.radius, height: rows, of: 0)
    sums = Grid(width: columns, height: rows + 2 * Self.radius, of: 0)
    totals = Grid(width: rows, height: 1, of: 0)
  }

  /// Measures how still the picture is; returns the mean change of the whole of it, in codes.
  func measure(
    _ now: borrowing Picture, _ before: borrowing Picture, into stillness: Grid<Float>,
    _ runner: any SliceRunner
  ) -> Float {
    let (new, old) = (now.plane(0), before.plane(0))
    let (columns, rows) = (stillness.width, stillness.height)
    let radius = Self.radius
    runner.runSlices(rows, minimumRows: 16) { _, rows in
      for y in rows {
        let line = change.row(y)
        totals.row(0)[y] = Self.difference(
          line[from: radius, count: columns], new.row(y)[..<columns], old.row(y)[..<columns])
        Self.sum(line, into: sums.row(y + radius))
      }
    }
    runner.runSlices(rows, minimumRows: 16) { _, range in
      for y in range {
        let (top, bottom) = (max(y - radius, 0), min(y + radius, rows - 1))
        // Windows are cut at the picture's ends; a share too small there errs towards motion by
        // nothing, for what is outside counts as still.
        let share = 1 / Float((bottom - top + 1) * min(2 * radius + 1, columns))
        Self.weigh(stillness.row(y), InlineArray { sums.row(y + $0) }, share)
      }
    }
    var total = 0
    for y in 0..<rows { total += Int(totals.row(0)[y]) }
    return Float(total) / Float(columns * rows)
  }

  /// Whether nothing has moved in cells of which this was measured.
  static func isStill(_ stillness: Row<Float>) -> Bool {
    var moved: Int32 = 0
    for x in 0..<stillness.count { moved |= stillness[x] < 1 ? 1 : 0 }
    return moved == 0
  }

  /// Writes how far samples lie apart; returns the sum of it.
  @inline(never)
  private static func difference(_ out: Row<UInt16>, _ a: Row<UInt8>, _ b: Row<UInt8>) -> Int32 {
    let n = out.count
    let (a, b) = (a[..<n], b[..<n])
    var total: Int32 = 0
    for x in 0..<n {
      let change = max(a[x], b[x]) &- min(a[x], b[x])
      out[x] = UInt16(change)
      total &+= Int32(change)
    }
    return total
  }

  @inline(never)
  private static func sum(_ line: Row<UInt16>, into out: Row<UInt16>) {
    let n = out.count
    let (a, b, c) = (line[..<n], line[from: 1, count: n], line[from: 2, count: n])
    let (d, e) = (line[from: 3, count: n], line[from: 4, count: n])
    for x in 0..<n { out[x] = a[x] &+ b[x] &+ c[x] &+ d[x] &+ e[x] }
  }

  /// How still cells are of whose windows five rows tell the sums.
  @inline(never)
  private static func weigh(_ out: Row<Float>, _ rows: InlineArray<5, Row<UInt16>>, _ share: Float)
  {
    let n = out.count
    let (a, b, c) = (rows[0][..<n], rows[1][..<n], rows[2][..<n])
    let (d, e) = (rows[3][..<n], rows[4][..<n])
    for x in 0..<n {
      let sum = a[x] &+ b[x] &+ c[x] &+ d[x] &+ e[x]
      out[x] = 1 - min(max((Float(sum) * share - still) * (1 / span), 0), 1)
    }
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
