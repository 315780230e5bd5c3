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

  /// Of each thread, for each component: sums over a cell's rows, and room for samples.
  private let sums = Grid<UInt16>(of: 0)
  private let halves = Grid<UInt16>(of: 0)
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
    sums.resize(width: picture.width, height: 3 * threads)
    halves.resize(width: picture.width, height: threads)
    bytes.resize(width: picture.width, height: 3 * threads)
    totals.resize(width: cells.columns, height: threads)
    means.resize(width: cells.columns, height: threads)
    let channels = min(picture.format.layout.componentCount, 3)
    let packed = PackedPixels(picture)
    let pairs = ChromaPairs(picture)
    let sources = InlineArray<3, CellSource> {
      CellSource(picture, min($0, channels - 1), cells, isPaired: pairs != nil && $0 > 0)
    }
    let targets = InlineArray<3, Component> { target.component(min($0, channels - 1)) }
    runner.runPieces(cells.rows, least: 8) { piece, rows in
      for row in rows {
        for channel in 0..<channels {
          if let packed {
            if channel == 0 { add(sources[0], packed, cells, row, piece) }
          } else if let pairs, channel > 0 {
            if channel == 1 { add(sources[1], pairs, cells, row, piece) }
          } else {
            add(sources[channel], channel, cells, row, piece)
          }
          divide(sources[channel], channel, cells, row, piece)
          targets[channel].scatter(row: row, means.row(piece))
        }
      }
    }
  }

  /// How far apart the rows of a row of cells are that are looked at, and how many they are.
  private func lines(_ source: CellSource, _ cells: Cells, _ row: Int) -> (
    rows: Range<Int>, pitch: Int, used: Int
  ) {
    let rows = source.rows(cells.y + row * cells.step.y, cells.step.y)
    let pitch = (rows.count + Self.mostRows - 1) / Self.mostRows
    return (rows, pitch, (rows.count + pitch - 1) / pitch)
  }

  /// Calls `body` with each row of a row of cells that is looked at.
  @inline(__always)
  private func forLines(
    _ source: CellSource, _ cells: Cells, _ row: Int, _ body: (Int) -> Void
  ) {
    let (rows, pitch, used) = lines(source, cells, row)
    for index in 0..<used { body(rows.lowerBound + index * pitch) }
  }

  /// A component's sums over rows: one for each column that cells touch, or for two.
  private func sums(_ source: CellSource, _ channel: Int, _ piece: Int) -> Row<UInt16> {
    sums.row(3 * piece + channel)[..<((source.columns.count + source.fold - 1) / source.fold)]
  }

  /// Adds up the rows of a row of cells: of one component.
  private func add(
    _ source: CellSource, _ channel: Int, _ cells: Cells, _ row: Int, _ piece: Int
  ) {
    let sums = sums(source, channel, piece)
    let room = bytes.row(3 * piece)[..<source.columns.count]
    sums.fill(0)
    forLines(source, cells, row) { y in
      add(
        sums, source.component.samples(row: y, from: source.columns.lowerBound, room: room),
        source.fold)
    }
  }

  /// Of all that are packed.
  private func add(
    _ source: CellSource, _ packed: PackedPixels, _ cells: Cells, _ row: Int, _ piece: Int
  ) {
    func room(_ channel: Int) -> Row<UInt8> {
      bytes.row(3 * piece + channel)[..<source.columns.count]
    }
    for channel in 0..<3 { sums(source, channel, piece).fill(0) }
    forLines(source, cells, row) { y in
      packed.split(row: y, from: source.columns.lowerBound, into: (room(0), room(1), room(2)))
      for channel in 0..<3 { add(sums(source, channel, piece), room(channel), source.fold) }
    }
  }

  /// Of both that are chroma.
  private func add(
    _ source: CellSource, _ pairs: ChromaPairs, _ cells: Cells, _ row: Int, _ piece: Int
  ) {
    let sums = (sums(source, 1, piece), sums(source, 2, piece))
    sums.0.fill(0)
    sums.1.fill(0)
    forLines(source, cells, row) { y in
      pairs.add(row: y, from: source.columns.lowerBound, to: sums)
    }
  }

  private func add(_ sums: Row<UInt16>, _ line: Row<UInt8>, _ fold: Int) {
    if fold == 2 { sums.addPairs(of: line) } else { Self.add(sums, line) }
  }

  @inline(never)
  private static func add(_ sums: Row<UInt16>, _ line: Row<UInt8>) {
    let n = sums.count
    let line = line[..<n]
    for x in 0..<n { sums[x] &+= UInt16(line[x]) }
  }

  /// Adds up the columns of each cell, and writes the means.
  private func divide(
    _ source: CellSource, _ channel: Int, _ cells: Cells, _ row: Int, _ piece: Int
  ) {
    let used = lines(source, cells, row).used
    let sums = sums(source, channel, piece)
    let totals = totals.row(piece)[..<cells.columns]
    let out = means.row(piece)[..<cells.columns]
    let step = cells.step.x
    let (size, fold, first) = (source.size, source.fold, source.columns.lowerBound)
    guard size > 0 else {
      // Chroma of cells that begin between its samples: the one in the middle tells enough.
      let share = 1 / Float(used)
      let (start, last, shift) = (cells.x + step / 2, sums.count - 1, source.hShift)
      for x in 0..<out.count {
        let column = min((start &+ x &* step) &>> shift &- first, last)
        out[x] = UInt8(truncatingIfNeeded: nearest(Float(sums[column]) * share))
      }
      return
    }
    // Cells are all alike, but the last.
    let alike = min(source.columns.count / size, out.count)
    for x in alike..<out.count {
      let touched = source.columns(cells.x + x * step, step)
      var sum: Int32 = 0
      let (start, end) = (touched.lowerBound - first, touched.upperBound - first)
      for column in start / fold..<(end + fold - 1) / fold { sum &+= Int32(sums[column]) }
      out[x] = UInt8(truncatingIfNeeded: nearest(Float(sum) / Float(touched.count * used)))
    }
    let share = 1 / Float(size * used)
    var (count, rest) = (alike * size / fold, size / fold)
    var (from, to) = (sums, halves.row(piece)[..<sums.count])
    // Sums of a cell stay under 2^16 as long as it has no more than 257 samples.
    while rest & 1 == 0 || rest % 3 == 0, size * used <= 257 {
      let part = rest & 1 == 0 ? 2 : 3
      count /= part
      rest /= part
      if part == 2 { Self.halve(from, into: to[..<count]) }
      if part == 3 { Self.third(from, into: to[..<count]) }
      swap(&from, &to)
    }
    if rest == 1 {
      Self.write(out[..<alike], from[..<alike], share)
      return
    }
    for x in 0..<alike {
      let window = from[from: x &* rest, count: rest]
      var sum: Int32 = 0
      for k in 0..<window.count { sum &+= Int32(window[k]) }
      totals[x] = sum
    }
    for x in 0..<alike {
      out[x] = UInt8(truncatingIfNeeded: nearest(Float(totals[x]) * share))
    }
  }

  /// Adds neighbours up two by two.
  @inline(never)
  private static func halve(_ sums: Row<UInt16>, into out: Row<UInt16>) {
    let n = out.count
    let sums = sums[..<(2 * n)]
    for x in 0..<n { out[x] = sums[2 &* x] &+ sums[2 &* x &+ 1] }
  }

  /// Adds neighbours up three by three; what they add up to fits in 16 bits.
  @inline(never)
  private static func third(_ sums: Row<UInt16>, into out: Row<UInt16>) {
    let n = out.count
    guard n > 0 else { return }
    let sums = sums[..<(3 * n)]
    for x in 0..<(n - 1) {
      // Four at once, of which the last is cut off; the product's third lane is the sum.
      let four = sums.word(at: 3 &* x, as: UInt64.self)
      let three = (four & 0xffff_ffff_ffff) &* 0x0001_0001_0001
      out[x] = UInt16(truncatingIfNeeded: three &>> 32)
    }
    let last = 3 * (n - 1)
    out[n - 1] = sums[last] &+ sums[last + 1] &+ sums[last + 2]
  }

  @inline(never)
  private static func write(_ out: Row<UInt8>, _ sums: Row<UInt16>, _ share: Float) {
    let n = out.count
    let sums = sums[..<n]
    for x in 0..<n { out[x] = UInt8(truncatingIfNeeded: nearest(Float(sums[x]) * share)) }
  }
}

/// One component, and how cells lie on its samples.
private struct CellSource {
  let component: Component
  let hShift, vShift: Int
  /// The columns that a row of cells touches.
  private(set) var columns = 0..<0
  /// Samples across a cell; 0 where cells begin between them.
  let size: Int
  /// Neighbours that are added up as they are read.
  let fold: Int

  /// `isPaired` where each is read with one of another component.
  init(
    _ picture: borrowing Picture, _ index: Int, _ cells: CellShrinker.Cells, isPaired: Bool
  ) {
    let place = picture.format.layout[index]
    component = picture.component(index)
    (hShift, vShift) = (place.hShift, place.vShift)
    let isWhole = (cells.step.x | cells.x) & ((1 << hShift) - 1) == 0
    size = isWhole ? cells.step.x >> hShift : 0
    fold = size > 0 && size & 1 == 0 && !isPaired ? 2 : 1
    let last = columns(cells.x + (cells.columns - 1) * cells.step.x, cells.step.x)
    columns = cells.x >> hShift..<last.upperBound
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
