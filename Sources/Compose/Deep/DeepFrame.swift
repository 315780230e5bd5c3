package import Pixels

/// The components of a picture of more than 8 bits; a plain value, so that making one allocates
/// nothing.
package struct DeepComponents {
  private let first, second, third: DeepComponent
  /// The alpha, where there is one.
  let alpha: DeepComponent?

  init(_ picture: borrowing Picture) {
    first = picture.deepComponent(0)
    second = picture.deepComponent(1)
    third = picture.deepComponent(2)
    alpha = picture.format.hasAlpha ? picture.deepComponent(3) : nil
  }

  package subscript(index: Int) -> DeepComponent { pick(index, (first, second, third)) }
}

/// One frame of more than 8 bits: its pictures, and what algorithms see of it in 8 bits.
package struct DeepFrame {
  /// The source in 8 bits.
  package let eightBit: ComposeFrame
  package let source: DeepComponents
  let destination: DeepComponents
  /// The background of the caller.
  package let background: DeepBackground?
  /// Whether the destination's colours lie in the source's memory.
  let isInPlace: Bool

  package var grid: ChromaGrid { eightBit.grid }

  init(
    eightBit: ComposeFrame, source: borrowing Picture, destination: borrowing Picture,
    background: DeepBackground?
  ) {
    (self.eightBit, self.background) = (eightBit, background)
    self.source = DeepComponents(source)
    self.destination = DeepComponents(destination)
    isInPlace = (0..<3).allSatisfy { [from = self.source, to = self.destination] in
      from[$0].isSameMemory(as: to[$0])
    }
  }
}

/// Rows that one thread composites pictures of more than 8 bits in; kept, so that frames allocate
/// nothing.
final class DeepScratch {
  private let words: Grid<UInt16>
  private let floats: Grid<Float>
  private let bytes: Grid<UInt8>
  /// Valid while this lives.
  let rows: Rows

  init(grid: ChromaGrid) {
    let width = grid.pictureScratchWidth
    words = Grid(width: width, height: Rows.wordRows, of: 0)
    floats = Grid(width: width, height: Rows.floatRows, of: 0)
    bytes = Grid(width: width, height: 1, of: 0)
    rows = Rows(words.rows, floats.rows, bytes.row(0))
  }

  /// As those of `ComposeScratch`.
  struct Rows {
    fileprivate static let wordRows = 12
    fileprivate static let floatRows = 8

    // The picture: lines of luma, chroma, and alpha to be written.
    let luma: (Row<UInt16>, Row<UInt16>)
    let chroma: (Row<UInt16>, Row<UInt16>)
    let alpha, ownAlpha: Row<UInt16>
    let background: Row<UInt16>
    // Mixed blocks side by side.
    let samples, behind, alphaCodes: Row<UInt16>
    let mixedAlpha, keyedAlpha: (Row<Float>, Row<Float>)
    let chromaAlpha, keyedChromaAlpha: Row<Float>
    let interpolated: Row<Float>
    /// A row of cells, as floats and as words.
    let cells: Row<Float>
    let cellWords: Row<UInt16>
    let kinds: Row<UInt8>
    let mixedBlocks: Row<UInt16>

    fileprivate init(
      _ words: Grid<UInt16>.Rows, _ floats: Grid<Float>.Rows, _ kinds: Row<UInt8>
    ) {
      (luma, chroma) = ((words.row(0), words.row(1)), (words.row(2), words.row(3)))
      (alpha, ownAlpha, background) = (words.row(4), words.row(5), words.row(6))
      (samples, behind, alphaCodes) = (words.row(7), words.row(8), words.row(9))
      (mixedBlocks, cellWords) = (words.row(10), words.row(11))
      mixedAlpha = (floats.row(0), floats.row(1))
      keyedAlpha = (floats.row(2), floats.row(3))
      (chromaAlpha, keyedChromaAlpha) = (floats.row(4), floats.row(5))
      (interpolated, cells) = (floats.row(6), floats.row(7))
      self.kinds = kinds
    }
  }
}
