import Compose
import Filters
import Pixels

/// The background's light on people's edges: wrap x blurred (1 - a) x a x blurred background.
final class LightWrap {
  /// Standard deviation of the light's blur, as a fraction of the picture's height.
  private static let sigma = 0.015

  private let columns, rows, step: Int
  private let grid: ChromaGrid
  private let blur: BoxGaussian
  private let light: (Grid<UInt8>, Grid<UInt8>, Grid<UInt8>)

  init(grid: ChromaGrid, step: Int, columns: Int, rows: Int) {
    (self.grid, self.step, self.columns, self.rows) = (grid, step, columns, rows)
    blur = BoxGaussian(columns: columns, rows: rows)
    func plane() -> Grid<UInt8> { Grid(width: columns, height: rows, of: 0) }
    light = (plane(), plane(), plane())
  }

  /// The light on samples with an alpha of 255; valid while this lives.
  var planes: InlineArray<3, Grid<UInt8>.Rows> { [light.0.rows, light.1.rows, light.2.rows] }

  /// Computes `planes` for a background, times `strength`.
  func compute(
    _ background: BackgroundRows, opacity: Grid<Int16>, strength: Double, _ slices: FrameSlices
  ) {
    let zero = SIMD4<Float>(
      Float(grid.blackCode(0)), Float(grid.blackCode(1)), Float(grid.blackCode(2)), 0)
    let scratch = slices.firstScratch
    for y in 0..<rows {
      let (out, alpha) = (blur.cells.row(y), opacity.row(y))
      let line = min(y * step + step / 2, grid.height - 1)
      let (luma, chroma) = (
        background.row(0, line, count: grid.width, scratch), line >> grid.vShift
      )
      let cb = background.row(1, chroma, count: grid.gridWidth, scratch)
      let cr = background.row(2, chroma, count: grid.gridWidth, scratch)
      for x in 0..<columns {
        let column = min(x * step + step / 2, grid.width - 1)
        let small = column >> grid.hShift
        let transparency = Float(255 &- alpha[x]) * (1 / 255)
        let color = SIMD4(Float(luma[column]), Float(cb[small]), Float(cr[small]), 0) - zero
        out[x] = color
        out[x].w = transparency
      }
    }
    blur.blur(sigma: Self.sigma * Double(grid.height) / Double(step), runner: slices.runner)
    let middle: Float = grid.isRGB ? 0 : 128
    for y in 0..<rows {
      let line = blur.cells.row(y)
      let (a, b, c) = (light.0.row(y), light.1.row(y), light.2.row(y))
      for x in 0..<columns {
        let cell = line[x] * (line[x].w * Float(strength))
        (a[x], b[x], c[x]) = (
          nearestByte(cell.x), nearestByte(cell.y + middle), nearestByte(cell.z + middle)
        )
      }
    }
  }
}
