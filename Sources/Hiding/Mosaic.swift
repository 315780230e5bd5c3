import Pixels

/// Hides areas behind blocks of one colour each.
///
/// Each block that the area touches is filled completely, so that the edge reveals no more than the
/// blocks.
final class Mosaic {
  private let means = BlockMeans()
  private let bytes = Grid<UInt8>(of: 0)

  func hide(
    _ picture: borrowing Picture, _ deep: DeepPlanes?, _ shape: HideShape, size: Double,
    _ settings: HideSettings
  ) {
    guard let grid = means.measure(picture, shape, size: size, settings) else { return }
    for row in 0..<grid.rows {
      let blocks = means.coveredBlocks(row)
      guard !blocks.isEmpty else { continue }
      for plane in 0..<picture.format.layout.planeCount {
        fill(picture, deep, PlaneUnits(plane, picture), grid, row: row, blocks: blocks)
      }
    }
  }

  private func fill(
    _ picture: borrowing Picture, _ deep: DeepPlanes?, _ units: PlaneUnits, _ grid: BlockGrid,
    row: Int, blocks: Range<Int>
  ) {
    let means = means.row(row)
    let rows = units.rows(grid.pixelRows(row))
    if units.hasFiller, let pixels = PackedPixels(picture) {
      for y in rows {
        for block in blocks {
          let columns = grid.pixelColumns(block)
          pixels.fill(
            row: y, from: columns.lowerBound, count: columns.count,
            (means[4 * block], means[4 * block + 1], means[4 * block + 2]), alpha: 255)
        }
      }
      return
    }
    let unitRange = units.units(grid.pixelColumns(blocks))
    let first = unitRange.lowerBound * units.bytes
    let length = unitRange.count * units.bytes
    bytes.resize(width: length, height: 1)
    let line = bytes.row(0)
    for block in blocks {
      for unit in units.units(grid.pixelColumns(block)) {
        for byte in 0..<units.bytes {
          guard let component = units.components[byte] else { continue }
          line[unit * units.bytes + byte - first] = means[4 * block + component]
        }
      }
    }
    let plane = picture.plane(units.plane)
    for y in rows {
      plane.write(line, row: y, from: first, skipping: units.padding)
      deep?.write(line, component: units.plane, row: y, from: first)
    }
  }
}

extension Plane {
  /// Writes bytes of row `y` from byte `first` on, except the byte at index `padding`.
  func write(_ line: Row<UInt8>, row y: Int, from first: Int, skipping padding: Int?) {
    let row = row(y)
    guard let padding, padding >= first, padding < first + line.count else {
      row[from: first, count: line.count].copy(line)
      return
    }
    let kept = row[padding]
    row[from: first, count: line.count].copy(line)
    row[padding] = kept
  }
}
