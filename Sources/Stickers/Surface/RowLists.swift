import Pixels

/// For each row of a picture the things that reach into it, in the order they were added.
///
/// Kept from frame to frame: grows with what it once held, and allocates nothing after that.
final class RowLists<Entry: BitwiseCopyable> {
  private let starts = Grid<Int32>(of: 0)
  private let entries: Grid<Entry>
  private var first = 0
  private(set) var count = 0

  /// Makes none; `nothing` stands where nothing was added.
  init(of nothing: Entry) { entries = Grid(of: nothing) }

  /// Empties the lists of rows `rows`.
  func reset(_ rows: Range<Int>) {
    first = rows.lowerBound
    count = 0
    starts.resize(width: rows.count + 2, height: 1)
    starts.row(0).fill(0)
  }

  /// Makes room in these rows, all of which must be among those of `reset`.
  func reserve(_ rows: Range<Int32>) {
    guard !rows.isEmpty else { return }
    let counts = starts.row(0)[from: Int(rows.lowerBound) - first + 2, count: rows.count]
    for i in 0..<counts.count { counts[i] &+= 1 }
    count += rows.count
  }

  /// Ends reserving, and begins adding in the same order.
  func beginAdding() {
    let starts = starts.row(0)
    var sum: Int32 = 0
    for i in 0..<starts.count {
      sum &+= starts[i]
      starts[i] = sum
    }
    entries.resize(width: max(count, 1), height: 1)
  }

  /// Adds to each of some rows that room was made in what `entry` says of it.
  @inline(__always)
  func add(_ rows: Range<Int32>, _ entry: (_ row: Int) -> Entry) {
    guard !rows.isEmpty else { return }
    let start = Int(rows.lowerBound)
    let ends = starts.row(0)[from: start - first + 1, count: rows.count]
    let entries = entries.row(0)
    for i in 0..<ends.count {
      entries[Int(ends[i])] = entry(start &+ i)
      ends[i] &+= 1
    }
  }

  /// What reaches into `row`, once all was added; nothing for rows that were not asked for.
  func list(_ row: Int) -> Row<Entry> {
    let starts = starts.row(0)
    let at = row - first
    guard at >= 0, at + 2 < starts.count else { return entries.row(0)[0..<0] }
    // The end of a row's list has become the start of the next one's.
    return entries.row(0)[Int(starts[at])..<Int(starts[at + 1])]
  }
}
