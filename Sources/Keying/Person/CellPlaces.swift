import Pixels

/// Where the samples of a row or column lie among the cells of a working grid.
///
/// Each sample lies between the middles of two cells; those beyond either end take the outermost.
final class CellPlaces {
  /// Of each sample the cell before it, and the share of the one after, in 1/128.
  let before: Grid<Int32>
  let shares: Grid<UInt16>
  /// The first sample after the middle of each cell, beginning with the middle of one before the
  /// first; then the number of samples.
  let starts: Grid<Int32>

  /// For `count` samples that each stand for 2^`shift` pixels, on cells of `step` pixels.
  init(count: Int, shift: Int, isCosited: Bool, step: Int, cells: Int) {
    before = Grid(width: count, height: 1, of: 0)
    shares = Grid(width: count + KeyKernels.widened, height: 1, of: 0)
    starts = Grid(width: cells + 2, height: 1, of: Int32(count))
    let offset = shift > 0 && !isCosited ? 0.5 : 0
    var last = -1
    starts.row(0)[0] = 0
    for x in 0..<count {
      let place = (Double(x << shift) + offset + 0.5) / Double(step) - 0.5
      let cell = min(max(Int(place.rounded(.down)), -1), cells - 1)
      let inside = cell >= 0 && cell < cells - 1
      before.row(0)[x] = Int32(max(cell, 0))
      shares.row(0)[x] = inside ? UInt16(((place - Double(cell)) * 128).rounded()) : 0
      while last < cell {
        last += 1
        starts.row(0)[last + 1] = Int32(x)
      }
    }
  }
}

/// The places of a component's samples among cells, across and down; valid while those live.
struct CellMap {
  private let before, starts: Grid<Int32>.Rows
  private let shares, downShares: Grid<UInt16>.Rows
  private let down: Grid<Int32>.Rows

  init(across: CellPlaces, down: CellPlaces) {
    (before, starts, shares) = (across.before.rows, across.starts.rows, across.shares.rows)
    (self.down, downShares) = (down.before.rows, down.shares.rows)
  }

  /// Writes the samples of row `y` from column `x` on, made of cells, into `out`, which has room
  /// for a block more; `room` for a row of cells.
  func expand(
    _ cells: Grid<UInt8>.Rows, row y: Int, from x: Int, count: Int, into out: Row<UInt8>,
    room: Row<UInt16>
  ) {
    guard count > 0 else { return }
    let top = Int(down.row(0)[y])
    let bottom = min(top + 1, cells.height - 1)
    let (first, last) = (Int(before.row(0)[x]), Int(before.row(0)[x + count - 1]))
    let end = min(last + 2, cells.width)
    let mixed = room[from: first, count: end - first]
    CellKernels.mix(
      mixed, cells.row(top)[first..<end], cells.row(bottom)[first..<end],
      downShares.row(0)[y])
    // What lies before the first cell's middle counts as between it and itself.
    let isBefore = first == 0 && x < Int(starts.row(0)[1])
    KeyKernels.widen(
      out, from: x, count: count, mixed, first: first, columns: cells.width,
      starts: starts.row(0), shares: shares.row(0), segment: isBefore ? 0 : first + 1)
  }
}
