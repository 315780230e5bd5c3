import Pixels

/// Sums over windows of cells that slide down row by row, of several channels at once.
///
/// Sums are integers, so where a slice of rows begins does not change them. At the grid's edges
/// windows are cut.
struct CellWindows {
  /// Sums over the rows of the window, for each channel; beyond either end there are zeros.
  private let sums: Grid<Int32>.Rows
  private let first, width: Int
  private let room: Row<Int32>
  let radius: Int

  /// Columns of scratch that a row of `width` cells needs.
  static func room(_ width: Int, radius: Int) -> Int { width + 2 * radius + 1 }

  /// `sums` has a row for each channel from `first` on, and behind them one to work in.
  init(_ sums: Grid<Int32>.Rows, first: Int, channels: Int, width: Int, radius: Int) {
    (self.sums, self.first, self.width, self.radius) = (sums, first, width, radius)
    room = sums.row(first + channels)
  }

  func clear(channels: Int) {
    for channel in 0..<channels { sums.row(first + channel).fill(0) }
  }

  /// A channel's sums over rows, one for each column.
  @inline(__always)
  func column(_ channel: Int) -> Row<Int32> {
    sums.row(first &+ channel)[from: radius &+ 1, count: width]
  }

  /// The rows that come into the window of row `y` and that go out of it, of a grid so high.
  func change(to y: Int, from start: Int, height: Int) -> (entering: Range<Int>, leaving: Int?) {
    let bottom = min(y + radius + 1, height)
    let top = y == start ? max(y - radius, 0) : min(y + radius, height)
    let leaving = y - radius - 1
    return (top..<max(top, bottom), y > start && leaving >= 0 ? leaving : nil)
  }

  /// Writes the sums of the windows round the columns of `range`.
  func write(_ channel: Int, _ range: Range<Int>, into out: Row<Int32>) {
    guard !range.isEmpty else { return }
    let span = 2 * radius + 1
    // The window round column x begins at column x + 1 here.
    let line = sums.row(first + channel)[from: range.lowerBound + 1, count: range.count + span - 1]
    out[range].sumWindows(of: line, span: span, room: room)
  }

  /// Cells in the window round `index` of `count`.
  static func cells(_ index: Int, of count: Int, radius: Int) -> Int {
    min(index + radius, count - 1) - max(index - radius, 0) + 1
  }
}
