import Compose
import Filters
import Pixels

/// The positions of a grid's columns and rows between cells.
typealias GridPositions = (across: UpsamplePositions, down: UpsamplePositions)

/// Makes mattes of coarse masks by a guided filter, so that edges follow the picture's colours.
final class PersonMatte {
  /// The fraction of opacity that is cut at either end, so that the filter leaves background at 0
  /// and people at 1.
  private static let cut: Float = 0.1
  /// Weight of the last opacity at rest, relative to `smoothing`.
  private static let hold: Float = 0.7 / 0.8

  private let grid: ChromaGrid
  let cells: PersonCells
  let filter: GuidedFilter
  let foreground: ForegroundEstimator
  private let across, down: UpsamplePositions
  /// Where the grid's samples lie between cells.
  var positions: GridPositions { (across, down) }
  /// The matte of this frame and of the one before.
  private var alpha, before: GridPlane
  private let fittedScratch: FittedScratch
  /// Of each thread.
  private var componentScratch: [ComponentScratch] = []
  /// The same for frames of more than 8 bits: mattes of 16 bits.
  private var deep: (alpha: DeepPlane, before: DeepPlane)?
  private var deepRows: [DeepGridRows] = []

  init(grid: ChromaGrid, cells: PersonCells) {
    self.grid = grid
    self.cells = cells
    filter = GuidedFilter(columns: cells.columns, rows: cells.rows)
    foreground = ForegroundEstimator(columns: cells.columns, rows: cells.rows)
    let site = grid.chromaSite
    across = UpsamplePositions(
      count: grid.gridWidth, shift: grid.hShift, isCosited: site.isCositedHorizontally,
      step: cells.step, cells: cells.columns)
    down = UpsamplePositions(
      count: grid.gridHeight, shift: grid.vShift, isCosited: site.isCositedVertically,
      step: cells.step, cells: cells.rows)
    fittedScratch = FittedScratch(cells: cells.columns, samples: grid.gridWidth)
    alpha = GridPlane(width: grid.gridWidth, height: grid.gridHeight)
    before = GridPlane(width: grid.gridWidth, height: grid.gridHeight)
  }

  /// Brings cells to the grid's samples; valid while this lives.
  var upsampler: GridUpsampler { GridUpsampler(across: across, down: down) }

  /// The matte of a frame; valid until the call after the next.
  func makeMatte(
    _ frame: ComposeFrame, _ mask: PersonCells.Mask, _ settings: PersonKeySettings,
    _ slices: FrameSlices
  ) -> GridPlane {
    fitMask(mask, settings, slices)
    swap(&alpha, &before)
    while componentScratch.count < slices.threadCount {
      componentScratch.append(ComponentScratch(width: grid.pictureScratchWidth))
    }
    let hold = Float(settings.smoothing) * Self.hold
    let components = componentScratch
    let (out, last) = (alpha.rows, before.rows)
    slices.run(grid.gridHeight, minimum: 8) { rows, scratch in
      let thread = scratch.thread
      var fitted = FittedRows(
        filter, temporalWeight: mask.temporalWeight, across, fittedScratch.rows(thread))
      let input = RowInput(frame: frame, hold: hold, scratch: components[thread].rows)
      for y in rows { writeRow(y, input, &fitted, into: out.row(y), last.row(y)) }
      for y in rows { out.padAndMark(y) }
    }
    return alpha
  }

  /// The matte of a frame of more than 8 bits, from its own samples; valid until the call after the
  /// next.
  func makeMatte(
    _ frame: DeepFrame, _ mask: PersonCells.Mask, _ settings: PersonKeySettings,
    _ codes: DeepCodes, _ slices: FrameSlices
  ) -> DeepPlane {
    fitMask(mask, settings, slices)
    func makePlane() -> DeepPlane { DeepPlane(width: grid.gridWidth, height: grid.gridHeight) }
    let (out, last) = deep.map { ($0.before, $0.alpha) } ?? (makePlane(), makePlane())
    deep = (alpha: out, before: last)
    while deepRows.count < slices.threadCount {
      deepRows.append(DeepGridRows(width: grid.pictureScratchWidth))
    }
    let hold = Float(settings.smoothing) * Self.hold
    let threads = deepRows
    slices.run(grid.gridHeight, minimum: 8) { rows, scratch in
      var fitted = FittedRows(
        filter, temporalWeight: mask.temporalWeight, across, fittedScratch.rows(scratch.thread))
      for y in rows {
        let (alpha, before) = (out.rows.row(y), last.rows.row(y))
        let weight = Float(down.weights.row(0)[y]) * (1 / 128)
        fitted.forEachSpan(betweenRow: Int(down.before.row(0)[y])) { fitted, samples, kind in
          if kind == GuidedFilter.Kind.none { return alpha[samples].fill(0) }
          if kind == GuidedFilter.Kind.all { return alpha[samples].fill(DeepPlane.opaque) }
          FittedKernels.computeAlpha(
            alpha[samples], weight: weight, hold: hold,
            above: InlineArray { fitted.upsampledPlane($0, isBelow: false, samples) },
            below: InlineArray { fitted.upsampledPlane($0, isBelow: true, samples) },
            colors: threads[scratch.thread].components(frame, y, samples, codes),
            last: before[samples])
        }
        out.rows.padAndMark(y)
      }
    }
    return out
  }

  /// Fits the filter's coefficients to a mask.
  private func fitMask(
    _ mask: PersonCells.Mask, _ settings: PersonKeySettings, _ slices: FrameSlices
  ) {
    cells.update(mask, black: Float(settings.clipBlack), white: Float(settings.clipWhite))
    if settings.refine {
      let scale = 255 / (1 - 2 * Self.cut)
      filter.compute(
        cells.colors, cells.probability, offset: Self.cut * scale, scale: scale,
        runner: slices.runner)
    } else {
      filter.setUnfiltered(cells.probability, scale: 255)
    }
    fittedScratch.resize(threads: slices.threadCount)
  }

  /// The inputs of a thread for rows of the matte, beside the filter's coefficients.
  private struct RowInput {
    let frame: ComposeFrame
    /// The weight of the last opacity.
    let hold: Float
    let scratch: ComponentScratch.Rows
  }

  /// Writes a row of the matte into `out`; `last` is that of the frame before.
  private func writeRow(
    _ y: Int, _ input: RowInput, _ fitted: inout FittedRows, into out: Row<UInt8>,
    _ last: Row<UInt8>
  ) {
    let weight = Float(down.weights.row(0)[y]) * (1 / 128)
    fitted.forEachSpan(betweenRow: Int(down.before.row(0)[y])) { fitted, samples, kind in
      if kind == GuidedFilter.Kind.none { return out[samples].fill(0) }
      if kind == GuidedFilter.Kind.all { return out[samples].fill(255) }
      // Whole blocks, clipped to the row.
      let block = samples.lowerBound..<min(samples.upperBound + FittedKernels.block, out.count)
      FittedKernels.computeAlpha(
        out[block], count: samples.count, weight: weight, hold: input.hold,
        above: InlineArray { fitted.upsampledPlane($0, isBelow: false, block) },
        below: InlineArray { fitted.upsampledPlane($0, isBelow: true, block) },
        colors: gridComponents(input.frame, y, block, input.scratch), last: last[block])
    }
  }

  /// The three components of a span of a row, on the matte's grid.
  private func gridComponents(
    _ frame: ComposeFrame, _ y: Int, _ samples: Range<Int>, _ scratch: ComponentScratch.Rows
  ) -> PackedPixels.Rows {
    let (x, n) = (samples.lowerBound, samples.count)
    let (first, cb, cr) = (scratch.first, scratch.second[..<n], scratch.third[..<n])
    guard grid.hShift > 0 else {
      let rows = (first[..<n], cb, cr)
      frame.source.gatherComponents(row: y, from: x, into: rows)
      return rows
    }
    let line = y << grid.vShift
    let next = grid.vShift > 0 ? min(line + 1, grid.height - 1) : line
    // With the sample before, for luma beside cosited chroma.
    let lead = min(x, 1)
    let (left, end) = (2 * (x - lead), min(2 * (x + n), grid.width))
    func luma(_ line: Int, _ scratch: Row<UInt8>) -> Row<UInt8> {
      frame.source[0].samples(row: line, from: left, scratch: scratch[..<(end - left)])
    }
    FilterKernels.downsample2x2(
      first[..<(lead + n)], luma(line, scratch.upperLuma), luma(next, scratch.lowerLuma),
      isCosited: grid.chromaSite.isCositedHorizontally)
    let chroma = frame.source.chromaSamples(row: y, from: x, scratch: (cb, cr))
    return (first[from: lead, count: n], chroma.cb, chroma.cr)
  }
}

/// The rows that one thread samples the picture in; kept, so that frames allocate nothing.
private final class ComponentScratch {
  /// Valid while the scratch lives.
  struct Rows {
    /// The components on the matte's grid.
    let first, second, third: Row<UInt8>
    /// Luma of two lines, at the picture's size.
    let upperLuma, lowerLuma: Row<UInt8>
  }

  private let memory: Grid<UInt8>
  let rows: Rows

  init(width: Int) {
    memory = Grid(width: width, height: 5, of: 0)
    rows = Rows(
      first: memory.row(0), second: memory.row(1), third: memory.row(2), upperLuma: memory.row(3),
      lowerLuma: memory.row(4))
  }
}
