import Pixels
import Threads

/// A cartoon effect: quantized lightness, and dark lines on the dark side of edges (`EdgeLines`).
///
/// Lightness is measured on a coarse grid, filtered in time against noise, smoothed with edges
/// preserved, and soft-quantized. The temporal filter keeps lines steady.
final class Cartoon {
  private let video: VideoFormat
  /// A cell's side in pixels.
  private let step: Int
  private let isRGB: Bool
  private let stable, smooth: Grid<Float>
  private let outlines: EdgeLines
  private var hasPrevious = false
  private let sampler: BilinearGridSampler
  private let smoothing = CartoonDetail.allCases.map {
    DomainTransformFilter(sigma: $0.sizes.smoothing, contrast: 0.16)
  }
  private var detail = CartoonDetail.coarse

  /// The number of quantization steps between black and white.
  private static let levels: Float = 7
  /// The opacity of lines.
  private static let ink: Float = 0.92

  /// A cartoon of pictures of this format, or of one of the fields of frames with `fieldCount`.
  init(_ video: VideoFormat, fieldCount: Int) {
    self.video = video
    let side = min(video.width, video.height * fieldCount)
    step = side <= 540 ? 1 : side <= 1200 ? 2 : 4
    isRGB = video.format.family == .rgb
    let columns = (video.width + step - 1) / step
    let rows = (video.height + step - 1) / step
    func makeGrid() -> Grid<Float> { Grid(width: columns, height: rows, of: 0) }
    (stable, smooth) = (makeGrid(), makeGrid())
    outlines = EdgeLines(width: columns, height: rows)
    sampler = BilinearGridSampler(
      across: .init(start: 0, length: Double(columns * step), cells: columns),
      down: .init(start: 0, length: Double(rows * step), cells: rows))
  }

  var cellWidth: Int { stable.width }

  /// Resets the temporal filter.
  func reset() { (hasPrevious, detail) = (false, .coarse) }

  // MARK: Measuring

  /// Analyses a whole picture before any of it is changed.
  ///
  /// `faceWidth`: that of the largest face in pixels, if one is known.
  func computeTarget(
    _ picture: borrowing Picture, _ lines: PictureLines, _ scratch: [LookScratch],
    faceWidth: Double?, runner: any SliceRunner
  ) {
    if let faceWidth { detail = detail.following(faceWidth: faceWidth / Double(step)) }
    let colors = video.colorimetry
    let (offset, scale) = isRGB ? (0, 1 / 255) : (colors.lumaOffset, 1 / colors.lumaScale)
    runner.runSlices(smooth.height) { slice, rows in
      for y in rows { updateCells(picture, lines, row: y, scratch[slice], offset, scale) }
    }
    hasPrevious = true
    smoothing[detail.index].apply(smooth, guide: stable, runner: runner)
    outlines.draw(stable, radius: detail.sizes.line, runner: runner)
    runner.runSlices(smooth.height) { _, rows in
      for y in rows { Self.quantizeAndOutline(smooth.row(y), outlines.opacities.row(y)) }
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
    let (target, fade) = (scratch.values(0, tile.count), scratch.values(2, tile.count))
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
            smooth, line.position, into: target, scratch: scratch.cells(cellWidth))
          sampler.sample(
            outlines.opacities, line.position, into: fade, scratch: scratch.cells(cellWidth))
          Self.computeShift(target, sums, fade, scale, intensity)
          isFirst = false
        }
        Self.fadeAndShift(line.samples, fade, target)
      }
    } else {
      lines.forEach(picture, tile, scratch) { line, _ in
        if line.component == 0 {
          sampler.sample(smooth, line.position, into: target, scratch: scratch.cells(cellWidth))
          Self.blendTowardTarget(line.samples, target, scale, offset, intensity)
        } else {
          let fade = fade[..<line.samples.count]
          sampler.sample(
            outlines.opacities, line.position, into: fade, scratch: scratch.cells(cellWidth))
          Self.fadeChroma(line.samples, fade, intensity)
        }
      }
    }
  }

  /// Applies the drawing to a line of a component of more than 8 bits, in 8-bit codes.
  func apply(
    _ values: Row<Float>, component: Int, _ line: LinePosition, intensity: Float,
    target: Row<Float>, scratch: Row<Float>
  ) {
    guard component == 0 else {
      sampler.sample(outlines.opacities, line, into: target, scratch: scratch)
      return DeepLookKernels.fade(values, toward: 128, by: target, times: Self.ink * intensity)
    }
    sampler.sample(smooth, line, into: target, scratch: scratch)
    let (scale, offset) = (video.colorimetry.lumaScale, video.colorimetry.lumaOffset)
    DeepLookKernels.blend(values, toward: target, scale: scale, offset: offset, weight: intensity)
  }

  @inline(never)
  private static func addWeighted(_ sums: Row<Float>, _ samples: Row<UInt8>, _ weight: Float) {
    let n = min(sums.count, samples.count)
    for x in 0..<n { sums[x] += Float(samples[x]) * weight }
  }

  /// Replaces opacities of lines by factors of RGB codes, and target lightness by what is to be added to them
  /// then.
  @inline(never)
  private static func computeShift(
    _ target: Row<Float>, _ luma: Row<Float>, _ fade: Row<Float>, _ scale: Float,
    _ intensity: Float
  ) {
    let n = min(target.count, luma.count)
    let (target, fade) = (target[..<n], fade[..<n])
    for x in 0..<n {
      target[x] = (target[x] * scale - luma[x] * (1 - ink * fade[x])) * intensity
      fade[x] = 1 - ink * fade[x] * intensity
    }
  }

  @inline(never)
  private static func fadeAndShift(
    _ samples: Row<UInt8>, _ factors: Row<Float>, _ shift: Row<Float>
  ) {
    let n = min(samples.count, shift.count)
    let factors = factors[..<n]
    for x in 0..<n {
      let code = nearest(Float(samples[x]) * factors[x] + shift[x])
      samples[x] = UInt8(truncatingIfNeeded: max(0, min(255, code)))
    }
  }

  /// Moves chroma to neutral where lines are: an orange line would be a coloured rim.
  @inline(never)
  private static func fadeChroma(
    _ samples: Row<UInt8>, _ opacities: Row<Float>, _ intensity: Float
  ) {
    let n = min(samples.count, opacities.count)
    let ink = ink * intensity
    for x in 0..<n {
      let own = Float(samples[x]) - 128
      samples[x] = UInt8(truncatingIfNeeded: nearest(own - own * ink * opacities[x]) + 128)
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

  /// Soft-quantizes lightness, and darkens it by the opacity of lines.
  @inline(never)
  private static func quantizeAndOutline(_ cells: Row<Float>, _ opacities: Row<Float>) {
    let n = cells.count
    let opacities = opacities[..<n]
    for x in 0..<n {
      let scaled = min(max(cells[x], 0), 1) * levels
      let level = Float(nearest(scaled))
      // Flat in the middle of a step, three times as steep between steps.
      let remainder = scaled - level
      let steps = (level + 4 * remainder * remainder * remainder) / levels
      cells[x] = steps * (1 - ink * opacities[x])
    }
  }
}
