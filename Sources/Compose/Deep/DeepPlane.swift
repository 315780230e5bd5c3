package import Pixels

/// A plane of 16-bit values on the chroma grid: alpha, 65535 for opaque, or a screen's spill.
///
/// The counterpart of `GridPlane` for pictures of more than 8 bits, with the same padding and the
/// same marks.
package final class DeepPlane {
  /// The alpha of opaque samples.
  package static let opaque: UInt16 = .max

  /// The rows alone; valid while this lives.
  package let rows: Rows
  private let memory: Grid<UInt16>
  private let marks: Grid<UInt8>

  package init(width: Int, height: Int, of value: UInt16 = opaque) {
    let blocks = (width + GridPlane.Rows.block - 1) / GridPlane.Rows.block
    memory = Grid(
      width: 2 * Rows.padding + blocks * GridPlane.Rows.block, height: height, of: value)
    marks = Grid(width: blocks, height: height, of: 0)
    rows = Rows(samples: memory.rows, marks: marks.rows, width: width)
    for y in 0..<height { rows.padAndMark(y) }
  }

  /// Sets all samples to those of a plane of bytes of the same size, in whose rows 255 is opaque.
  func copy(_ bytes: GridPlane.Rows, _ slices: FrameSlices) {
    slices.run(memory.height) { range, _ in
      for y in range {
        DeepKernels.widen(rows.row(y), bytes.row(y))
        rows.padAndMark(y)
      }
    }
  }

  /// The rows of a plane, valid while it lives; above and below them are the first and the last.
  package struct Rows {
    fileprivate static let padding = 16

    private let samples: Grid<UInt16>.Rows
    private let blockMarks: Grid<UInt8>.Rows
    private let width: Int

    fileprivate init(samples: Grid<UInt16>.Rows, marks: Grid<UInt8>.Rows, width: Int) {
      (self.samples, blockMarks, self.width) = (samples, marks, width)
    }

    package var blocks: Int { blockMarks.width }

    private func clamped(_ y: Int) -> Int { max(0, min(y, samples.height &- 1)) }

    /// `count` samples of row `y` from column `x` on, which may lie in the padding.
    package func row(_ y: Int, from x: Int, count: Int) -> Row<UInt16> {
      samples.row(clamped(y))[from: Self.padding &+ x, count: count]
    }

    /// Row `y`, moved by `dx` columns.
    package func row(_ y: Int, dx: Int = 0) -> Row<UInt16> { row(y, from: dx, count: width) }

    /// Row `y` in whole blocks.
    package func wholeBlockRow(_ y: Int) -> Row<UInt16> {
      row(y, from: 0, count: blocks &* GridPlane.Rows.block)
    }

    /// The marks of row `y`'s blocks: those of `GridPlane.Rows`.
    package func marks(_ y: Int) -> Row<UInt8> { blockMarks.row(clamped(y)) }

    /// The marks of the row `distance` above `y`, of `y`, and of the row as far below it.
    package func marks(around y: Int, _ distance: Int) -> (Row<UInt8>, Row<UInt8>, Row<UInt8>) {
      (marks(y &- distance), marks(y), marks(y &+ distance))
    }

    /// Completes row `y` after it was written: its padding, and the marks of its blocks.
    package func padAndMark(_ y: Int) {
      let row = samples.row(clamped(y))
      let (start, end) = (Self.padding, Self.padding + width)
      row[..<start].fill(row[start])
      row[end...].fill(row[end - 1])
      DeepKernels.markUniformBlocks(blockMarks.row(clamped(y)), row[(start - 1)...])
    }
  }
}

extension DeepPlane: MattePlane {
  static func make(width: Int, height: Int) -> DeepPlane { DeepPlane(width: width, height: height) }
}

extension DeepPlane.Rows: MatteRows {
  static func filter(
    _ out: Row<UInt16>, _ a: Row<UInt16>, _ b: Row<UInt16>, _ c: Row<UInt16>,
    _ step: ShapingPlan.Step
  ) {
    DeepKernels.filterThreeRows(
      out, a, b, c, step.operation, Float(min(max(step.weight, 0), 1)))
  }

  static func complement(_ out: Row<UInt16>, _ source: Row<UInt16>) {
    DeepKernels.complement(out, source)
  }
}
