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
  let edges: EdgeFilter
  let fusion: ColorFusion
  private let across, down: CellPlaces
  /// What of the last opacity stays in each cell.
  private let held: Grid<Float>
  /// The matte of this frame and of the one before.
  private var shares, before: Matte
  // Of each thread.
  private let coefficients = Grid<SIMD4<Float>>(of: .zero)
  private let holds = Grid<Float>(of: 0)
  private let lines = Grid<UInt8>(of: 0)

  init(grid: ChromaGrid, cells: PersonCells) {
    self.grid = grid
    self.cells = cells
    edges = EdgeFilter(columns: cells.columns, rows: cells.rows)
    fusion = ColorFusion(columns: cells.columns, rows: cells.rows)
    let site = grid.chromaSite
    across = CellPlaces(
      count: grid.gridWidth, shift: grid.hShift, isCosited: site.isCositedHorizontally,
      step: cells.step, cells: cells.columns)
    down = CellPlaces(
      count: grid.gridHeight, shift: grid.vShift, isCosited: site.isCositedVertically,
      step: cells.step, cells: cells.rows)
    held = Grid(width: cells.columns, height: cells.rows, of: 0)
    shares = Matte(width: grid.gridWidth, height: grid.gridHeight)
    before = Matte(width: grid.gridWidth, height: grid.gridHeight)
  }

  /// The places of the grid's samples among the cells; valid while this lives.
  var map: CellMap { CellMap(across: across, down: down) }

  /// The matte of a frame; valid until the call after the next.
  func make(
    _ frame: KeyFrame, _ mask: PersonCells.Mask, _ settings: PersonKeySettings,
    _ slices: KeySlices
  ) -> Matte {
    cells.take(mask, black: Float(settings.clipBlack), white: Float(settings.clipWhite), slices)
    if settings.refine {
      let scale = 255 / (1 - 2 * Self.cut)
      edges.compute(
        cells.colors, cells.presence, offset: Self.cut * scale, scale: scale, slices)
    } else {
      edges.copy(cells.presence, scale: 255)
    }
    let weight = Float(settings.smoothing) * Self.hold
    for y in 0..<cells.rows {
      let (out, still) = (held.row(y), mask.stillness.row(y))
      for x in 0..<out.count { out[x] = still[x] * weight }
    }
    swap(&shares, &before)
    let threads = max(1, slices.runner.threadCount)
    coefficients.resize(width: cells.columns, height: threads)
    holds.resize(width: cells.columns, height: threads)
    lines.resize(width: cells.columns, height: threads)
    let (out, last) = (shares.rows, before.rows)
    slices.runner.runPieces(grid.gridHeight, least: 8) { piece, rows in
      let scratch = slices.scratch[piece].rows
      for y in rows { write(frame, y, out.row(y), last.row(y), scratch, piece) }
      for y in rows { out.finish(y) }
    }
    return shares
  }

  /// Writes a row of the matte.
  private func write(
    _ frame: KeyFrame, _ y: Int, _ out: Row<UInt8>, _ last: Row<UInt8>, _ scratch: KeyRows,
    _ piece: Int
  ) {
    let top = Int(down.before.row(0)[y])
    let bottom = min(top + 1, cells.rows - 1)
    let weight = Float(down.shares.row(0)[y]) * (1 / 128)
    let kinds = lines.row(piece)
    let n = cells.columns
    CellKernels.join(kinds, edges.kinds.row(top), edges.kinds.row(bottom))
    let common = CellKernels.common(kinds)
    if common == EdgeFilter.Kind.none { return out.fill(255) }
    if common == EdgeFilter.Kind.all { return out.fill(0) }
    let (fits, holds) = (coefficients.row(piece), holds.row(piece))
    let (fitsAbove, fitsBelow) = (edges.coefficients.row(top), edges.coefficients.row(bottom))
    let (heldAbove, heldBelow) = (held.row(top), held.row(bottom))
    for x in 0..<n { fits[x] = fitsAbove[x] + (fitsBelow[x] - fitsAbove[x]) * weight }
    CellKernels.mix(holds, heldAbove, heldBelow, weight)
    let colors = components(frame, y, scratch)
    KeyKernels.follow(
      out,
      EdgeRow(
        fits: fits, holds: holds, kinds: kinds, starts: across.starts.row(0),
        shares: across.shares.row(0), colors: colors, last: last))
  }

  /// The three components of a row of the matte's samples.
  private func components(_ frame: KeyFrame, _ y: Int, _ scratch: KeyRows) -> PackedPixels.Rows {
    let n = grid.gridWidth
    let room = (scratch.components.0[..<n], scratch.components.1[..<n], scratch.components.2[..<n])
    guard grid.hShift > 0 else {
      frame.source.split(row: y, into: room)
      return room
    }
    let line = y << grid.vShift
    let next = grid.vShift > 0 ? min(line + 1, grid.height - 1) : line
    let luma = frame.source[0]
    KeyKernels.halve(
      room.0, luma.samples(row: line, room: scratch.input[..<grid.width]),
      luma.samples(row: next, room: scratch.output[..<grid.width]),
      isCosited: grid.chromaSite.isCositedHorizontally)
    return (
      room.0, frame.source[1].samples(row: y, room: room.1),
      frame.source[2].samples(row: y, room: room.2)
    )
  }
}
