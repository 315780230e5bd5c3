import Filters
import Pixels

/// The means of an area's blocks: all that is kept of its content.
///
/// A mean includes all samples of its block, even where only a part is hidden: the mean of that
/// part would reveal more than those of its neighbours. Each block is then averaged with the blocks
/// around it: detectors and people recognise a face from plain means of eight blocks across.
final class BlockMeans {
  /// Maximum number of rows that are summed without overflow of a column.
  private static let maximumRows = 256

  private let columns = Grid<UInt16>(of: 0)
  private let sums = Grid<UInt32>(of: 0)
  private let counts = Grid<UInt32>(of: 0)
  /// Four bytes per block, by component; and the averages.
  private var means = Grid<UInt8>(of: 0)
  private var averages = Grid<UInt8>(of: 0)
  /// The columns of the moving average, and the sums of one row of blocks.
  private let windows = Grid<Int32>(of: 0)
  private let totals = Grid<Int32>(of: 0)
  /// For each row the range of blocks that the area touches.
  private let blockRanges = Grid<Int>(width: 2, height: 0, of: 0)

  /// Builds the grid for a shape, and measures its blocks; nil if the shape lies outside the
  /// picture.
  func measure(
    _ picture: borrowing Picture, _ shape: HideShape, size: Double, _ settings: HideSettings
  ) -> BlockGrid? {
    guard
      let grid = BlockGrid(
        shape.bounds, size: size, strength: settings.strength, width: picture.width,
        height: picture.height)
    else { return nil }
    measure(picture, grid, shape, radius: BlockGrid.averagingRadius(settings))
    return grid
  }

  /// Measures the blocks of a grid that a shape touches.
  ///
  /// Each gets the mean of the blocks at most `radius` columns and rows away.
  func measure(_ picture: borrowing Picture, _ grid: BlockGrid, _ shape: HideShape, radius: Int) {
    means.resize(width: 4 * grid.columns, height: grid.rows)
    blockRanges.resize(width: 2, height: grid.rows)
    sums.resize(width: 4 * grid.columns, height: 1)
    counts.resize(width: 4 * grid.columns, height: 1)
    // A plane has at most four bytes per pixel.
    columns.resize(width: 4 * picture.width + 4, height: 1)
    for row in 0..<grid.rows {
      let rows = grid.pixelRows(row)
      var blocks = 0..<0
      if !rows.isEmpty,
        let span = shape.columns(from: Double(rows.lowerBound), to: Double(rows.upperBound))
      {
        blocks = grid.blocks(touching: span)
      }
      blockRanges.row(row)[0] = blocks.lowerBound
      blockRanges.row(row)[1] = blocks.upperBound
      guard !blocks.isEmpty else { continue }
      for plane in 0..<picture.format.layout.planeCount {
        measure(picture.plane(plane), PlaneUnits(plane, picture), grid, row: row, blocks: blocks)
      }
    }
    average(grid, radius)
  }

  /// The blocks of a row that the shape touches.
  func coveredBlocks(_ row: Int) -> Range<Int> { blockRanges.row(row)[0]..<blockRanges.row(row)[1] }

  /// The means of a row of blocks: four bytes each.
  func row(_ row: Int) -> Row<UInt8> { means.row(row) }

  // MARK: Blocks

  private func measure(
    _ plane: Plane, _ units: PlaneUnits, _ grid: BlockGrid, row: Int, blocks: Range<Int>
  ) {
    let rows = units.rows(grid.pixelRows(row))
    let unitRange = units.units(grid.pixelColumns(blocks))
    guard !unitRange.isEmpty else { return }
    let first = unitRange.lowerBound * units.bytes
    let length = unitRange.count * units.bytes
    let (sums, counts) = (sums.row(0), counts.row(0))
    for index in 4 * blocks.lowerBound..<4 * blocks.upperBound {
      sums[index] = 0
      counts[index] = 0
    }
    var start = rows.lowerBound
    while start < rows.upperBound {
      let end = min(start + Self.maximumRows, rows.upperBound)
      let columns = columns.row(0)[..<length]
      columns.fill(0)
      for y in start..<end {
        AreaKernels.add(columns, plane.row(y)[from: first, count: length])
      }
      for block in blocks {
        add(
          units.units(grid.pixelColumns(block)), columns, first: first, rows: end - start, units,
          block: block)
      }
      start = end
    }
    divide(units, row: row, blocks: blocks)
  }

  private func add(
    _ unitRange: Range<Int>, _ columns: Row<UInt16>, first: Int, rows: Int, _ units: PlaneUnits,
    block: Int
  ) {
    let (sums, counts) = (sums.row(0), counts.row(0))
    for byte in 0..<units.bytes {
      guard let component = units.components[byte], !unitRange.isEmpty else { continue }
      // A padding byte can only be in the last unit.
      let isPadding = units.padding == (unitRange.upperBound - 1) * units.bytes + byte
      let count = unitRange.count - (isPadding ? 1 : 0)
      let start = unitRange.lowerBound * units.bytes + byte - first
      sums[4 * block + component] &+= Self.sum(columns, from: start, every: units.bytes, count)
      counts[4 * block + component] &+= UInt32(count * rows)
    }
  }

  @inline(__always)
  private static func sum(
    _ columns: Row<UInt16>, from start: Int, every step: Int, _ count: Int
  ) -> UInt32 {
    var sum: UInt32 = 0
    if step == 1 {
      let unitRange = columns[from: start, count: count]
      for x in 0..<count { sum &+= UInt32(unitRange[x]) }
    } else {
      for x in 0..<count { sum &+= UInt32(columns[start + x * step]) }
    }
    return sum
  }

  private func divide(_ units: PlaneUnits, row: Int, blocks: Range<Int>) {
    let (sums, counts, means) = (sums.row(0), counts.row(0), means.row(row))
    for block in blocks {
      for byte in 0..<units.bytes {
        guard let component = units.components[byte] else { continue }
        let index = 4 * block + component
        let count = max(counts[index], 1)
        means[index] = UInt8(truncatingIfNeeded: (sums[index] + count / 2) / count)
      }
    }
  }

  // MARK: Neighbours

  /// Replaces the mean of each block by the average of the means around it: box sums of the touched
  /// blocks, divided by their number.
  private func average(_ grid: BlockGrid, _ radius: Int) {
    guard radius > 0 else { return }
    let width = grid.columns
    windows.resize(width: BoxSum.rowLength(width, radius: radius), height: 6)
    totals.resize(width: width, height: 5)
    averages.resize(width: 4 * width, height: grid.rows)
    let box = BoxSum(windows.rows, first: 0, channels: 5, width: width, radius: radius)
    box.clear()
    let total = totals.rows
    for row in 0..<grid.rows {
      box.slide(to: row, from: 0, height: grid.rows) { other, sign in
        let line = means.row(other)
        for component in 0..<4 {
          let sums = box.columnSums(component)
          for block in coveredBlocks(other) {
            sums[block] &+= sign &* Int32(line[4 * block + component])
          }
        }
        let counts = box.columnSums(4)
        for block in coveredBlocks(other) { counts[block] &+= sign }
      }
      let (blocks, line) = (coveredBlocks(row), averages.row(row))
      for channel in 0..<5 { box.writeWindowSums(channel, blocks, into: total.row(channel)) }
      for block in blocks {
        let count = total.row(4)[block]
        for component in 0..<4 {
          line[4 * block + component] = UInt8(
            truncatingIfNeeded: (total.row(component)[block] + count / 2) / count)
        }
      }
    }
    swap(&means, &averages)
  }
}
