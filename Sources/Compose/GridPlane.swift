package import Pixels

/// A plane of bytes on the chroma grid: a matte's alpha, 255 for opaque, or a screen's spill.
///
/// The end samples of each row are repeated, so that filters read beyond both ends. For each block
/// of 16 samples the plane records whether all of it is 0 or 255.
package final class GridPlane {
  /// The rows alone, for loops in which counting references would cost; valid while this lives.
  package let rows: Rows
  private let memory: Grid<UInt8>

  package init(width: Int, height: Int, of value: UInt8 = 255) {
    memory = Grid(width: Rows.rowBytes(width), height: height, of: 0)
    rows = Rows(memory: memory.rows, width: width)
    fill(value)
  }

  /// Sets all samples.
  package func fill(_ value: UInt8) {
    for y in 0..<memory.height {
      rows.row(y).fill(value)
      rows.padAndMark(y)
    }
  }

  /// The rows of a plane, valid while it lives; above and below them are the first and the last.
  package struct Rows {
    /// Samples in a block.
    package static let block = 16
    /// Samples left of column 0, and at least as many right of the last.
    private static let padding = 16
    /// Marks of blocks that are all 0, or all 255, with the columns next to them.
    package static let zero: UInt8 = 1
    package static let full: UInt8 = 2

    /// Samples with their padding, whole blocks of them, and then the marks of the blocks.
    private let memory: Grid<UInt8>.Rows
    private let width: Int

    init(memory: Grid<UInt8>.Rows, width: Int) { (self.memory, self.width) = (memory, width) }

    /// Bytes of a row that holds `width` samples.
    static func rowBytes(_ width: Int) -> Int {
      let blocks = (width + block - 1) / block
      return padding + blocks * block + padding + blocks
    }

    /// Blocks in a row.
    package var blocks: Int { (width &+ Self.block &- 1) &>> 4 }

    @inline(__always)
    private func clampedRow(_ y: Int) -> Row<UInt8> {
      memory.row(max(0, min(y, memory.height &- 1)))
    }

    /// `count` samples of row `y` from column `x` on, which may lie in the padding.
    package func row(_ y: Int, from x: Int, count: Int) -> Row<UInt8> {
      clampedRow(y)[from: Self.padding &+ x, count: count]
    }

    /// Row `y`, moved by `dx` columns.
    package func row(_ y: Int, dx: Int = 0) -> Row<UInt8> { row(y, from: dx, count: width) }

    /// Row `y` in whole blocks.
    package func wholeBlockRow(_ y: Int) -> Row<UInt8> {
      row(y, from: 0, count: blocks &* Self.block)
    }

    /// The marks of row `y`'s blocks.
    package func marks(_ y: Int) -> Row<UInt8> {
      clampedRow(y)[from: memory.width &- blocks, count: blocks]
    }

    /// The marks of the row `distance` above `y`, of `y`, and of the row as far below it.
    package func marks(around y: Int, _ distance: Int) -> (Row<UInt8>, Row<UInt8>, Row<UInt8>) {
      (marks(y &- distance), marks(y), marks(y &+ distance))
    }

    /// Completes row `y` after it was written: its padding, and the marks of its blocks.
    package func padAndMark(_ y: Int) {
      let row = clampedRow(y)
      let marks = marks(y)
      let (start, end) = (Self.padding, Self.padding + width)
      row[..<start].fill(row[start])
      row[end..<row.count - marks.count].fill(row[end - 1])
      Self.markUniformBlocks(marks, row[(start - 1)...])
    }

    /// Marks blocks that are 0, or 255, with the bytes next to them; `samples` begins with the byte
    /// before the first block.
    @inline(never)
    private static func markUniformBlocks(_ marks: Row<UInt8>, _ samples: Row<UInt8>) {
      for i in 0..<marks.count {
        // 18 bytes as three words that overlap.
        let bytes = samples[from: i &* block, count: block &+ 2]
        let a = bytes.word(at: 0, as: UInt64.self)
        let b = bytes.word(at: 8, as: UInt64.self)
        let c = bytes.word(at: 10, as: UInt64.self)
        marks[i] = a | b | c == 0 ? zero : a & b & c == .max ? full : 0
      }
    }
  }
}
