/// Rows that one slice of a frame works in.
///
/// Made when the format or the number of threads changes, so that frames allocate nothing.
final class KeyScratch {
  private let bytes: Strip<UInt8>
  private let words: Strip<UInt16>
  /// Where each row starts; valid while this lives.
  let lines: KeyLines

  init(grid: KeyGrid, expandedCount: Int) {
    // Kernels write whole pairs and read a sample beyond either end.
    let columns = (grid.gridWidth + 64 + 15) / 16 * 16
    let pixels = (max(2 * grid.gridWidth, grid.width) + 64 + 15) / 16 * 16
    let expanded = expandedCount + 16
    bytes = Strip(10 * columns + 12 * pixels, of: 0)
    words = Strip(
      3 * expanded + columns + pixels + (2 * KeyLines.latticeRows + 5) * columns, of: 0)
    unsafe lines = KeyLines(
      bytes: bytes.base, words: words.base, columns: columns, pixels: pixels, expanded: expanded)
  }
}

/// Addresses of a `KeyScratch`'s rows.
@safe struct KeyLines {
  typealias Bytes = UnsafeMutablePointer<UInt8>
  typealias Words = UnsafeMutablePointer<UInt16>

  /// Lattice rows of a block row, with one more above and below.
  static let latticeRows = 10

  // At grid size: the key's chroma, gathered components, the screen's components, the matte for
  // compositing chroma, and the kinds of blocks.
  let cb: Bytes
  let cr: Bytes
  let components: (Bytes, Bytes, Bytes)
  let screens: (Bytes, Bytes, Bytes)
  let chromaEdge: Bytes
  let kinds: Bytes
  // At picture size: screen shares of two lines, as keyed and as shaped; the screen and the
  // spill of a line; and room for gathering, scattering and widening.
  let shares: (Bytes, Bytes)
  let edges: (Bytes, Bytes)
  let screen: Bytes
  let spill: Bytes
  let input: Bytes
  let output: Bytes
  let wide: (Bytes, Bytes)
  /// Luma and alpha of a whole row whose chroma is being widened.
  let whole: (Bytes, Bytes)
  // The field's rows, rows of words at grid and at picture size.
  let recip: Words
  let along: Words
  let expanded: Words
  let mixed: Words
  let weights: Words
  // For measuring the screen: `columns` words a row.
  let columns: Int
  let measures: Words
  let masks: Words
  let sums: Words

  @unsafe init(bytes: Bytes, words: Words, columns: Int, pixels: Int, expanded count: Int) {
    func column(_ index: Int) -> Bytes { unsafe bytes + index * columns }
    func pixel(_ index: Int) -> Bytes { unsafe bytes + (10 * columns + index * pixels) }
    self.columns = columns
    unsafe cb = column(0)
    unsafe cr = column(1)
    unsafe components = (column(2), column(3), column(4))
    unsafe screens = (column(5), column(6), column(7))
    unsafe chromaEdge = column(8)
    unsafe kinds = column(9)
    unsafe shares = (pixel(0), pixel(1))
    unsafe edges = (pixel(2), pixel(3))
    unsafe screen = pixel(4)
    unsafe spill = pixel(5)
    unsafe input = pixel(6)
    unsafe output = pixel(7)
    unsafe wide = (pixel(8), pixel(9))
    unsafe whole = (pixel(10), pixel(11))
    unsafe recip = words
    unsafe along = words + count
    unsafe expanded = words + 2 * count
    unsafe mixed = words + 3 * count
    unsafe weights = mixed + columns
    unsafe measures = weights + pixels
    unsafe masks = measures + Self.latticeRows * columns
    unsafe sums = masks + Self.latticeRows * columns
  }
}
