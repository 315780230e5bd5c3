import Pixels

/// Rows of scratch for every thread, kept from frame to frame.
final class RetouchScratch {
  private static let byteRows = 5
  private static let wordRows = 10
  static let longRows = 9
  private let byteStore = Grid<UInt8>(of: 0)
  private let wordStore = Grid<Int16>(of: 0)
  private let sumStore = Grid<UInt16>(of: 0)
  private let longStore = Grid<Int32>(of: 0)
  private let floatStore = Grid<Float>(of: 0)
  private let ditherStore = Grid<Int16>(of: 0)
  private var pieces = 0
  private var columns = 0

  /// Makes room for rows of `columns` pixels (whole cells) and their windows' padding.
  func resize(columns: Int, pieces: Int) {
    guard columns > self.columns || pieces > self.pieces else { return }
    self.columns = max(columns, self.columns)
    self.pieces = max(pieces, self.pieces)
    let width = self.columns + SlidingBox.padding(SlidingBox.maximumRadius) + 2
    byteStore.resize(width: width, height: Self.byteRows * self.pieces)
    wordStore.resize(width: width, height: Self.wordRows * self.pieces)
    sumStore.resize(width: width, height: self.pieces)
    longStore.resize(width: width, height: Self.longRows * self.pieces)
    floatStore.resize(width: width, height: 1)
    ditherStore.resize(width: width, height: 4)
    for y in 0..<4 {
      let row = ditherStore.row(y)
      for x in 0..<row.count { row[x] = Self.bayer[y * 4 + (x & 3)] }
    }
  }

  /// Bayer's ordered dither in 1/64, each value in the middle of its sixteenth.
  private static let bayer: [Int16] = [
    2, 34, 10, 42, 50, 18, 58, 26, 14, 46, 6, 38, 62, 30, 54, 22,
  ]

  /// What is added to a row of sixty-fourths before they are cut off, so that parts of a code
  /// show in the mean of a few pixels: faint colours would keep their hue in no other way.
  func dither(_ y: Int, from start: Int, count: Int) -> Row<Int16> {
    ditherStore.row(y & 3)[(start & 3)..<((start & 3) + count)]
  }

  /// Row `index` of bytes; 1 to 3 are `components`, too.
  func bytes(_ piece: Int, _ index: Int) -> Row<UInt8> {
    byteStore.row(piece * Self.byteRows + index)
  }

  func components(_ piece: Int) -> PackedPixels.Rows {
    (bytes(piece, 1), bytes(piece, 2), bytes(piece, 3))
  }

  func words(_ piece: Int, _ index: Int) -> Row<Int16> {
    wordStore.row(piece * Self.wordRows + index)
  }

  func sums(_ piece: Int) -> Row<UInt16> { sumStore.row(piece) }

  /// Rows for the sums of windows, `longRows` to a piece.
  var longs: Grid<Int32>.Rows { longStore.rows }

  /// See `slide`; what all threads read.
  var inverses: Row<Float> { floatStore.row(0) }
}
