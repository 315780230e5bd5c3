import Pixels
import Threads

/// A cartoon effect: quantized lightness, and dark lines on the dark side of edges.
///
/// Lightness is measured on a coarse grid, filtered in time against noise, smoothed with edges
/// preserved, and soft-quantized; lines are drawn where it is darker than its surroundings, by a
/// difference of blurs (after Winnemoeller and others, ACM TOG 25(3), 2006). The temporal filter
/// keeps lines steady.
final class Cartoon {
  private let video: VideoFormat
  /// A cell's side in pixels.
  private let step: Int
  private let isRGB: Bool
  private let stable, smooth, narrow, wide, target: Grid<Float>
  private var hasPrevious = false
  private let sampler: BilinearGridSampler
  private let smoothing = DomainTransformFilter(sigma: 9, contrast: 0.16)

  /// The number of quantization steps between black and white.
  private static let levels: Float = 7
  /// The differences from the surroundings at which a line begins and is full.
  private static let line: (from: Float, to: Float) = (0.012, 0.045)
  /// The opacity of lines.
  private static let ink: Float = 0.85

  init(_ video: VideoFormat) {
    self.video = video
    let side = min(video.width, video.height)
    step = side <= 540 ? 1 : side <= 1200 ? 2 : 4
    isRGB = video.format.family == .rgb
    let columns = (video.width + step - 1) / step
    let rows = (video.height + step - 1) / step
    func makeGrid() -> Grid<Float> { Grid(width: columns, height: rows, of: 0) }
    (stable, smooth, narrow, wide, target) = (
      makeGrid(), makeGrid(), makeGrid(), makeGrid(), makeGrid()
    )
    sampler = BilinearGridSampler(
      across: .init(start: 0, length: Double(columns * step), cells: columns),
      down: .init(start: 0, length: Double(rows * step), cells: rows))
  }

  var cellWidth: Int { stable.width }

  /// Resets the temporal filter.
  func reset() { hasPrevious = false }

  // MARK: Measuring

  /// Analyses a whole picture before any of it is changed.
  func computeTarget(
    _ picture: borrowing Picture, _ lines: PictureLines, _ scratch: [LookScratch],
    runner: any SliceRunner
  ) {
    let colors = video.colorimetry
    let (offset, scale) = isRGB ? (0, 1 / 255) : (colors.lumaOffset, 1 / colors.lumaScale)
    runner.runSlices(smooth.height) { slice, rows in
      for y in rows { updateCells(picture, lines, row: y, scratch[slice], offset, scale) }
    }
    hasPrevious = true
    smoothing.apply(smooth, guide: stable, runner: runner)
    runner.runSlices(smooth.height) { slice, rows in
      for y in rows {
        let scratch = scratch[slice].cells(cellWidth)
        Self.blurTriangle(narrow.row(y), smooth, y, 1, scratch)
        Self.blurTriangle(wide.row(y), smooth, y, 3, scratch)
      }
    }
    runner.runSlices(smooth.height) { _, rows in
      for y in rows {
        Self.quantizeAndOutline(target.row(y), smooth.row(y), narrow.row(y), wide.row(y))
      }
    }
  }

  /// Computes the temporally filtered means of a row of cells.
  private func updateCells(
    _ picture: borrowing Picture, _ lines: PictureLines, row: Int, _ scratch: LookScratch,
    _ offset: Float, _ scale: Float
  ) {
    let cells = smooth.row(row)
    cells.fill(0)
    let rows = (row * step)..<min((row + 1) * step, picture.height)
    let height = lines.groupHeight
    let groups = (rows.lowerBound / height)...((rows.upperBound - 1) / height)
    let weights: (Float, Float, Float) = isRGB ? (0.2126, 0.7152, 0.0722) : (1, 0, 0)
    for group in groups {
      LookTile.forEach(of: picture.width, group: group) { tile in
        lines.forEach(picture, tile, scratch, writes: false) { line, _ in
          guard line.component == 0 || isRGB, rows.contains(line.y) else { return }
          let weight =
            line.component == 0 ? weights.0 : line.component == 1 ? weights.1 : weights.2
          Self.addToCells(cells, line.samples, first: line.x / step, step: step, weight)
        }
      }
    }
    let rowScale = scale / Float(rows.count)
    let previous = stable.row(row)
    for x in 0..<cells.count {
      let columns = min(step, picture.width - x * step)
      let value = (cells[x] / Float(columns) - offset * Float(rows.count)) * rowScale
      cells[x] = value
    }
    if hasPrevious {
      Self.filterTemporally(previous, cells)
    } else {
      previous.copy(cells)
    }
    cells.copy(previous)
  }

  /// Adds samples to their cells; tiles begin at a cell.
  @inline(never)
  private static func addToCells(
    _ cells: Row<Float>, _ samples: Row<UInt8>, first: Int, step: Int, _ weight: Float
  ) {
    let whole = samples.count / step
    let out = cells[from: first, count: (samples.count + step - 1) / step]
    switch step {
    case 1: for x in 0..<whole { out[x] += Float(samples[x]) * weight }
    case 2:
      for x in 0..<whole {
        let sum = UInt16(samples[2 &* x]) &+ UInt16(samples[2 &* x &+ 1])
        out[x] += Float(sum) * weight
      }
    default:
      for x in 0..<whole {
        var sum: UInt16 = 0
        for component in 0..<4 { sum &+= UInt16(samples[4 &* x &+ component]) }
        out[x] += Float(sum) * weight
      }
    }
    for x in (whole * step)..<samples.count { out[whole] += Float(samples[x]) * weight }
  }

  /// Updates the filtered lightness: slowly for differences like noise, at once for larger ones.
  @inline(never)
  private static func filterTemporally(_ stable: Row<Float>, _ current: Row<Float>) {
    let n = stable.count
    let current = current[..<n]
    for x in 0..<n {
      let change = current[x] - stable[x]
      let t = min(max((abs(change) - 0.02) * 16, 0), 1)
      stable[x] += change * (0.12 + 0.88 * t)
    }
  }

  // MARK: Changing

  /// Applies the drawn lightness to a tile, by `intensity`.
  func apply(
    _ picture: borrowing Picture, _ lines: PictureLines, _ tile: LookTile, intensity: Float,
    _ scratch: LookScratch
  ) {
    let target = scratch.values(0, tile.count)
    let scale = isRGB ? 255 : video.colorimetry.lumaScale
    let offset = isRGB ? 0 : video.colorimetry.lumaOffset
    if isRGB {
      let sums = scratch.values(1, tile.count)
      sums.fill(0)
      lines.forEach(picture, tile, scratch, writes: false) { line, _ in
        let weight: Float = line.component == 0 ? 0.2126 : line.component == 1 ? 0.7152 : 0.0722
        Self.addWeighted(sums, line.samples, weight)
      }
      var isFirst = true
      lines.forEach(picture, tile, scratch) { line, _ in
        if isFirst {
          sampler.sample(
            self.target, line.position, into: target, scratch: scratch.cells(cellWidth))
          Self.computeShift(target, sums, scale, intensity)
          isFirst = false
        }
        Self.addShift(line.samples, target)
      }
    } else {
      lines.forEach(picture, tile, scratch) { line, _ in
        guard line.component == 0 else { return }
        sampler.sample(self.target, line.position, into: target, scratch: scratch.cells(cellWidth))
        Self.blendTowardTarget(line.samples, target, scale, offset, intensity)
      }
    }
  }

  /// Applies the drawn lightness to a line of luma of more than 8 bits, in 8-bit codes.
  func apply(
    _ luma: Row<Float>, _ line: LinePosition, intensity: Float, target: Row<Float>,
    scratch: Row<Float>
  ) {
    sampler.sample(self.target, line, into: target, scratch: scratch)
    let (scale, offset) = (video.colorimetry.lumaScale, video.colorimetry.lumaOffset)
    DeepLookKernels.blend(luma, toward: target, scale: scale, offset: offset, weight: intensity)
  }

  @inline(never)
  private static func addWeighted(_ sums: Row<Float>, _ samples: Row<UInt8>, _ weight: Float) {
    let n = min(sums.count, samples.count)
    for x in 0..<n { sums[x] += Float(samples[x]) * weight }
  }

  /// Replaces target lightness by the change of luma codes that leads to it, times `intensity`.
  @inline(never)
  private static func computeShift(
    _ target: Row<Float>, _ luma: Row<Float>, _ scale: Float, _ intensity: Float
  ) {
    let n = min(target.count, luma.count)
    for x in 0..<n { target[x] = (target[x] * scale - luma[x]) * intensity }
  }

  @inline(never)
  private static func addShift(_ samples: Row<UInt8>, _ shift: Row<Float>) {
    let n = min(samples.count, shift.count)
    for x in 0..<n {
      let code = nearest(Float(samples[x]) + shift[x])
      samples[x] = UInt8(truncatingIfNeeded: max(0, min(255, code)))
    }
  }

  /// Moves luma samples toward the target lightness by `intensity`.
  @inline(never)
  private static func blendTowardTarget(
    _ samples: Row<UInt8>, _ target: Row<Float>, _ scale: Float, _ offset: Float,
    _ intensity: Float
  ) {
    let n = min(samples.count, target.count)
    for x in 0..<n {
      let own = Float(samples[x])
      let code = nearest(own + (target[x] * scale + offset - own) * intensity)
      samples[x] = UInt8(truncatingIfNeeded: max(0, min(255, code)))
    }
  }

  // MARK: Drawing

  /// Blurs a row of cells with triangular weights of this radius; `scratch` is a row.
  private static func blurTriangle(
    _ out: Row<Float>, _ cells: Grid<Float>, _ y: Int, _ radius: Int, _ scratch: Row<Float>
  ) {
    let n = out.count
    scratch.fill(0)
    out.fill(0)
    let scale = 1 / Float((radius + 1) * (radius + 1))
    for step in -radius...radius {
      let row = cells.row(min(max(y + step, 0), cells.height - 1))
      addWeighted(scratch, row, Float(radius + 1 - abs(step)) * scale)
    }
    for step in -radius...radius {
      let weight = Float(radius + 1 - abs(step)) * scale
      let (from, to) = (min(max(0, -step), n), max(0, min(n, n - step)))
      if from < to { addWeighted(out[from..<to], scratch[(from + step)..<(to + step)], weight) }
      for x in 0..<from { out[x] += scratch[0] * weight }
      for x in max(to, from)..<n { out[x] += scratch[n - 1] * weight }
    }
  }

  @inline(never)
  private static func addWeighted(_ out: Row<Float>, _ row: Row<Float>, _ weight: Float) {
    let n = min(out.count, row.count)
    for x in 0..<n { out[x] += row[x] * weight }
  }

  /// Writes the soft-quantized lightness, darkened where it is below its surroundings.
  @inline(never)
  private static func quantizeAndOutline(
    _ out: Row<Float>, _ smooth: Row<Float>, _ narrow: Row<Float>, _ wide: Row<Float>
  ) {
    let n = out.count
    let (smooth, narrow, wide) = (smooth[..<n], narrow[..<n], wide[..<n])
    let (from, scale) = (line.from, 1 / (line.to - line.from))
    for x in 0..<n {
      let scaled = min(max(smooth[x], 0), 1) * levels
      let level = Float(nearest(scaled))
      // Flat in the middle of a step, three times as steep between steps.
      let remainder = scaled - level
      let steps = (level + 4 * remainder * remainder * remainder) / levels
      let t = min(max((wide[x] - narrow[x] - from) * scale, 0), 1)
      out[x] = steps * (1 - ink * t * t * (3 - 2 * t))
    }
  }
}
