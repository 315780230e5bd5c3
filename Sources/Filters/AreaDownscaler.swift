package import Pixels
package import Threads

/// Downscales pictures of any format by area averaging: each output pixel is the mean of a cell, a
/// box of whole pixels.
///
/// Each component is read at its own resolution; a cell of subsampled chroma uses the samples that
/// it touches. Not thread-safe.
package final class AreaDownscaler {
  /// A grid of cells of `step` pixels, from pixel (`x`, `y`) on.
  package struct Cells {
    package let x, y: Int
    package let step: (x: Int, y: Int)
    package let columns, rows: Int

    package init(x: Int = 0, y: Int = 0, step: (x: Int, y: Int), columns: Int, rows: Int) {
      (self.x, self.y, self.step, self.columns, self.rows) = (x, y, step, columns, rows)
    }
  }

  /// The maximum number of rows read of a cell: more would cost more than they improve the mean.
  private static let maximumRows = 6

  /// For each thread and component: sums over a cell's rows, and scratch for samples.
  private let sums = Grid<UInt16>(of: 0)
  private let halves = Grid<UInt16>(of: 0)
  private let bytes = Grid<UInt8>(of: 0)
  /// For each thread: sums over a cell, and means.
  private let totals = Grid<Int32>(of: 0)
  private let means = Grid<UInt8>(of: 0)

  package init() {}

  /// Fills `target`, of one pixel per cell and without chroma subsampling, with the means of the
  /// first three components.
  ///
  /// Cells must begin inside the picture and are clipped to it.
  package func downscale(
    _ picture: borrowing Picture, _ cells: Cells, into target: borrowing Picture,
    runner: any SliceRunner
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
    runner.runSlices(cells.rows, minimumRows: 8) { slice, rows in
      for row in rows {
        for channel in 0..<channels {
          switch (channel, packed, pairs) {
          case (0, let packed?, _): sumRows(sources[0], packed, cells, row, slice)
          case (1, nil, let pairs?): sumRows(sources[1], pairs, cells, row, slice)
          // Summed with the component before.
          case (_, _?, _), (2, nil, _?): break
          default: sumRows(sources[channel], channel, cells, row, slice)
          }
          writeMeans(sources[channel], channel, cells, row, slice)
          targets[channel].scatter(row: row, means.row(slice))
        }
      }
    }
  }

  /// The pixel rows of a row of cells, the interval of those that are read, and their number.
  private func rowSampling(_ source: CellSource, _ cells: Cells, _ row: Int) -> (
    rows: Range<Int>, pitch: Int, used: Int
  ) {
    let rows = source.sampleRows(cells.y + row * cells.step.y, cells.step.y)
    let pitch = (rows.count + Self.maximumRows - 1) / Self.maximumRows
    return (rows, pitch, (rows.count + pitch - 1) / pitch)
  }

  /// Calls `body` with each pixel row that is read for a row of cells.
  @inline(__always)
  private func forEachSampledRow(
    _ source: CellSource, _ cells: Cells, _ row: Int, _ body: (Int) -> Void
  ) {
    let (rows, pitch, used) = rowSampling(source, cells, row)
    for index in 0..<used { body(rows.lowerBound + index * pitch) }
  }

  /// A component's sums over rows: one for each column, or for each pair of columns.
  private func columnSums(_ source: CellSource, _ channel: Int, _ slice: Int) -> Row<UInt16> {
    sums.row(3 * slice + channel)[..<((source.columns.count + source.fold - 1) / source.fold)]
  }

  /// Sums the pixel rows of a row of cells for one component.
  private func sumRows(
    _ source: CellSource, _ channel: Int, _ cells: Cells, _ row: Int, _ slice: Int
  ) {
    let sums = columnSums(source, channel, slice)
    let scratch = bytes.row(3 * slice)[..<source.columns.count]
    sums.fill(0)
    forEachSampledRow(source, cells, row) { y in
      addSamples(
        sums, source.component.samples(row: y, from: source.columns.lowerBound, scratch: scratch),
        source.fold)
    }
  }

  /// As `sumRows` for all components of packed pixels.
  private func sumRows(
    _ source: CellSource, _ packed: PackedPixels, _ cells: Cells, _ row: Int, _ slice: Int
  ) {
    func scratch(_ channel: Int) -> Row<UInt8> {
      bytes.row(3 * slice + channel)[..<source.columns.count]
    }
    for channel in 0..<3 { columnSums(source, channel, slice).fill(0) }
    forEachSampledRow(source, cells, row) { y in
      packed.deinterleave(
        row: y, from: source.columns.lowerBound, into: (scratch(0), scratch(1), scratch(2)))
      for channel in 0..<3 {
        addSamples(columnSums(source, channel, slice), scratch(channel), source.fold)
      }
    }
  }

  /// As `sumRows` for interleaved chroma.
  private func sumRows(
    _ source: CellSource, _ pairs: ChromaPairs, _ cells: Cells, _ row: Int, _ slice: Int
  ) {
    let sums = (columnSums(source, 1, slice), columnSums(source, 2, slice))
    sums.0.fill(0)
    sums.1.fill(0)
    forEachSampledRow(source, cells, row) { y in
      pairs.addSamples(row: y, from: source.columns.lowerBound, to: sums)
    }
  }

  /// Adds the samples of a line to sums of columns, or of pairs of columns if `fold` is 2.
  private func addSamples(_ sums: Row<UInt16>, _ line: Row<UInt8>, _ fold: Int) {
    if fold == 2 { sums.addPairs(of: line) } else { AreaKernels.add(sums, line) }
  }

  /// Sums the columns of each cell and writes the means.
  private func writeMeans(
    _ source: CellSource, _ channel: Int, _ cells: Cells, _ row: Int, _ slice: Int
  ) {
    let used = rowSampling(source, cells, row).used
    let sums = columnSums(source, channel, slice)
    let totals = totals.row(slice)[..<cells.columns]
    let out = means.row(slice)[..<cells.columns]
    let step = cells.step.x
    let (size, fold, first) = (source.size, source.fold, source.columns.lowerBound)
    guard size > 0 else {
      // Cells that begin between chroma samples take the sample in their middle.
      let inverse = 1 / Float(used)
      let (start, last, shift) = (cells.x + step / 2, sums.count - 1, source.hShift)
      for x in 0..<out.count {
        let column = min((start &+ x &* step) &>> shift &- first, last)
        out[x] = UInt8(truncatingIfNeeded: nearest(Float(sums[column]) * inverse))
      }
      return
    }
    // All cells but the last have the same size.
    let alike = min(source.columns.count / size, out.count)
    for x in alike..<out.count {
      let samples = source.sampleColumns(cells.x + x * step, step)
      var sum: Int32 = 0
      let (start, end) = (samples.lowerBound - first, samples.upperBound - first)
      for column in start / fold..<(end + fold - 1) / fold { sum &+= Int32(sums[column]) }
      out[x] = UInt8(truncatingIfNeeded: nearest(Float(sum) / Float(samples.count * used)))
    }
    let inverse = 1 / Float(size * used)
    var (count, remaining) = (alike * size / fold, size / fold)
    var (from, to) = (sums, halves.row(slice)[..<sums.count])
    // Sums of a cell stay under 2^16 as long as it has no more than 257 samples.
    while remaining & 1 == 0 || remaining % 3 == 0, size * used <= 257 {
      let divisor = remaining & 1 == 0 ? 2 : 3
      count /= divisor
      remaining /= divisor
      if divisor == 2 { AreaKernels.sumPairs(to[..<count], from) }
      if divisor == 3 { AreaKernels.sumTriples(to[..<count], from) }
      swap(&from, &to)
    }
    if remaining == 1 {
      AreaKernels.scaleAndRound(out[..<alike], from[..<alike], inverse)
      return
    }
    for x in 0..<alike {
      let window = from[from: x &* remaining, count: remaining]
      var sum: Int32 = 0
      for k in 0..<window.count { sum &+= Int32(window[k]) }
      totals[x] = sum
    }
    for x in 0..<alike {
      out[x] = UInt8(truncatingIfNeeded: nearest(Float(totals[x]) * inverse))
    }
  }
}

/// One component and the alignment of the cells to its samples.
private struct CellSource {
  let component: Component
  let hShift, vShift: Int
  /// The sample columns that a row of cells touches.
  private(set) var columns = 0..<0
  /// Samples across a cell; 0 if cells begin between samples.
  let size: Int
  /// The number of neighbours summed as they are read: 1 or 2.
  let fold: Int

  /// `isPaired` if samples are read interleaved with another component's.
  init(
    _ picture: borrowing Picture, _ index: Int, _ cells: AreaDownscaler.Cells, isPaired: Bool
  ) {
    let layout = picture.format.layout[index]
    component = picture.component(index)
    (hShift, vShift) = (layout.hShift, layout.vShift)
    let isAligned = (cells.step.x | cells.x) & ((1 << hShift) - 1) == 0
    size = isAligned ? cells.step.x >> hShift : 0
    fold = size > 0 && size & 1 == 0 && !isPaired ? 2 : 1
    let last = sampleColumns(cells.x + (cells.columns - 1) * cells.step.x, cells.step.x)
    columns = cells.x >> hShift..<last.upperBound
  }

  /// The sample columns of `count` pixel columns from `start` on; at least one.
  func sampleColumns(_ start: Int, _ count: Int) -> Range<Int> {
    Self.sampleRange(start, count, hShift, component.width)
  }

  /// The sample rows of `count` pixel rows from `start` on; at least one.
  func sampleRows(_ start: Int, _ count: Int) -> Range<Int> {
    Self.sampleRange(start, count, vShift, component.height)
  }

  private static func sampleRange(
    _ start: Int, _ count: Int, _ shift: Int, _ size: Int
  ) -> Range<Int> {
    let first = min(start >> shift, size - 1)
    return first..<max(first + 1, min(PixelLayout.subsampled(start + count, by: shift), size))
  }
}
