import Filters
import Pixels

/// Scratch rows for each slice, reused from frame to frame.
final class RetouchScratch {
  private static let byteRows = 5
  private static let wordRows = 10
  /// Padding of rows, for any phase of the dither.
  private static let padding = 4
  private let byteStore = Grid<UInt8>(of: 0)
  private let wordStore = Grid<Int16>(of: 0)
  private let sumStore = Grid<UInt16>(of: 0)
  private let ditherStore = Grid<Int16>(of: 0)
  let boxes = BoxSums()
  /// Coverage: the forehead's, or the outline's while it is blurred.
  let soft = Grid<UInt16>(of: 0)
  /// Three histograms of 256 bins.
  let histograms = Grid<Int32>(width: 256, height: 3, of: 0)
  private var slices = 0
  private var columns = 0

  /// Ensures rows of `columns` pixels (whole cells).
  func resize(columns: Int, slices: Int) {
    guard columns > self.columns || slices > self.slices else { return }
    self.columns = max(columns, self.columns)
    self.slices = max(slices, self.slices)
    let width = self.columns + Self.padding
    byteStore.resize(width: width, height: Self.byteRows * self.slices)
    wordStore.resize(width: width, height: Self.wordRows * self.slices)
    sumStore.resize(width: width, height: 2 * self.slices)
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

  /// The dither to add to a row in 1/64 of a code before truncation, so that fractions of a code
  /// survive in the mean of a few pixels and faint colours keep their hue.
  func dither(_ y: Int, from start: Int, count: Int) -> Row<Int16> {
    ditherStore.row(y & 3)[(start & 3)..<((start & 3) + count)]
  }

  /// Row `index` of bytes; 1 to 3 are also `components`.
  func bytes(_ slice: Int, _ index: Int) -> Row<UInt8> {
    byteStore.row(slice * Self.byteRows + index)
  }

  func components(_ slice: Int) -> PackedPixels.Rows {
    (bytes(slice, 1), bytes(slice, 2), bytes(slice, 3))
  }

  func words(_ slice: Int, _ index: Int) -> Row<Int16> {
    wordStore.row(slice * Self.wordRows + index)
  }

  func sums(_ slice: Int, _ index: Int = 0) -> Row<UInt16> { sumStore.row(2 * slice + index) }
}
