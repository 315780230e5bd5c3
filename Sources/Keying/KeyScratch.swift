import Pixels
import Threads

/// Rows that one slice of a frame works in; kept, so that frames allocate nothing.
final class KeyScratch {
  private let bytes: Grid<UInt8>
  private let words, weights: Grid<UInt16>
  private let shares, spill: Matte
  /// Valid while this lives.
  let rows: KeyRows

  init(grid: ChromaGrid) {
    // Kernels write whole pairs and whole blocks, and read a sample beyond either end.
    func padded(_ count: Int) -> Int { (count + 64 + 15) / 16 * 16 }
    let pixels = padded(max(2 * grid.gridWidth, grid.width))
    bytes = Grid(width: pixels, height: KeyRows.byteRows, of: 0)
    words = Grid(width: padded(grid.gridWidth), height: KeyRows.wordRows, of: 0)
    weights = Grid(width: pixels, height: 1, of: 0)
    shares = Matte(width: grid.gridWidth, height: 1)
    spill = Matte(width: grid.gridWidth, height: 1)
    rows = KeyRows(
      bytes: bytes.rows, words: words.rows, weights: weights.row(0),
      light: (shares.rows, spill.rows))
    for i in 0..<16 { rows.ramp[i] = UInt16(i) }
  }
}

/// The rows of a `KeyScratch`; valid while it lives.
struct KeyRows {
  typealias Bytes = Row<UInt8>
  typealias Words = Row<UInt16>

  static let byteRows = 37
  static let wordRows = 19 + 2 * latticeRows
  /// Lattice rows of a block row, with one more above and below.
  static let latticeRows = 10

  // At grid size: the key's chroma, gathered components, the screen's components, the matte for
  // compositing chroma, and the kinds of blocks.
  let cb, cr: Bytes
  let components: (Bytes, Bytes, Bytes)
  let screens: (Bytes, Bytes, Bytes)
  let chromaEdge, kinds: Bytes
  // At picture size: screen shares of the lines of a grid row, as keyed and as shaped; the screen
  // and the spill of a line; and room for gathering, scattering and widening.
  let shares: (Bytes, Bytes)
  let edges: (Bytes, Bytes)
  let lineScreen, lineSpill: Bytes
  let input, output: Bytes
  let chroma: (Bytes, Bytes)
  // Luma and alpha of a whole row whose chroma is being widened.
  let wholeLuma, wholeAlpha: Bytes
  // Words at grid size: two of the field's channels, what counts as screen, and the matte between
  // two rows.
  let recip, along, least, mixed: Words
  /// What samples are multiplied by where the screen's share was taken out of them.
  let weights: Words
  /// One row of a screen's matte, whatever row is asked for.
  let light: (shares: MatteRows, spill: MatteRows)
  private let words: Grid<UInt16>.Rows
  // The colours of somebody and of the room at the grid, and those of luma doubled.
  private let bytes: Grid<UInt8>.Rows

  init(
    bytes: Grid<UInt8>.Rows, words: Grid<UInt16>.Rows, weights: Row<UInt16>,
    light: (shares: MatteRows, spill: MatteRows)
  ) {
    var next = 0
    func row() -> Bytes {
      defer { next += 1 }
      return bytes.row(next)
    }
    (cb, cr) = (row(), row())
    components = (row(), row(), row())
    screens = (row(), row(), row())
    (chromaEdge, kinds) = (row(), row())
    shares = (row(), row())
    edges = (row(), row())
    (lineScreen, lineSpill) = (row(), row())
    (input, output) = (row(), row())
    chroma = (row(), row())
    (wholeLuma, wholeAlpha) = (row(), row())
    (recip, along) = (words.row(0), words.row(1))
    (least, mixed) = (words.row(2), words.row(3))
    (self.weights, self.words) = (weights, words)
    (self.bytes, self.light) = (bytes, light)
  }

  // For an edge's own colours: those of somebody and of the room, three each, and of luma doubled.
  func fused(_ index: Int) -> Bytes { bytes.row(22 + index) }
  func doubled(_ index: Int) -> Bytes { bytes.row(28 + index) }
  // The light that falls on an edge, and that of luma doubled.
  func wrapped(_ index: Int) -> Bytes { bytes.row(30 + index) }
  var doubledLight: Bytes { bytes.row(33) }

  // A background's samples, where they are made of cells.
  func behind(_ component: Int) -> Bytes { bytes.row(34 + component) }

  // Numbers of a key, once for each sample: see `ScreenKernels.matte`.
  func repeated(_ index: Int) -> Words { words.row(9 + 2 * Self.latticeRows + index) }

  // The screen's field in the middles of blocks, and the numbers of mixed ones.
  func field(_ channel: Int) -> Words { words.row(12 + 2 * Self.latticeRows + channel) }
  var mixedBlocks: Words { words.row(17 + 2 * Self.latticeRows) }
  /// 0...15.
  var ramp: Words { words.row(18 + 2 * Self.latticeRows)[..<16] }

  // For measuring the screen.
  func sums(_ channel: Int) -> Words { words.row(4 + channel) }
  func measures(_ index: Int) -> Words { words.row(9 + index) }
  func mask(_ index: Int) -> Words { words.row(9 + Self.latticeRows + index) }
}

/// Of a row for each of three components, or of a picture's two lines, the one that is asked for.
@inline(__always)
func pick<Element>(_ index: Int, _ rows: (Element, Element, Element)) -> Element {
  index == 0 ? rows.0 : index == 1 ? rows.1 : rows.2
}

@inline(__always)
func pick<Element>(_ index: Int, _ rows: (Element, Element)) -> Element {
  index == 0 ? rows.0 : rows.1
}

/// The threads of a frame, and rows of its own for each.
struct KeySlices {
  let scratch: [KeyScratch]
  let runner: any SliceRunner

  /// Cuts `0..<rows` into slices with scratch rows of their own.
  func run(_ rows: Int, _ body: (Range<Int>, KeyRows) -> Void) {
    runner.runSlices(rows, minimumRows: 1) { piece, rows in body(rows, scratch[piece].rows) }
  }
}
