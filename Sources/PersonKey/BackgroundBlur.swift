import Compose
import Filters
import Pixels

/// The background behind people, blurred, without their colours.
///
/// A normalized convolution: cells are weighted by their transparency, and the mean is divided by
/// the sum of weights. A blur of the whole frame would leave a glow of the people's colours around
/// them.
final class BackgroundBlur {
  private let cells: (Grid<UInt8>, Grid<UInt8>, Grid<UInt8>)
  private let blur: BoxGaussian
  private let grid: ChromaGrid
  private let step: Int

  init(grid: ChromaGrid, step: Int, columns: Int, rows: Int) {
    (self.grid, self.step) = (grid, step)
    func small() -> Grid<UInt8> { Grid(width: columns, height: rows, of: 0) }
    cells = (small(), small(), small())
    blur = BoxGaussian(columns: columns, rows: rows)
  }

  /// The blurred cells; valid until the next call.
  ///
  /// `sigma` is a fraction of the picture's height.
  func blurBackground(
    _ colors: PersonCells, opacity: Grid<Int16>, sigma: Double, _ upsampler: GridUpsampler,
    _ slices: FrameSlices
  ) -> CellBackground {
    for y in 0..<colors.rows {
      let (out, alpha) = (blur.cells.row(y), opacity.row(y))
      let (a, b, c) = (colors.colors.0.row(y), colors.colors.1.row(y), colors.colors.2.row(y))
      for x in 0..<out.count {
        let transparency = Float(255 &- alpha[x]) * (1 / 255)
        let weight = transparency * transparency + 1e-4
        out[x] = SIMD4(Float(a[x]), Float(b[x]), Float(c[x]), 1) * weight
      }
    }
    let height = Double(grid.height) / Double(step)
    blur.blur(sigma: sigma * height, runner: slices.runner)
    for y in 0..<colors.rows {
      let line = blur.cells.row(y)
      let (a, b, c) = (cells.0.row(y), cells.1.row(y), cells.2.row(y))
      for x in 0..<line.count {
        let cell = line[x]
        let color = cell * (1 / max(cell.w, 1e-5)) + 128
        line[x] = color
        (a[x], b[x], c[x]) = (nearestByte(color.x), nearestByte(color.y), nearestByte(color.z))
      }
    }
    return CellBackground(
      planes: (cells.0.rows, cells.1.rows, cells.2.rows),
      upsampler: upsampler, grid: grid)
  }

  /// The cells of the last `blurBackground`, not rounded, for samples of more than 8 bits.
  func deepBackground(_ positions: GridPositions, _ codes: DeepCodes) -> DeepCellBackground {
    DeepCellBackground(
      cells: blur.cells.rows, across: positions.across, down: positions.down, grid: grid,
      codes: codes)
  }
}
