package import Pixels

/// The mask of people as two regions: 1 where opacity exceeds one half, else 0.
///
/// Readers stretch such a mask over a rectangle of the frame; cells that extend beyond the frame
/// cannot be described. So the mask divides the frame evenly into as many cells as the grid has,
/// which are slightly smaller if the grid extends beyond the frame. Each is interpolated at its
/// centre from the two or four nearest cells of the grid.
package enum PersonRegions {
  /// Draws the regions of a frame of `width` x `height` pixels on `mask`, which is of the grid's
  /// size and in GRAY8.
  ///
  /// `opacity` is 0...255 in cells of `step` pixels from the upper left on, as many as cover the
  /// frame and no more.
  package static func draw(
    _ opacity: Grid<Int16>, step: Int, width: Int, height: Int, on mask: borrowing Picture
  ) {
    let (columns, rows) = (opacity.width, opacity.height)
    let overhang = (across: columns * step - width, down: rows * step - height)
    precondition(mask.format == .gray8 && mask.width == columns && mask.height == rows)
    precondition(0..<step ~= overhang.across && 0..<step ~= overhang.down)
    let samples = mask.component(0)
    let slope = Int32(overhang.across * one / (columns * step))
    for y in 0..<rows {
      guard let out = samples.row(y, count: columns) else { return }
      // The distance from the mask cell's centre up to that of the grid cell, in 1/128 cell.
      let rise = Int16((2 * y + 1) * overhang.down * 128 / (2 * rows * step))
      let row = opacity.row(y)
      if slope == 0 && rise == 0 {
        threshold(out, row)
      } else {
        thresholdInterpolated(out, row, opacity.row(max(y - 1, 0)), rise, slope)
      }
    }
  }

  /// One cell in the fixed-point units of positions.
  private static let one = 1 << 16

  @inline(never)
  private static func threshold(_ out: Row<UInt8>, _ row: Row<Int16>) {
    let n = out.count
    let row = row[..<n]
    for i in 0..<n { out[i] = row[i] > 127 ? 1 : 0 }
  }

  /// Interpolates between cells: the weight of the row above is `rise` / 128, that of the previous
  /// cell grows by `slope` / 65536 per cell.
  @inline(never)
  private static func thresholdInterpolated(
    _ out: Row<UInt8>, _ row: Row<Int16>, _ above: Row<Int16>, _ rise: Int16, _ slope: Int32
  ) {
    // 255 * 128 fits in 16 bits, the densest vector lanes.
    let ownWeight = 128 &- rise
    out[0] = (row[0] &* ownWeight &+ above[0] &* rise) &>> 7 > 127 ? 1 : 0
    let n = out.count &- 1
    let (out, left, leftAbove) = (out[from: 1, count: n], row[..<n], above[..<n])
    let (row, above) = (row[from: 1, count: n], above[from: 1, count: n])
    for i in 0..<n {
      let own = (row[i] &* ownWeight &+ above[i] &* rise) &>> 7
      let before = (left[i] &* ownWeight &+ leftAbove[i] &* rise) &>> 7
      let middle = Int32(truncatingIfNeeded: i) &* slope &+ slope &+ slope &>> 1
      let previousWeight = Int16(truncatingIfNeeded: middle &>> 9)
      out[i] = (own &* (128 &- previousWeight) &+ before &* previousWeight) &>> 7 > 127 ? 1 : 0
    }
  }
}
