import Pixels

/// Rows that one slice of a frame works in; kept, so that frames allocate nothing.
///
/// They hold a part of a row at a time, so that they stay in the processor's first cache.
final class LookScratch {
  /// Pixels of the longest part; even, so that pairs of them stay together.
  static let part = 1024

  private let byteRows = Grid<UInt8>(width: part, height: 6, of: 0)
  private let wordRows = Grid<UInt32>(width: part + 1, height: 2, of: 0)
  let sums = Grid<SIMD4<Int16>>(width: part, height: 1, of: .zero)
  let colors = Grid<UInt8>(width: 4 * part, height: 1, of: 0)
  private let shortRows = Grid<Int16>(width: part, height: 2, of: 0)
  private let valueRows = Grid<Float>(width: part, height: 2, of: 0)
  private let keptRows = Grid<UInt8>(width: part, height: PictureLines.most, of: 0)
  private let cellRow = Grid<Float>(of: 0)

  /// The first `count` elements of one of six rows.
  func bytes(_ index: Int, _ count: Int) -> Row<UInt8> { byteRows.row(index)[..<count] }

  /// The first `count` elements of one of two rows.
  func words(_ index: Int, _ count: Int) -> Row<UInt32> { wordRows.row(index)[..<count] }

  /// The first `count` elements of one of two rows.
  func shorts(_ index: Int, _ count: Int) -> Row<Int16> { shortRows.row(index)[..<count] }

  /// The first `count` elements of one of two rows.
  func values(_ index: Int, _ count: Int) -> Row<Float> { valueRows.row(index)[..<count] }

  /// What the line at a place of a group was before it was changed.
  func kept(_ place: Int, _ count: Int) -> Row<UInt8> { keptRows.row(place)[..<count] }

  /// A row of `count` cells of a coarse grid.
  func cells(_ count: Int) -> Row<Float> {
    if cellRow.width < count { cellRow.resize(width: count, height: 1) }
    return cellRow.row(0)[..<count]
  }

  /// Calls `body` with the parts of a row of `width` pixels.
  static func forEachPart(of width: Int, _ body: (_ start: Int, _ count: Int) -> Void) {
    var start = 0
    while start < width {
      body(start, min(part, width - start))
      start += part
    }
  }
}
