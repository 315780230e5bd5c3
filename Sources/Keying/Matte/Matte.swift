import Pixels

/// A matte: one byte a sample of the chroma grid, the share of what is to go, 255 for all of it.
///
/// Samples are repeated round each row, so that filters read past both ends of it. For each block of
/// 16 samples the matte also remembers whether it is all 0 or all 255.
final class Matte {
  /// The rows alone, for loops in which counting references would cost; valid while this lives.
  let rows: MatteRows
  private let memory: Grid<UInt8>

  init(width: Int, height: Int) {
    memory = Grid(width: MatteRows.stride(width), height: height, of: 0)
    rows = MatteRows(memory: memory.rows, width: width)
    clear()
  }

  /// Lets everything stay.
  func clear() {
    for y in 0..<memory.height {
      memory.row(y).fill(0)
      rows.marks(y).fill(MatteRows.none)
    }
  }
}

/// The rows of a matte, valid while it lives; above and below them are the first and the last.
struct MatteRows {
  /// Samples in a block.
  static let block = 16
  /// Samples left of column 0, and at least as many right of the last.
  static let margin = 16
  /// Marks of blocks that are 0, or 255, with the columns next to them.
  static let none: UInt8 = 1
  static let all: UInt8 = 2

  /// Samples with their margins, whole blocks of them, and then the marks of the blocks.
  private let memory: Grid<UInt8>.Rows
  let width: Int

  init(memory: Grid<UInt8>.Rows, width: Int) {
    (self.memory, self.width) = (memory, width)
  }

  /// Bytes of a row that has room for `width` samples.
  static func stride(_ width: Int) -> Int {
    let blocks = (width + block - 1) / block
    return margin + blocks * block + margin + blocks
  }

  /// Blocks in a row.
  var blocks: Int { (width &+ Self.block &- 1) &>> 4 }

  @inline(__always)
  private func line(_ y: Int) -> Row<UInt8> { memory.row(max(0, min(y, memory.height &- 1))) }

  /// `count` samples of row `y` from column `x` on, which may lie in the margins.
  @inline(__always)
  func row(_ y: Int, from x: Int, count: Int) -> Row<UInt8> {
    line(y)[from: Self.margin &+ x, count: count]
  }

  /// Row `y`, moved by `dx` columns.
  @inline(__always)
  func row(_ y: Int, dx: Int = 0) -> Row<UInt8> { row(y, from: dx, count: width) }

  /// The marks of row `y`'s blocks.
  @inline(__always)
  func marks(_ y: Int) -> Row<UInt8> { line(y)[from: memory.width &- blocks, count: blocks] }

  /// Completes row `y`: its margins, and what its blocks are.
  func finish(_ y: Int) {
    let row = line(y)
    let marks = marks(y)
    let (start, end) = (Self.margin, Self.margin + width)
    row[..<start].fill(row[start])
    row[end..<row.count - marks.count].fill(row[end - 1])
    KeyKernels.mark(marks, row[(start - 1)...])
  }
}
