package import Filters
package import Pixels

/// Cells of a coarse grid as a background of more than 8 bits; as `CellBackground`, from cells that
/// are not rounded.
package struct DeepCellBackground {
  /// Y, Cb and Cr of each cell, in 8-bit codes.
  private let cells: Grid<SIMD4<Float>>.Rows
  private let across, down: UpsamplePositions
  private let grid: ChromaGrid
  private let codes: DeepCodes

  package init(
    cells: Grid<SIMD4<Float>>.Rows, across: UpsamplePositions, down: UpsamplePositions,
    grid: ChromaGrid, codes: DeepCodes
  ) {
    (self.cells, self.across, self.down) = (cells, across, down)
    (self.grid, self.codes) = (grid, codes)
  }

  /// Writes row `y` of a component to the scratch rows' background.
  func upsample(_ component: Int, _ y: Int, _ scratch: DeepScratch.Rows) {
    let isDoubled = component == 0 && grid.hShift > 0
    let line = component == 0 ? y >> grid.vShift : y
    let top = Int(down.before.row(0)[line])
    let weight = Float(down.weights.row(0)[line]) * (1 / 128)
    let (above, below) = (cells.row(top), cells.row(min(top + 1, cells.height - 1)))
    let mixed = scratch.cells[..<above.count]
    for x in 0..<mixed.count {
      mixed[x] = above[x][component] + (below[x][component] - above[x][component]) * weight
    }
    let values = scratch.interpolated
    across.upsampleBilinear(mixed, 0..<(mixed.count + 1), into: values)
    let samples = values[..<grid.gridWidth]
    guard isDoubled else {
      return DeepKernels.round(scratch.background[..<samples.count], samples, codes)
    }
    let half = scratch.behind[..<samples.count]
    DeepKernels.round(half, samples, codes)
    DeepKernels.repeat2x(scratch.background, half)
  }
}
