import Filters
import Pixels
import Threads

/// Makes mattes of masks on a working grid: their edges follow the picture's colours.
final class PersonMatte {
  /// The share of opacity that is cut at either end, so that what the filter leaves of the room is
  /// none, and what it takes off the person is nothing.
  private static let cut: Float = 0.1
  /// Share of the last opacity where nothing moves, for a mask that is smoothed as it usually is.
  private static let hold: Float = 0.7 / 0.8

  private let grid: ChromaGrid
  let cells: PersonCells
  let filter: GuidedFilter
  let foreground: ForegroundEstimator
  private let across, down: UpsamplePositions
  /// The matte of this frame and of the one before.
  private var shares, before: Matte
  private let room: EdgeRoom

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
    room = EdgeRoom(cells: cells.columns, samples: grid.gridWidth)
    shares = Matte(width: grid.gridWidth, height: grid.gridHeight)
    before = Matte(width: grid.gridWidth, height: grid.gridHeight)
  }

  /// Brings cells to the grid's samples; valid while this lives.
  var upsampler: GridUpsampler { GridUpsampler(across: across, down: down) }

  /// The matte of a frame; valid until the call after the next.
  func make(
    _ frame: KeyFrame, _ mask: PersonCells.Mask, _ settings: PersonKeySettings,
    _ slices: KeySlices
  ) -> Matte {
    cells.update(mask, black: Float(settings.clipBlack), white: Float(settings.clipWhite))
    if settings.refine {
      let scale = 255 / (1 - 2 * Self.cut)
      filter.compute(
        cells.colors, cells.presence, offset: Self.cut * scale, scale: scale,
        runner: slices.runner)
    } else {
      filter.copy(cells.presence, scale: 255)
    }
    swap(&shares, &before)
    room.resize(threads: max(1, slices.runner.threadCount))
    let hold = Float(settings.smoothing) * Self.hold
    let (out, last) = (shares.rows, before.rows)
    slices.runner.runSlices(grid.gridHeight, minimumRows: 8) { piece, rows in
      let scratch = slices.scratch[piece].rows
      var edges = EdgeRows(filter, stillness: mask.stillness, across, room.rows(piece))
      for y in rows { write(frame, y, &edges, hold, out.row(y), last.row(y), scratch) }
      for y in rows { out.finish(y) }
    }
    return shares
  }

  /// Writes a row of the matte.
  private func write(
    _ frame: KeyFrame, _ y: Int, _ edges: inout EdgeRows, _ hold: Float, _ out: Row<UInt8>,
    _ last: Row<UInt8>, _ scratch: KeyRows
  ) {
    let weight = Float(down.weights.row(0)[y]) * (1 / 128)
    edges.forStretches(Int(down.before.row(0)[y])) { edges, samples, kind in
      if kind == GuidedFilter.Kind.none { return out[samples].fill(255) }
      if kind == GuidedFilter.Kind.all { return out[samples].fill(0) }
      // Whole blocks, of what there is.
      let block = samples.lowerBound..<min(samples.upperBound + EdgeKernels.block, out.count)
      EdgeKernels.follow(
        out[block], count: samples.count, weight: weight, hold: hold,
        above: InlineArray { edges.plane($0, isBelow: false, block) },
        below: InlineArray { edges.plane($0, isBelow: true, block) },
        colors: components(frame, y, block, scratch), last: last[block])
    }
  }

  /// The three components of a stretch of a row of the matte's samples.
  private func components(
    _ frame: KeyFrame, _ y: Int, _ samples: Range<Int>, _ scratch: KeyRows
  ) -> PackedPixels.Rows {
    let (x, n) = (samples.lowerBound, samples.count)
    let room = (scratch.components.0, scratch.components.1[..<n], scratch.components.2[..<n])
    guard grid.hShift > 0 else {
      let rows = (room.0[..<n], room.1, room.2)
      frame.source.split(row: y, from: x, into: rows)
      return rows
    }
    let line = y << grid.vShift
    let next = grid.vShift > 0 ? min(line + 1, grid.height - 1) : line
    // With the sample before, for luma beside cosited chroma.
    let lead = min(x, 1)
    let (first, end) = (2 * (x - lead), min(2 * (x + n), grid.width))
    func luma(_ line: Int, _ room: Row<UInt8>) -> Row<UInt8> {
      frame.source[0].samples(row: line, from: first, scratch: room[..<(end - first)])
    }
    FilterKernels.downsample2x2(
      room.0[..<(lead + n)], luma(line, scratch.input), luma(next, scratch.output),
      isCosited: grid.chromaSite.isCositedHorizontally)
    let chroma = frame.source.chroma(row: y, from: x, room: (room.1, room.2))
    return (room.0[from: lead, count: n], chroma.cb, chroma.cr)
  }
}
