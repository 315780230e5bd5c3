import Pixels

/// Converts rows of red, green and blue to the components of a background.
///
/// Chroma is subsampled with weights 1 2 1 if it is cosited with a column or row, else by the mean
/// of the two neighbours.
final class BackgroundWriter {
  private let grid: ChromaGrid
  private let rows: (Grid<UInt8>.Rows, Grid<UInt8>.Rows, Grid<UInt8>.Rows)
  /// The same rows in codes of more bits, where the stream has them.
  private let deep: (Grid<UInt16>.Rows, Grid<UInt16>.Rows, Grid<UInt16>.Rows)?
  private let codes: DeepCodes?
  /// Weighted sums of Cb and Cr of the grid row in the making and the one below, and of weights.
  private let sums: Grid<SIMD2<Float>>
  private var current = 0
  private var totals: (Float, Float) = (0, 0)
  /// Cb and Cr of a row's pixels.
  private let pair: Grid<SIMD2<Float>>
  /// Y, Cb, Cr of black, and what full red, green and blue add, each by 1/255.
  private let black, red, green, blue: SIMD4<Float>

  /// Writes `rows`, made for `grid`.
  init(
    grid: ChromaGrid, rows: (Grid<UInt8>.Rows, Grid<UInt8>.Rows, Grid<UInt8>.Rows),
    deep: (Grid<UInt16>.Rows, Grid<UInt16>.Rows, Grid<UInt16>.Rows)?
  ) {
    (self.grid, self.rows, self.deep) = (grid, rows, deep)
    codes = DeepCodes(grid.video)
    sums = Grid(width: grid.gridWidth, height: 2, of: .zero)
    pair = Grid(width: grid.width, height: 1, of: .zero)
    func ycc(_ r: Float, _ g: Float, _ b: Float) -> SIMD4<Float> {
      let code = grid.colorimetry.ycc(r: r, g: g, b: b)
      return SIMD4(code.y, code.cb, code.cr, 0)
    }
    black = ycc(0, 0, 0)
    red = (ycc(255, 0, 0) - black) * (1 / 255)
    green = (ycc(0, 255, 0) - black) * (1 / 255)
    blue = (ycc(0, 0, 255) - black) * (1 / 255)
  }

  /// Converts row `y`; rows come in order.
  func writeRow(_ line: Row<SIMD4<Float>>, y: Int) {
    let width = grid.width
    let line = line[..<width]
    let out = rows.0.row(y)[..<width]
    if grid.isRGB {
      for component in 0..<3 {
        let out = pick(component, rows).row(y)[..<width]
        for x in 0..<width { out[x] = nearestByte(line[x][component]) }
      }
      return
    }
    let pair = pair.row(0)[..<width]
    for x in 0..<width {
      let rgb = line[x]
      let ycc = black + red * rgb.x + green * rgb.y + blue * rgb.z
      out[x] = nearestByte(ycc.x)
      pair[x] = SIMD2(ycc.y, ycc.z)
    }
    if let deep, let codes {
      let out = deep.0.row(y)[..<width]
      for x in 0..<width {
        let rgb = line[x]
        out[x] = codes.nearest(black.x + red.x * rgb.x + green.x * rgb.y + blue.x * rgb.z)
      }
    }
    // An odd row between two cosited ones contributes to both.
    let isShared = grid.vShift > 0 && grid.chromaSite.isCositedVertically && y & 1 == 1
    let weight: Float = grid.vShift == 0 ? 1 : isShared ? 0.25 : 0.5
    totals.0 += weight
    accumulateChroma(0, weight)
    if isShared {
      totals.1 += weight
      accumulateChroma(1, weight)
    }
    let isLast = y == grid.height - 1 || grid.vShift == 0
    if isLast || y & 1 == 1 { writeChromaRow(y >> grid.vShift) }
  }

  /// Adds the row's chroma, subsampled, to that of the grid row in the making or the one below.
  private func accumulateChroma(_ below: Int, _ weight: Float) {
    let last = grid.width - 1
    let pair = pair.row(0)
    let sums = sums.row(current ^ below)
    for x in 0..<sums.count {
      let value: SIMD2<Float>
      if grid.hShift == 0 {
        value = pair[x]
      } else if grid.chromaSite.isCositedHorizontally {
        value =
          pair[2 &* x] * 0.5 + (pair[max(2 &* x &- 1, 0)] + pair[min(2 &* x &+ 1, last)]) * 0.25
      } else {
        value = (pair[2 &* x] + pair[min(2 &* x &+ 1, last)]) * 0.5
      }
      sums[x] += value * weight
    }
  }

  /// Writes the means of chroma that were accumulated for grid row `y`.
  private func writeChromaRow(_ y: Int) {
    let scale = totals.0 > 0 ? 1 / totals.0 : 0
    let done = sums.row(current)
    let cb = rows.1.row(y)[..<done.count]
    let cr = rows.2.row(y)[..<done.count]
    for x in 0..<done.count {
      let value = done[x] * scale
      cb[x] = nearestByte(value.x)
      cr[x] = nearestByte(value.y)
    }
    if let deep, let codes {
      let (cb, cr) = (deep.1.row(y)[..<done.count], deep.2.row(y)[..<done.count])
      for x in 0..<done.count {
        let value = done[x] * scale
        (cb[x], cr[x]) = (codes.nearest(value.x), codes.nearest(value.y))
      }
    }
    done.fill(.zero)
    current ^= 1
    totals = (totals.1, 0)
  }
}
