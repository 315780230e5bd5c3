import Compose
import Pixels

/// Rows that one thread keys and measures a screen in; kept, so that frames allocate nothing.
final class ScreenScratch {
  /// Lattice rows of a block row, with one more above and below.
  static let latticeRows = 10

  private let bytes: Grid<UInt8>
  private let words: Grid<UInt16>
  private let sumGrid, measureGrid, maskGrid, fieldGrid: Grid<UInt16>.Rows
  private let memory: [Grid<UInt16>]

  /// Rows of red, green and blue's weights for Cb and Cr.
  let chromaMatrix: (cb: (Int16, Int16, Int16), cr: (Int16, Int16, Int16))

  // On the grid: chroma, and a row's components.
  let cb, cr: Row<UInt8>
  let components: (Row<UInt8>, Row<UInt8>, Row<UInt8>)
  // Mixed blocks side by side: the screen's components and spill, on the grid and for luma's pairs.
  let screen: (Row<UInt8>, Row<UInt8>, Row<UInt8>)
  let spill, doubledScreen, doubledSpill: Row<UInt8>
  /// See `SpillKernels.alphaReciprocals`.
  let reciprocals: Row<UInt16>
  // The field's first two channels, and constants of `ScreenKernels.keyAlphaAndSpill`.
  let recip, along: Row<UInt16>
  let cotangent, gain, spillStrength: Row<UInt16>
  /// 0...15.
  let ramp: Row<UInt16>
  // For measuring: thresholds of q, and the samples that are screen.
  let threshold, kept: Row<UInt16>

  init(grid: ChromaGrid) {
    chromaMatrix = grid.chromaMatrix
    let (width, wide) = (grid.scratchWidth, grid.pictureScratchWidth)
    bytes = Grid(width: wide, height: 11, of: 0)
    words = Grid(width: wide, height: 9, of: 0)
    func plane(_ height: Int) -> Grid<UInt16> { Grid(width: width, height: height, of: 0) }
    memory = [
      plane(ScreenField.channels), plane(Self.latticeRows), plane(Self.latticeRows),
      plane(ScreenField.channels),
    ]
    (sumGrid, measureGrid) = (memory[0].rows, memory[1].rows)
    (maskGrid, fieldGrid) = (memory[2].rows, memory[3].rows)
    let (byteRows, wordRows) = (bytes.rows, words.rows)
    (cb, cr) = (byteRows.row(0), byteRows.row(1))
    components = (byteRows.row(2), byteRows.row(3), byteRows.row(4))
    screen = (byteRows.row(5), byteRows.row(6), byteRows.row(7))
    (spill, doubledScreen, doubledSpill) = (byteRows.row(8), byteRows.row(9), byteRows.row(10))
    (recip, along) = (wordRows.row(0), wordRows.row(1))
    (cotangent, gain, spillStrength) = (wordRows.row(2), wordRows.row(3), wordRows.row(4))
    ramp = wordRows.row(5)[..<16]
    (threshold, kept, reciprocals) = (wordRows.row(6), wordRows.row(7), wordRows.row(8))
    for i in 0..<16 { ramp[i] = UInt16(i) }
  }

  /// A channel of the field at one row, in the middles of blocks.
  func field(_ channel: Int) -> Row<UInt16> { fieldGrid.row(channel) }
  /// Column sums of a block row: samples that are screen, their q, and their components.
  func sums(_ channel: Int) -> Row<UInt16> { sumGrid.row(channel) }
  /// q of a lattice row, and where it is over the threshold.
  func measures(_ index: Int) -> Row<UInt16> { measureGrid.row(index) }
  func mask(_ index: Int) -> Row<UInt16> { maskGrid.row(index) }

  /// The chroma that grid row `y` of a frame is keyed by.
  func keyChroma(row y: Int, of frame: ComposeFrame) -> (cb: Row<UInt8>, cr: Row<UInt8>) {
    let n = frame.grid.gridWidth
    let (cb, cr) = (cb[..<n], cr[..<n])
    guard frame.source.packed != nil || frame.grid.isRGB else {
      return frame.source.chromaSamples(row: y, scratch: (cb, cr))
    }
    let rows = (components.0[..<n], components.1[..<n], components.2[..<n])
    frame.source.gatherComponents(row: y, into: rows)
    guard frame.grid.isRGB else { return (rows.1, rows.2) }
    ScreenKernels.convertToChroma(cb, cr, rows, chromaMatrix)
    return (cb, cr)
  }

  /// The components on the grid of grid row `y`: luma is that of every other pixel, and of every
  /// other line, where chroma is subsampled.
  func gridComponents(row y: Int, of frame: ComposeFrame) -> PackedPixels.Rows {
    let n = frame.grid.gridWidth
    let rows = (components.0[..<n], components.1[..<n], components.2[..<n])
    guard frame.grid.hShift > 0 else { return frame.source.samples(row: y, scratch: rows) }
    frame.source[0].gather(row: y << frame.grid.vShift, every: 2, into: rows.0)
    let chroma = frame.source.chromaSamples(row: y, scratch: (rows.1, rows.2))
    return (rows.0, chroma.cb, chroma.cr)
  }
}
