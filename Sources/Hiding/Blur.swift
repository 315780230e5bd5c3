import Pixels

/// Hides areas behind gradients between the means of blocks.
///
/// It uses only the means of `Mosaic`, so unlike a blur of the samples it cannot be inverted.
final class Blur {
  private let means = BlockMeans()
  /// For each row of blocks a row of samples at the height of the blocks' centres, times 256.
  private let lines = Grid<UInt16>(of: 0)
  /// Weights of the rows above and below, times 65536.
  ///
  /// They are rows, since the loop would widen constant factors.
  private let weights = Grid<UInt16>(of: 0)
  private let samples = Grid<UInt8>(of: 0)

  func hide(
    _ picture: borrowing Picture, _ deep: DeepPlanes?, _ shape: HideShape, size: Double,
    _ settings: HideSettings
  ) {
    guard let grid = means.measure(picture, shape, size: size, settings) else { return }
    weights.resize(width: picture.width, height: 2)
    samples.resize(width: picture.width, height: 1)
    let top = max(grid.y, 0)
    let bottom = min(grid.y + grid.rows * grid.side, picture.height)
    let left = max(grid.x, 0)
    let right = min(grid.x + grid.columns * grid.side, picture.width)
    for index in 0..<picture.format.layout.componentCount {
      let componentLayout = picture.format.layout[index]
      let component = picture.component(index)
      let all =
        left >> componentLayout.hShift..<max(left, right + (1 << componentLayout.hShift) - 1)
        >> componentLayout.hShift
      interpolateColumns(index, grid, all, shift: componentLayout.hShift)
      for y in top >> componentLayout.vShift..<max(top, bottom + (1 << componentLayout.vShift) - 1)
        >> componentLayout.vShift
      where y < component.height {
        let rows = (y << componentLayout.vShift)..<((y + 1) << componentLayout.vShift)
        guard let span = shape.columns(from: Double(rows.lowerBound), to: Double(rows.upperBound))
        else { continue }
        let low = clamped(span.lowerBound, picture.width) >> componentLayout.hShift
        let high = clamped(span.upperBound + Double(1 << componentLayout.hShift), picture.width)
        let columns =
          low..<max(
            low,
            min(
              (high + (1 << componentLayout.hShift) - 1) >> componentLayout.hShift, component.width)
          )
        let measuredColumns = columns.clamped(to: all)
        guard !measuredColumns.isEmpty,
          interpolate(
            grid, row: Double(rows.lowerBound + rows.upperBound) / 2, measuredColumns,
            from: all.lowerBound)
        else { continue }
        let line = samples.row(0)[..<measuredColumns.count]
        component.scatter(row: y, from: measuredColumns.lowerBound, line)
        deep?.write(line, component: index, row: y, from: measuredColumns.lowerBound)
      }
    }
  }

  private func clamped(_ value: Double, _ size: Int) -> Int {
    Int(min(max(value, 0), Double(size)))
  }

  /// Interpolates the samples of a row between two rows of blocks; false if no row was measured.
  private func interpolate(
    _ grid: BlockGrid, row position: Double, _ columns: Range<Int>, from first: Int
  ) -> Bool {
    let position = (position - Double(grid.y)) / Double(grid.side) - 0.5
    let above = Int(position.rounded(.down))
    guard let upper = nearestMeasuredRow(above, grid),
      let lower = nearestMeasuredRow(above + 1, grid)
    else { return false }
    let weight = UInt16(min(max((position - Double(above)) * 65536, 0), 65535))
    let (n, start) = (columns.count, columns.lowerBound - first)
    let (a, b) = (weights.row(0)[..<n], weights.row(1)[..<n])
    a.fill(65535 - weight)
    b.fill(weight)
    Self.interpolate(
      lines.row(upper)[from: start, count: n], lines.row(lower)[from: start, count: n], a, b,
      into: samples.row(0)[..<n])
    return true
  }

  @inline(never)
  private static func interpolate(
    _ upper: Row<UInt16>, _ lower: Row<UInt16>, _ a: Row<UInt16>, _ b: Row<UInt16>,
    into out: Row<UInt8>
  ) {
    let n = out.count
    let (upper, lower, a, b) = (upper[..<n], lower[..<n], a[..<n], b[..<n])
    for x in 0..<n {
      let sum = multiplyHigh(upper[x], a[x]) &+ multiplyHigh(lower[x], b[x]) &+ 128
      out[x] = UInt8(truncatingIfNeeded: sum &>> 8)
    }
  }

  /// The measured row of blocks nearest to `row`.
  private func nearestMeasuredRow(_ row: Int, _ grid: BlockGrid) -> Int? {
    let row = min(max(row, 0), grid.rows - 1)
    for distance in 0..<grid.rows {
      let (above, below) = (row - distance, row + distance)
      if above >= 0, !means.coveredBlocks(above).isEmpty { return above }
      if below < grid.rows, !means.coveredBlocks(below).isEmpty { return below }
    }
    return nil
  }

  private func clampedBlock(_ block: Int, _ measured: Range<Int>) -> Int {
    min(max(block, measured.lowerBound), measured.upperBound - 1)
  }

  /// Fills the lines of a component by interpolating between the blocks' centres.
  private func interpolateColumns(
    _ component: Int, _ grid: BlockGrid, _ columns: Range<Int>, shift: Int
  ) {
    lines.resize(width: columns.count, height: grid.rows)
    let step = grid.side >> shift
    // The centre of the first block, in samples of the component.
    let origin = (grid.x + grid.side / 2) >> shift
    for row in 0..<grid.rows {
      let (measured, means, line) = (means.coveredBlocks(row), means.row(row), lines.row(row))
      guard !measured.isEmpty else { continue }
      var x = columns.lowerBound
      while x < columns.upperBound {
        let distance = x - origin
        let block = distance >= 0 ? distance / step : (distance - step + 1) / step
        let end = min(origin + (block + 1) * step, columns.upperBound)
        let left = Int32(means[4 * clampedBlock(block, measured) + component]) &<< 16
        let right = Int32(means[4 * clampedBlock(block + 1, measured) + component]) &<< 16
        let slope = (right &- left) / Int32(step)
        let start = left &+ slope &* Int32(distance - block * step)
        let segment = line[from: x - columns.lowerBound, count: end - x]
        for i in 0..<segment.count {
          segment[i] = UInt16(
            truncatingIfNeeded: (start &+ slope &* Int32(truncatingIfNeeded: i)) &>> 8)
        }
        x = end
      }
    }
  }
}
