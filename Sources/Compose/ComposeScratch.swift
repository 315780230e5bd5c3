package import Pixels
package import Threads

/// Rows that one thread composites in; kept, so that frames allocate nothing.
package final class ComposeScratch {
  private let bytes: Grid<UInt8>
  private let words, weights: Grid<UInt16>
  /// Valid while this lives.
  let rows: Rows

  init(grid: ChromaGrid, thread: Int) {
    bytes = Grid(width: Self.padded(grid.paddedWidth), height: Rows.byteRows, of: 0)
    words = Grid(width: Self.padded(grid.gridWidth), height: 2, of: 0)
    weights = Grid(width: Self.padded(grid.paddedWidth), height: 1, of: 0)
    rows = Rows(thread: thread, bytes.rows, words.rows, weights.row(0))
  }

  /// The width of scratch rows for `count` samples: kernels write whole pairs and whole blocks, and
  /// read a sample beyond each end.
  static func padded(_ count: Int) -> Int { (count + 64 + 15) / 16 * 16 }

  /// The rows; valid while the scratch lives.
  ///
  /// Rows of the picture hold a line from column 0 on; those of mixed blocks hold these blocks
  /// alone, side by side.
  package struct Rows {
    static let byteRows = 23

    /// The thread's number, from 0.
    package let thread: Int
    // The picture: lines of component 0, samples of the others with one more at each end, alpha,
    // and chroma upsampled from 4:2:2.
    let luma, chroma, alpha, wideChroma: (Row<UInt8>, Row<UInt8>)
    /// The background's components, where they are upsampled.
    let background: (Row<UInt8>, Row<UInt8>, Row<UInt8>)
    let backgroundLuma: Row<UInt8>
    // Mixed blocks: alpha of each line, as composited and as keyed; both at chroma's size; and the
    // samples and the background of one component.
    let mixedAlpha, keyedAlpha: (Row<UInt8>, Row<UInt8>)
    let chromaAlpha, keyedChromaAlpha: Row<UInt8>
    let samples, behind: Row<UInt8>
    /// The source's own alpha.
    let sourceAlpha: Row<UInt8>
    /// The kinds of a grid row's blocks.
    let kinds: Row<UInt8>
    /// The numbers of mixed blocks, and alpha or chroma between two rows.
    let mixedBlocks, interpolated: Row<UInt16>
    /// A row of cells, for `GridUpsampler`.
    package let cells: Row<UInt16>

    fileprivate init(
      thread: Int, _ bytes: Grid<UInt8>.Rows, _ words: Grid<UInt16>.Rows, _ cells: Row<UInt16>
    ) {
      var next = 0
      func row() -> Row<UInt8> {
        defer { next += 1 }
        return bytes.row(next)
      }
      self.thread = thread
      (luma, chroma) = ((row(), row()), (row(), row()))
      (alpha, wideChroma) = ((row(), row()), (row(), row()))
      background = (row(), row(), row())
      backgroundLuma = row()
      (mixedAlpha, keyedAlpha) = ((row(), row()), (row(), row()))
      (chromaAlpha, keyedChromaAlpha) = (row(), row())
      (samples, behind) = (row(), row())
      (sourceAlpha, kinds) = (row(), row())
      (mixedBlocks, interpolated) = (words.row(0), words.row(1))
      self.cells = cells
    }
  }
}

extension ChromaGrid {
  /// The wider of the picture and of whole pairs of its chroma.
  var paddedWidth: Int { max(2 * gridWidth, width) }

  /// The width of scratch rows for a grid row in whole blocks, with padding for kernels.
  package var scratchWidth: Int { ComposeScratch.padded(gridWidth) }
  /// The width of scratch rows for a row of the picture, with padding.
  package var pictureScratchWidth: Int { ComposeScratch.padded(paddedWidth) }
}

/// The element of a tuple at `index`: rows of three components, or of two lines.
@inlinable @inline(__always)
package func pick<Element>(_ index: Int, _ rows: (Element, Element, Element)) -> Element {
  index == 0 ? rows.0 : index == 1 ? rows.1 : rows.2
}

@inlinable @inline(__always)
package func pick<Element>(_ index: Int, _ rows: (Element, Element)) -> Element {
  index == 0 ? rows.0 : rows.1
}

/// The threads of a frame, and scratch rows for each.
package struct FrameSlices {
  let scratch: [ComposeScratch]
  package let runner: any SliceRunner

  package var threadCount: Int { scratch.count }

  /// The first thread's scratch rows, for work before slices run.
  package var firstScratch: ComposeScratch.Rows { scratch[0].rows }

  /// Divides `0..<rows` into slices of at least `minimum` rows, and calls `body` for each with its
  /// own scratch rows.
  package func run(
    _ rows: Int, minimum: Int = 1, _ body: (Range<Int>, ComposeScratch.Rows) -> Void
  ) {
    runner.runSlices(rows, minimumRows: minimum) { slice, rows in body(rows, scratch[slice].rows) }
  }
}
