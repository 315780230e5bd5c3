import Filters
import Pixels

/// Light of what stands behind that falls on people's edges: wrap x blurred (1 - a) x a x blurred N.
final class LightWrap {
  /// Width of the light, as a share of the picture's height.
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

  /// The light of a background, `strength` of it; valid until the next call.
  func make(
    _ background: BackgroundRows, opacity: Grid<Int16>, strength: Double,
    _ upsampler: GridUpsampler,
    _ slices: KeySlices
  ) -> EdgeLight {
    let zero = SIMD4<Float>(
      Float(grid.neutral(0)), Float(grid.neutral(1)), Float(grid.neutral(2)), 0)
    let room = slices.scratch[0].rows
    for y in 0..<rows {
      let (out, alpha) = (blur.cells.row(y), opacity.row(y))
      let line = min(y * step + step / 2, grid.height - 1)
      let (luma, chroma) = (
        background.row(0, line, from: 0, count: grid.width, room), line >> grid.vShift
      )
      let cb = background.row(1, chroma, from: 0, count: grid.gridWidth, room)
      let cr = background.row(2, chroma, from: 0, count: grid.gridWidth, room)
      for x in 0..<columns {
        let column = min(x * step + step / 2, grid.width - 1)
        let small = column >> grid.hShift
        let rest = Float(255 &- alpha[x]) * (1 / 255)
        let color = SIMD4(Float(luma[column]), Float(cb[small]), Float(cr[small]), 0) - zero
        out[x] = color
        out[x].w = rest
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
    return EdgeLight(planes: [light.0.rows, light.1.rows, light.2.rows], upsampler: upsampler)
  }
}

/// The light of a `LightWrap`, as a frame's edges are composed with it; valid while it lives.
struct EdgeLight {
  let planes: InlineArray<3, Grid<UInt8>.Rows>
  let upsampler: GridUpsampler

  /// Writes what is added to a run's samples that are all somebody, of the grid's size.
  func upsample(_ run: Composer.Run, _ scratch: KeyRows) {
    for index in 0..<3 {
      upsampler.upsampleBilinear(
        planes[index], row: run.y, from: run.x, count: run.count, into: scratch.wrapped(index),
        scratch: scratch.weights)
    }
  }
}
