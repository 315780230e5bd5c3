import Pixels

/// Hides areas behind soft changes from the mean of each block to that of the next.
///
/// It is made of the means that a mosaic shows and of nothing else, so that it cannot be undone
/// either, as a blur can that was made from every sample.
final class Blur {
  private let means = BlockMeans()
  /// The values of a row of block centres, times 65536.
  private let centers = Grid<Int32>(of: 0)
  private let line = Grid<UInt8>(of: 0)

  func hide(
    _ picture: borrowing Picture, _ shape: HideShape, size: Double, _ settings: HideSettings
  ) {
    guard let grid = means.measure(picture, shape, size: size, settings) else { return }
    centers.resize(width: grid.columns, height: 1)
    line.resize(width: picture.width, height: 1)
    let top = max(grid.y, 0)
    let bottom = min(grid.y + grid.rows * grid.side, picture.height)
    for index in 0..<picture.format.layout.componentCount {
      let place = picture.format.layout[index]
      let component = picture.component(index)
      for y in top >> place.vShift..<max(top, bottom + (1 << place.vShift) - 1) >> place.vShift
      where y < component.height {
        let rows = (y << place.vShift)..<((y + 1) << place.vShift)
        guard
          let reach = shape.columns(from: Double(rows.lowerBound), to: Double(rows.upperBound)),
          interpolate(index, grid, row: Double(rows.lowerBound + rows.upperBound) / 2)
        else { continue }
        let low = clamped(reach.lowerBound, picture.width) >> place.hShift
        let high = clamped(reach.upperBound + Double(1 << place.hShift), picture.width)
        let columns =
          low..<max(low, min((high + (1 << place.hShift) - 1) >> place.hShift, component.width))
        guard !columns.isEmpty else { continue }
        draw(grid, columns, shift: place.hShift)
        component.scatter(row: y, from: low, line.row(0)[..<columns.count])
      }
    }
  }

  private func clamped(_ value: Double, _ size: Int) -> Int {
    Int(min(max(value, 0), Double(size)))
  }

  /// Makes the values of the block centres for a place between two rows of them; false without any.
  private func interpolate(_ component: Int, _ grid: BlockGrid, row place: Double) -> Bool {
    let position = (place - Double(grid.y)) / Double(grid.side) - 0.5
    let above = Int(position.rounded(.down))
    let share = Int32((position - Double(above)) * 256)
    guard let first = known(above, grid), let second = known(above + 1, grid) else { return false }
    let (a, b) = (means.row(first), means.row(second))
    let (touchedA, touchedB) = (means.touched(first), means.touched(second))
    let centers = centers.row(0)
    for block in 0..<grid.columns {
      let upper = Int32(a[4 * nearest(block, touchedA) + component])
      let lower = Int32(b[4 * nearest(block, touchedB) + component])
      centers[block] = (upper &* (256 &- share) &+ lower &* share) &<< 8
    }
    return true
  }

  /// The row of blocks nearest to one of this number that holds any.
  private func known(_ row: Int, _ grid: BlockGrid) -> Int? {
    let row = min(max(row, 0), grid.rows - 1)
    for away in 0..<grid.rows {
      let (above, below) = (row - away, row + away)
      if above >= 0, !means.touched(above).isEmpty { return above }
      if below < grid.rows, !means.touched(below).isEmpty { return below }
    }
    return nil
  }

  private func nearest(_ block: Int, _ touched: Range<Int>) -> Int {
    min(max(block, touched.lowerBound), touched.upperBound - 1)
  }

  /// Fills the line with what lies between the centres.
  private func draw(_ grid: BlockGrid, _ columns: Range<Int>, shift: Int) {
    let (centers, line) = (centers.row(0), line.row(0))
    let step = grid.side >> shift
    // Of the first block's centre, in samples of the component.
    let origin = (grid.x + grid.side / 2) >> shift
    var x = columns.lowerBound
    while x < columns.upperBound {
      let away = x - origin
      let block = away >= 0 ? away / step : (away - step + 1) / step
      let end = min(origin + (block + 1) * step, columns.upperBound)
      let left = centers[min(max(block, 0), grid.columns - 1)]
      let right = centers[min(max(block + 1, 0), grid.columns - 1)]
      let slope = (right &- left) / Int32(step)
      let start = left &+ slope &* Int32(away - block * step) &+ 32768
      let part = line[from: x - columns.lowerBound, count: end - x]
      for i in 0..<part.count {
        part[i] = UInt8(truncatingIfNeeded: (start &+ slope &* Int32(truncatingIfNeeded: i)) &>> 16)
      }
      x = end
    }
  }
}
