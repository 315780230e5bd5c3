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
  /// Samples between the middles of two cells, where they lie alike between all; 0 where not, or
  /// where they are too many.
  let regular: Int

  /// For `count` samples that each stand for 2^`shift` pixels, on cells of `step` pixels.
  init(count: Int, shift: Int, isCosited: Bool, step: Int, cells: Int) {
    before = Grid(width: count, height: 1, of: 0)
    shares = Grid(width: count + KeyKernels.widened, height: 1, of: 0)
    starts = Grid(width: cells + 2, height: 1, of: Int32(count))
    let isRegular = step & ((1 << shift) - 1) == 0 && step >> shift <= PlaceKernels.most
    regular = isRegular ? step >> shift : 0
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

  /// The samples of `segments`, each between the middles of the cells before and at its number.
  func samples(_ segments: Range<Int>) -> Range<Int> {
    Int(starts.row(0)[segments.lowerBound])..<Int(starts.row(0)[segments.upperBound])
  }

  /// Writes the samples of `segments`, made of a value for each cell; `out` has room for all
  /// samples and for a block more.
  func expand(_ cells: Row<Float>, _ segments: Range<Int>, into out: Row<Float>) {
    // What lies before the first middle and behind the last is irregular.
    let (first, end) = (max(segments.lowerBound, 1), min(segments.upperBound, cells.count - 1))
    guard regular > 0, first < end else {
      return EdgeKernels.expand(out, cells, segments, starts.row(0), shares.row(0))
    }
    let inner = first..<end
    if segments.lowerBound < 1 {
      EdgeKernels.expand(out, cells, 0..<1, starts.row(0), shares.row(0))
    }
    let samples = samples(inner)
    PlaceKernels.expand(
      out[samples], cells[from: inner.lowerBound - 1, count: inner.count + 1],
      shares.row(0)[from: samples.lowerBound, count: regular])
    if segments.upperBound > inner.upperBound {
      EdgeKernels.expand(
        out, cells, inner.upperBound..<segments.upperBound, starts.row(0), shares.row(0))
    }
  }
}

/// The places of a component's samples among cells, across and down; valid while those live.
struct CellMap {
  private let before, starts: Grid<Int32>.Rows
  private let shares, downShares: Grid<UInt16>.Rows
  private let down: Grid<Int32>.Rows
  private let regular: Int

  init(across: CellPlaces, down: CellPlaces) {
    (before, starts, shares) = (across.before.rows, across.starts.rows, across.shares.rows)
    (self.down, downShares) = (down.before.rows, down.shares.rows)
    regular = across.regular
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
    let (starts, shares) = (starts.row(0), shares.row(0))
    func widen(_ samples: Range<Int>, segment: Int) {
      guard !samples.isEmpty else { return }
      KeyKernels.widen(
        out[(samples.lowerBound - x)...], from: samples.lowerBound, count: samples.count, mixed,
        first: first, columns: cells.width, starts: starts, shares: shares, segment: segment)
    }
    // What lies before the first cell's middle counts as between it and itself.
    let segment = first == 0 && x < Int(starts[1]) ? 0 : first + 1
    // Whole segments between two cells that are there.
    let from = max(segment + (Int(starts[segment]) < x ? 1 : 0), 1)
    let until = min(last + 1, cells.width - 1)
    guard regular > 0, from < until else { return widen(x..<x + count, segment: segment) }
    let inner = Int(starts[from])..<Int(starts[until])
    widen(x..<inner.lowerBound, segment: segment)
    PlaceKernels.expand(
      out[from: inner.lowerBound - x, count: inner.count],
      mixed[from: from - 1 - first, count: until - from + 1],
      shares[from: inner.lowerBound, count: regular])
    widen(inner.upperBound..<x + count, segment: until)
  }
}
