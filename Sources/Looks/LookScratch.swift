import Pixels

/// The scratch rows of one slice, reused from frame to frame.
///
/// They hold a tile of a row at a time, so that they stay in the L1 cache.
final class LookScratch {
  /// The maximum width of a tile in pixels; even, so that tiles do not split chroma pairs.
  static let tileWidth = 1024

  private let byteRows = Grid<UInt8>(width: tileWidth, height: 6, of: 0)
  private let wordRows = Grid<UInt32>(width: tileWidth + 1, height: 2, of: 0)
  let sums = Grid<SIMD4<Int16>>(width: tileWidth, height: 1, of: .zero)
  let colors = Grid<UInt8>(width: 4 * tileWidth, height: 1, of: 0)
  private let shortRows = Grid<Int16>(width: tileWidth, height: 2, of: 0)
  private let valueRows = Grid<Float>(width: tileWidth, height: 3, of: 0)
  private let originalRows = Grid<UInt8>(width: tileWidth, height: PictureLines.maximumLines, of: 0)
  private let cellRow = Grid<Float>(of: 0)

  /// The first `count` elements of one of six rows.
  func bytes(_ index: Int, _ count: Int) -> Row<UInt8> { byteRows.row(index)[..<count] }

  /// The first `count` elements of one of two rows.
  func words(_ index: Int, _ count: Int) -> Row<UInt32> { wordRows.row(index)[..<count] }

  /// The first `count` elements of one of two rows.
  func shorts(_ index: Int, _ count: Int) -> Row<Int16> { shortRows.row(index)[..<count] }

  /// The first `count` elements of one of three rows.
  func values(_ index: Int, _ count: Int) -> Row<Float> { valueRows.row(index)[..<count] }

  /// The original samples of a line of a group.
  func originals(_ line: Int, _ count: Int) -> Row<UInt8> { originalRows.row(line)[..<count] }

  /// A row of `count` cells of a coarse grid.
  func cells(_ count: Int) -> Row<Float> {
    if cellRow.width < count { cellRow.resize(width: count, height: 1) }
    return cellRow.row(0)[..<count]
  }

}

/// `count` columns of the picture from `start` on, in a group of rows that share chroma.
struct LookTile {
  let group: Int
  let start: Int
  let count: Int

  /// Calls `body` for the tiles of a group of rows of `width` pixels.
  static func forEach(of width: Int, group: Int, _ body: (LookTile) -> Void) {
    var start = 0
    while start < width {
      body(
        LookTile(group: group, start: start, count: min(LookScratch.tileWidth, width - start)))
      start += LookScratch.tileWidth
    }
  }
}
