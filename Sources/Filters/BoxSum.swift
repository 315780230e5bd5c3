package import Pixels

/// Box sums: sums over square windows that slide down row by row, for several channels.
///
/// Sums are integers, so they do not depend on where a slice of rows begins. Windows are clipped to
/// the plane.
@usableFromInline package struct BoxSum {
  /// Column sums over the window's rows, by channel, padded with zeros at both ends.
  private let sums: Grid<Int32>.Rows
  private let first, channels, width: Int
  private let scratch: Row<Int32>
  package let radius: Int

  /// The length of a row of `sums` for a plane of this width.
  package static func rowLength(_ width: Int, radius: Int) -> Int { width + 2 * radius + 1 }

  /// The length of the window centred on `index` of `count` elements, clipped to them.
  @inlinable @inline(__always)
  package static func windowLength(at index: Int, of count: Int, radius: Int) -> Int {
    min(index + radius, count - 1) - max(index - radius, 0) + 1
  }

  /// Uses one row of `sums` per channel from `first` on, and row `scratch`, by default the next
  /// one.
  package init(
    _ sums: Grid<Int32>.Rows, first: Int, channels: Int, scratch: Int? = nil, width: Int,
    radius: Int
  ) {
    (self.sums, self.first, self.channels) = (sums, first, channels)
    (self.width, self.radius) = (width, radius)
    self.scratch = sums.row(scratch ?? first + channels)
  }

  /// Clears the windows.
  package func clear() {
    for channel in 0..<channels { sums.row(first + channel).fill(0) }
  }

  /// A channel's column sums.
  package func columnSums(_ channel: Int) -> Row<Int32> {
    sums.row(first &+ channel)[from: radius &+ 1, count: width]
  }

  /// Moves the windows to row `y` of a plane of `height` rows, from the row above or, if `y` is
  /// `start`, from the empty state.
  ///
  /// Calls `add` with each row that enters and 1, and with the row that leaves and -1.
  package func slide(
    to y: Int, from start: Int, height: Int, _ add: (_ row: Int, _ sign: Int32) -> Void
  ) {
    let top = y == start ? max(y - radius, 0) : y + radius
    let bottom = min(y + radius + 1, height)
    if top < bottom { for row in top..<bottom { add(row, 1) } }
    let leaving = y - radius - 1
    if y > start, leaving >= 0 { add(leaving, -1) }
  }

  /// Writes the sums of the windows centred on the columns of `range`.
  package func writeWindowSums(_ channel: Int, _ range: Range<Int>, into out: Row<Int32>) {
    guard !range.isEmpty else { return }
    let span = 2 * radius + 1
    // The window round column x begins at column x + 1 here.
    let line = sums.row(first + channel)[from: range.lowerBound + 1, count: range.count + span - 1]
    out[range].sumWindows(of: line, span: span, scratch: scratch)
  }

  // MARK: Rows that enter and leave

  /// Adds a row to the column sums, or subtracts it if `sign` is -1.
  package func add(_ channel: Int, _ a: Row<Int16>, _ sign: Int32) {
    let a = a[..<width]
    accumulate(channel, sign) { Int32(a[$0]) }
  }

  package func add(_ channel: Int, _ a: Row<UInt16>, _ sign: Int32) {
    let a = a[..<width]
    accumulate(channel, sign) { Int32(a[$0]) }
  }

  /// Adds or subtracts the products of two rows.
  package func add(_ channel: Int, _ a: Row<Int16>, times b: Row<Int16>, _ sign: Int32) {
    let (a, b) = (a[..<width], b[..<width])
    accumulate(channel, sign) { Int32(a[$0]) &* Int32(b[$0]) }
  }

  /// Adds or subtracts the squares of a row.
  package func addSquares(_ channel: Int, _ a: Row<UInt16>, _ sign: Int32) {
    let a = a[..<width]
    accumulate(channel, sign) { Int32(a[$0]) &* Int32(a[$0]) }
  }

  @inline(__always)
  private func accumulate(_ channel: Int, _ sign: Int32, _ value: (_ x: Int) -> Int32) {
    let sums = columnSums(channel)
    let n = sums.count
    if sign > 0 {
      for x in 0..<n { sums[x] &+= value(x) }
    } else {
      for x in 0..<n { sums[x] &-= value(x) }
    }
  }
}
