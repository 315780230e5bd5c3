import Filters
import Pixels

/// Rows of scratch for every thread, kept from frame to frame.
final class RetouchScratch {
  private static let byteRows = 5
  private static let wordRows = 10
  /// Elements of a row beyond the pixels, for rows that begin inside the dither's period.
  private static let padding = 4
  private let byteStore = Grid<UInt8>(of: 0)
  private let wordStore = Grid<Int16>(of: 0)
  private let sumStore = Grid<UInt16>(of: 0)
  private let ditherStore = Grid<Int16>(of: 0)
  let boxes = BoxSums()
  private var pieces = 0
  private var columns = 0

  /// Makes room for rows of `columns` pixels (whole cells).
  func resize(columns: Int, pieces: Int) {
    guard columns > self.columns || pieces > self.pieces else { return }
    self.columns = max(columns, self.columns)
    self.pieces = max(pieces, self.pieces)
    let width = self.columns + Self.padding
    byteStore.resize(width: width, height: Self.byteRows * self.pieces)
    wordStore.resize(width: width, height: Self.wordRows * self.pieces)
    sumStore.resize(width: width, height: 2 * self.pieces)
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

  func sums(_ piece: Int, _ index: Int = 0) -> Row<UInt16> { sumStore.row(2 * piece + index) }
}
