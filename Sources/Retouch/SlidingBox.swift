import Pixels
import Threads

/// A plane, for as long as it lives, and the windows whose sums are wanted.
struct Window {
  let plane: Grid<UInt16>.Rows
  /// Values on each side of the middle one, at most `SlidingBox.maximumRadius`.
  let radius: Int
  /// Whether squares are summed.
  let isSquared: Bool

  init(_ plane: Grid<UInt16>, _ radius: Int, isSquared: Bool = false) {
    (self.plane, self.radius, self.isSquared) = (plane.rows, radius, isSquared)
  }
}

/// What turns sums into means: 1 over how many columns and how many rows a window has.
typealias WindowShare = (columns: Row<Float>, rows: Float)

/// The sums of one row, for each of the planes.
struct WindowSums {
  fileprivate let rows: Grid<Int32>.Rows
  fileprivate let first, width: Int

  subscript(plane: Int) -> Row<Int32> { rows.row(first + plane)[0..<width] }
}

extension RetouchScratch {
  /// Slides windows over up to four planes of one size: calls `body` with the number of every row,
  /// the sums of each plane's windows round its values, and the share for those of the first.
  @inline(__always)
  func slide<let count: Int>(
    _ windows: InlineArray<count, Window>, _ runner: any SliceRunner,
    _ body: (_ y: Int, _ sums: WindowSums, _ share: WindowShare) -> Void
  ) {
    let (width, height) = (windows[0].plane.width, windows[0].plane.height)
    let radius = windows[0].radius
    let columns = inverses[0..<width]
    for x in 0..<width { columns[x] = 1 / Float(SlidingBox.count(x, width, radius)) }
    runner.runPieces(height) { piece, rows in
      let sums = WindowSums(rows: longs, first: piece * Self.longRows, width: width)
      func box(_ index: Int) -> SlidingBox {
        SlidingBox(
          windows[index], first: rows.lowerBound,
          columns: longs.row(piece * Self.longRows + 4 + index),
          room: longs.row(piece * Self.longRows + 8))
      }
      for index in 0..<count { box(index).begin(rows.lowerBound) }
      for y in rows {
        for index in 0..<count { box(index).advance(to: y, into: sums[index]) }
        body(y, sums, (columns, 1 / Float(SlidingBox.count(y, height, radius))))
      }
    }
  }
}

/// Sums of a plane's values in a square window that slides down row by row.
///
/// All sums are integers, so where a slice of rows begins does not change them. At the plane's
/// edges the window is cut. It holds at most 41 x 41 values of at most 20 bits, squares included.
struct SlidingBox {
  /// Largest radius whose sums of 10-bit values squared fit in 31 bits.
  static let maximumRadius = 20
  /// Columns of scratch that `columns` needs over the plane's width.
  static func padding(_ radius: Int) -> Int { 2 * radius + 1 }

  private let source: Grid<UInt16>.Rows
  private let radius: Int
  private let isSquared: Bool
  private let columns, room: Row<Int32>
  private let first: Int

  /// For rows from `first` on; `columns` and `room` are scratch of the plane's width and `padding`.
  init(_ window: Window, first: Int, columns: Row<Int32>, room: Row<Int32>) {
    (source, radius, isSquared) = (window.plane, window.radius, window.isSquared)
    self.first = max(0, first - radius)
    self.columns = columns[0..<(source.width + Self.padding(radius))]
    self.room = room
  }

  /// Takes in what lies above the window of row `start`, the first.
  func begin(_ start: Int) {
    columns.fill(0)
    for y in first..<max(first, min(source.height, start + radius)) { change(y, entering: true) }
  }

  /// Writes the sums round each value of row `y`; rows come in order.
  func advance(to y: Int, into sums: Row<Int32>) {
    let (entering, leaving) = (y + radius, y - radius - 1)
    if entering < source.height { change(entering, entering: true) }
    if leaving >= first { change(leaving, entering: false) }
    let span = Self.padding(radius)
    // The window round column x begins at column x + 1 here.
    sums[..<source.width].sumWindows(of: columns[1...], span: span, room: room)
  }

  private func change(_ y: Int, entering: Bool) {
    let row = source.row(y)
    let target = columns[(radius + 1)..<(radius + 1 + row.count)]
    let n = min(row.count, target.count)
    switch (entering, isSquared) {
    case (true, false):
      for x in 0..<n { target[x] &+= Int32(truncatingIfNeeded: row[x]) }
    case (false, false):
      for x in 0..<n { target[x] &-= Int32(truncatingIfNeeded: row[x]) }
    case (true, true):
      for x in 0..<n {
        let value = Int32(truncatingIfNeeded: row[x])
        target[x] &+= value &* value
      }
    case (false, true):
      for x in 0..<n {
        let value = Int32(truncatingIfNeeded: row[x])
        target[x] &-= value &* value
      }
    }
  }

  /// Values in the window round `index` in a row or column of `count`.
  static func count(_ index: Int, _ count: Int, _ radius: Int) -> Int {
    min(index + radius, count - 1) - max(index - radius, 0) + 1
  }

  /// Writes the means of a row of sums; its windows are `rows` high.
  static func divide(
    _ sums: Row<Int32>, width: Int, radius: Int, rows: Int, into target: Row<UInt16>
  ) {
    let n = min(sums.count, target.count, width)
    let edge = min(radius, n)
    for x in 0..<edge { target[x] = mean(sums[x], count(x, width, radius) * rows) }
    let share = 1 / Float((2 * radius + 1) * rows)
    let last = max(edge, n - radius)
    for x in edge..<last {
      target[x] = UInt16(truncatingIfNeeded: nearest(Float(sums[x]) * share))
    }
    for x in last..<n { target[x] = mean(sums[x], count(x, width, radius) * rows) }
  }

  private static func mean(_ sum: Int32, _ count: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: nearest(Float(sum) / Float(count)))
  }
}
