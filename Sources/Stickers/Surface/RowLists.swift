import Pixels

/// For each row of a picture a list of entries, in the order they were added.
///
/// Its memory is kept from frame to frame; it allocates only when a list exceeds its previous
/// maximum.
final class RowLists<Entry: BitwiseCopyable> {
  private let starts = Grid<Int32>(of: 0)
  private let entries: Grid<Entry>
  private var first = 0
  private(set) var count = 0

  /// Makes empty lists; `nothing` initialises unused memory.
  init(of nothing: Entry) { entries = Grid(of: nothing) }

  /// Empties the lists and sets their rows.
  func reset(_ rows: Range<Int>) {
    first = rows.lowerBound
    count = 0
    starts.resize(width: rows.count + 2, height: 1)
    starts.row(0).fill(0)
  }

  /// Reserves an entry in each of these rows, which must be among those of `reset`.
  func reserve(_ rows: Range<Int32>) {
    guard !rows.isEmpty else { return }
    let counts = starts.row(0)[from: Int(rows.lowerBound) - first + 2, count: rows.count]
    for i in 0..<counts.count { counts[i] &+= 1 }
    count += rows.count
  }

  /// Allocates the reserved entries; `add` must then be called for the same rows in the same order.
  func allocateReserved() {
    let starts = starts.row(0)
    var sum: Int32 = 0
    for i in 0..<starts.count {
      sum &+= starts[i]
      starts[i] = sum
    }
    entries.resize(width: max(count, 1), height: 1)
  }

  /// Adds to each of these rows, in which an entry was reserved, the result of `entry`.
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

  /// The entries of `row`, once all are added; empty for rows outside those of `reset`.
  func list(_ row: Int) -> Row<Entry> {
    let starts = starts.row(0)
    let at = row - first
    guard at >= 0, at + 2 < starts.count else { return entries.row(0)[0..<0] }
    // After adding, the end of a list is the start of the next one.
    return entries.row(0)[Int(starts[at])..<Int(starts[at + 1])]
  }
}
