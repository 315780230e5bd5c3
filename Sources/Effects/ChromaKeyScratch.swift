/// Rows that one slice of a frame works in.
///
/// Made when the format or the number of threads changes, so that frames allocate nothing.
final class KeyScratch {
  typealias Bytes = Strip<UInt8>
  typealias Words = Strip<UInt16>

  /// Lattice rows of a block row with one more above and below.
  static let latticeRows = 10

  // At grid size.
  let cb: Bytes
  let cr: Bytes
  let components: [Bytes]
  let recip: Words
  let along: Words
  let expanded: Words
  let mixed: Words
  let screens: [Bytes]
  let chromaEdge: Bytes
  let classes: Bytes
  // At picture size.
  let keyLines: [Bytes]
  let edgeLines: [Bytes]
  let lineScreen: Bytes
  let lineSpill: Bytes
  let input: Bytes
  let output: Bytes
  let wideRows: [Bytes]
  // For measuring the screen.
  let measures: [Words]
  let masks: [Words]
  let sums: [Words]

  init(grid: KeyGrid, expandedCount: Int) {
    let columns = grid.gridWidth + 64
    let pixels = 2 * grid.gridWidth + grid.width + 64
    func bytes(_ count: Int) -> Bytes { Bytes(count, of: 0) }
    func words(_ count: Int) -> Words { Words(count, of: 0) }
    cb = bytes(columns)
    cr = bytes(columns)
    components = (0..<3).map { _ in bytes(columns) }
    recip = words(expandedCount)
    along = words(expandedCount)
    expanded = words(expandedCount)
    mixed = words(columns)
    screens = (0..<3).map { _ in bytes(columns) }
    chromaEdge = bytes(columns)
    classes = bytes(columns / 16 + 2)
    keyLines = (0..<2).map { _ in bytes(pixels) }
    edgeLines = (0..<2).map { _ in bytes(pixels) }
    lineScreen = bytes(pixels)
    lineSpill = bytes(pixels)
    input = bytes(pixels)
    output = bytes(pixels)
    wideRows = (0..<2).map { _ in bytes(pixels) }
    measures = (0..<Self.latticeRows).map { _ in words(columns) }
    masks = (0..<Self.latticeRows).map { _ in words(columns) }
    sums = (0..<5).map { _ in words(columns) }
  }
}
