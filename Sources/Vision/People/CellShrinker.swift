import Pixels
import Threads

/// Shrinks pictures of any format to the means of their cells, boxes of whole pixels.
///
/// Every component is read at its own resolution; one of subsampled chroma takes the samples that
/// its cell touches. Not for two threads at once.
final class CellShrinker {
  /// The cells of a picture: `step` pixels each way from `x`, `y` on.
  struct Cells: Equatable {
    var x = 0
    var y = 0
    var step: (x: Int, y: Int)
    var columns, rows: Int

    static func == (a: Cells, b: Cells) -> Bool {
      (a.x, a.y, a.columns, a.rows) == (b.x, b.y, b.columns, b.rows) && a.step == b.step
    }
  }

  /// Rows of a cell that are looked at, at most: more would cost more than they tell.
  private static let mostRows = 6

  /// Of each thread: sums over a cell's rows, and room for samples of all components.
  private let sums = Grid<UInt16>(of: 0)
  private let bytes = Grid<UInt8>(of: 0)
  /// Of each thread: sums over a cell, and means.
  private let totals = Grid<Int32>(of: 0)
  private let means = Grid<UInt8>(of: 0)

  /// Fills `target`, of one column for each cell and chroma at full size, with the means of the
  /// first three components.
  ///
  /// Cells must begin inside the picture; what they have outside is left out.
  func shrink(
    _ picture: borrowing Picture, _ cells: Cells, into target: borrowing Picture,
    _ runner: any SliceRunner
  ) {
    precondition(target.width == cells.columns && target.height == cells.rows)
    let threads = max(1, runner.threadCount)
    sums.resize(width: picture.width, height: threads)
    bytes.resize(width: picture.width, height: 3 * threads)
    totals.resize(width: cells.columns, height: threads)
    means.resize(width: cells.columns, height: threads)
    let channels = min(picture.format.layout.componentCount, 3)
    let sources = InlineArray<3, CellSource> { CellSource(picture, min($0, channels - 1)) }
    let targets = InlineArray<3, Component> { target.component(min($0, channels - 1)) }
    let packed = PackedPixels(picture)
    runner.runPieces(cells.rows, least: 8) { piece, rows in
      for row in rows {
        for channel in 0..<channels {
          measure(sources[channel], packed, channel, cells, row, piece)
          targets[channel].scatter(row: row, means.row(piece))
        }
      }
    }
  }

  private func measure(
    _ source: CellSource, _ packed: PackedPixels?, _ channel: Int, _ cells: Cells, _ row: Int,
    _ piece: Int
  ) {
    let rows = source.rows(cells.y + row * cells.step.y, cells.step.y)
    let end = source.columns(cells.x + (cells.columns - 1) * cells.step.x, cells.step.x).upperBound
    let start = cells.x >> source.hShift
    let width = end - start
    let sums = sums.row(piece)[..<width]
    let pitch = (rows.count + Self.mostRows - 1) / Self.mostRows
    let used = (rows.count + pitch - 1) / pitch
    sums.fill(0)
    let room = (
      bytes.row(3 * piece)[..<width], bytes.row(3 * piece + 1)[..<width],
      bytes.row(3 * piece + 2)[..<width]
    )
    for index in 0..<used {
      let y = rows.lowerBound + index * pitch
      let line: Row<UInt8>
      if let packed {
        packed.split(row: y, from: start, into: room)
        line = channel == 0 ? room.0 : channel == 1 ? room.1 : room.2
      } else {
        line = source.component.samples(row: y, from: start, room: room.0)
      }
      let n = min(sums.count, line.count)
      for x in 0..<n { sums[x] &+= UInt16(truncatingIfNeeded: line[x]) }
    }
    divide(sums, source, cells, used, piece)
  }

  /// Adds up the columns of each cell, and writes the means of `rows` rows of them.
  private func divide(
    _ sums: Row<UInt16>, _ source: CellSource, _ cells: Cells, _ rows: Int, _ piece: Int
  ) {
    let totals = totals.row(piece)[..<cells.columns]
    let out = means.row(piece)[..<cells.columns]
    let (origin, step) = (cells.x >> source.hShift, cells.step.x)
    // Where cells are of whole samples they are all alike, but the last.
    let isEven = step & ((1 << source.hShift) - 1) == 0 && cells.x & source.hShift == 0
    let size = step >> source.hShift
    let alike = isEven && size > 0 ? min(sums.count / size, out.count) : 0
    for x in 0..<alike {
      let window = sums[from: x &* size, count: size]
      var sum: Int32 = 0
      for k in 0..<window.count { sum &+= Int32(truncatingIfNeeded: window[k]) }
      totals[x] = sum
    }
    let share = 1 / Float(max(size, 1) * rows)
    for x in 0..<alike {
      out[x] = UInt8(truncatingIfNeeded: nearest(Float(totals[x]) * share))
    }
    for x in alike..<out.count {
      let columns = source.columns(cells.x + x * step, step)
      var sum: Int32 = 0
      for column in columns { sum &+= Int32(sums[column - origin]) }
      out[x] = UInt8(truncatingIfNeeded: nearest(Float(sum) / Float(columns.count * rows)))
    }
  }
}

/// One component, and which of its samples a stretch of the picture touches.
private struct CellSource {
  let component: Component
  let hShift, vShift: Int

  init(_ picture: borrowing Picture, _ index: Int) {
    let place = picture.format.layout[index]
    component = picture.component(index)
    (hShift, vShift) = (place.hShift, place.vShift)
  }

  func columns(_ start: Int, _ count: Int) -> Range<Int> {
    Self.touched(start, count, hShift, component.width)
  }

  func rows(_ start: Int, _ count: Int) -> Range<Int> {
    Self.touched(start, count, vShift, component.height)
  }

  private static func touched(_ start: Int, _ count: Int, _ shift: Int, _ size: Int) -> Range<Int> {
    let first = min(start >> shift, size - 1)
    return first..<max(first + 1, min(PixelLayout.subsampled(start + count, by: shift), size))
  }
}
