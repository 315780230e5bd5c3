import Filters
import Pixels
import Threads

/// Estimates the colours of foreground and background at the edge between them, on a working grid.
///
/// Blur fusion, twice: M. Forte, "Approximate Fast Foreground Colour Estimation" (2021). Means of
/// foreground and background are taken in wide windows, then, of colours corrected by them, in
/// narrow ones; `ForegroundColors` applies them to pixels.
final class ForegroundEstimator {
  private static let wide = 20
  private static let narrow = 4
  private static let channels = 7

  private let columns, rows: Int
  /// Opacity in each cell, 0...255.
  let opacity: Grid<Int16>
  /// Colours as they come, and those of foreground and background after the wide windows.
  private let colors, subject, room: [Grid<Int16>]
  /// The colours of foreground and background, three planes each.
  private let fused: [Grid<UInt8>]
  /// Of each row the columns where there is an edge: first, and behind the last.
  private let edges: Grid<Int32>
  // Of each thread.
  private let sums = Grid<Int32>(of: 0)
  private let windows = Grid<Int32>(of: 0)
  private let counts = Grid<Int32>(of: 0)

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    func planes() -> [Grid<Int16>] {
      (0..<3).map { _ in Grid(width: columns, height: rows, of: 0) }
    }
    opacity = Grid(width: columns, height: rows, of: 0)
    (colors, subject, room) = (planes(), planes(), planes())
    fused = (0..<6).map { _ in Grid(width: columns, height: rows, of: 0) }
    edges = Grid(width: 2, height: rows, of: 0)
  }

  /// The planes as they are read; valid while this lives.
  var planes: InlineArray<6, Grid<UInt8>.Rows> { InlineArray { fused[$0].rows } }

  /// Computes the opacity of cells, less than half of what is needed for colours.
  func measure(_ cells: PersonCells, _ filter: GuidedFilter) {
    let planes = filter.coefficients
    for y in 0..<rows {
      let fits = (planes[0].row(y), planes[1].row(y), planes[2].row(y), planes[3].row(y))
      let (kinds, out) = (filter.kinds.row(y), opacity.row(y))
      let (a, b, c) = (cells.colors.0.row(y), cells.colors.1.row(y), cells.colors.2.row(y))
      let plain = (colors[0].row(y), colors[1].row(y), colors[2].row(y))
      var (first, end) = (columns, 0)
      for x in 0..<columns {
        let color = (a[x] &+ 128, b[x] &+ 128, c[x] &+ 128)
        (plain.0[x], plain.1[x], plain.2[x]) = color
        if kinds[x] == GuidedFilter.Kind.mixed {
          let two = fits.0[x] * Float(color.0) + fits.1[x] * Float(color.1)
          let value = two + fits.2[x] * Float(color.2) + fits.3[x]
          out[x] = Int16(truncatingIfNeeded: nearest(min(max(value, 0), 255)))
          first = min(first, x)
          end = x + 1
        } else {
          out[x] = kinds[x] == GuidedFilter.Kind.all ? 255 : 0
        }
      }
      (edges.row(y)[0], edges.row(y)[1]) = (Int32(first), Int32(end))
    }
  }

  /// Computes the colours at edges.
  func estimate(_ slices: KeySlices) {
    let threads = max(1, slices.runner.threadCount)
    let width = BoxSum.rowLength(columns, radius: Self.wide)
    sums.resize(width: width, height: threads * (Self.channels + 1))
    windows.resize(width: columns, height: threads * Self.channels)
    counts.resize(width: columns, height: threads)
    slices.runner.runSlices(rows, minimumRows: 16) { piece, rows in
      slide(rows, Self.wide, (colors[0], colors[1], colors[2]), nil, piece) {
        correct($0, $1, $2, $3)
      }
    }
    slices.runner.runSlices(rows, minimumRows: 16) { piece, rows in
      let others = (room[0], room[1], room[2])
      slide(rows, Self.narrow, (subject[0], subject[1], subject[2]), others, piece) {
        settle($0, $1, $2, $3)
      }
    }
  }

  private typealias Planes = (Grid<Int16>, Grid<Int16>, Grid<Int16>)

  /// Slides windows over rows that are near an edge.
  ///
  /// Sums are of opacity, of `subject` times that, and of the colours themselves, or of `room` times
  /// what opacity leaves; `counts` are 255 times the cells of each window.
  private func slide(
    _ range: Range<Int>, _ radius: Int, _ subject: Planes, _ room: Planes?, _ piece: Int,
    _ body: (Int, Range<Int>, _ counts: Row<Int32>, (Int) -> Row<Int32>) -> Void
  ) {
    let box = BoxSum(
      sums.rows, first: piece * (Self.channels + 1), channels: Self.channels, width: columns,
      radius: radius)
    var last = -2
    for y in range {
      // Where the edge is, and the narrow windows round it.
      let reach = room == nil ? Self.narrow : 0
      var (first, end) = (columns, 0)
      for row in max(y - reach, 0)...min(y + reach, rows - 1) {
        let edge = edges.row(row)
        guard edge[0] < edge[1] else { continue }
        first = min(first, Int(edge[0]))
        end = max(end, Int(edge[1]))
      }
      guard first < end else { continue }
      let near = max(first - reach, 0)..<min(end + reach, columns)
      let isNew = last != y - 1
      if isNew { box.clear() }
      box.slide(to: y, from: isNew ? y : y - 1, height: rows) { row, sign in
        add(row, subject, room, box, sign)
      }
      last = y
      for channel in 0..<Self.channels {
        box.write(channel, near, into: windows.row(piece * Self.channels + channel))
      }
      let (counts, high) = (counts.row(piece), BoxSum.count(y, of: rows, radius: radius))
      for x in near {
        counts[x] = Int32(255 * high * BoxSum.count(x, of: columns, radius: radius))
      }
      body(y, near, counts) { windows.row(piece * Self.channels + $0) }
    }
  }

  private func add(
    _ y: Int, _ subject: Planes, _ room: Planes?, _ box: BoxSum, _ sign: Int32
  ) {
    let opacity = opacity.row(y)
    box.add(0, opacity, sign)
    for i in 0..<3 {
      let own = pick(i, subject).row(y)
      box.add(1 + i, own, times: opacity, sign)
      if let room {
        let other = pick(i, room).row(y)
        CellKernels.addRest(box.column(4 + i), other, opacity, sign)
      } else {
        box.add(4 + i, own, sign)
      }
    }
  }

  /// Foreground and background colours by wide windows.
  private func correct(
    _ y: Int, _ range: Range<Int>, _ counts: Row<Int32>, _ sums: (Int) -> Row<Int32>
  ) {
    let total = sums(0)
    let alpha = opacity.row(y)
    for i in 0..<3 {
      CellKernels.correct(
        (subject[i].row(y)[range], room[i].row(y)[range]), colors[i].row(y)[range],
        alpha[range], total: total[range], counts: counts[range], own: sums(1 + i)[range],
        all: sums(4 + i)[range])
    }
  }

  /// The same by narrow ones.
  private func settle(
    _ y: Int, _ range: Range<Int>, _ counts: Row<Int32>, _ sums: (Int) -> Row<Int32>
  ) {
    let total = sums(0)
    for i in 0..<3 {
      CellKernels.settle(
        (fused[i].row(y)[range], fused[3 + i].row(y)[range]), colors[i].row(y)[range],
        total: total[range], counts: counts[range], own: sums(1 + i)[range],
        other: sums(4 + i)[range])
    }
  }
}

/// The colours of a `ForegroundEstimator`, to compose a frame's edges with; valid while it lives.
struct ForegroundColors {
  let planes: InlineArray<6, Grid<UInt8>.Rows>
  let upsampler: GridUpsampler
  /// How much of the estimate is taken, in 1/256.
  let weight: Int32

  /// Writes the foreground and background colours of a run into rows of its length.
  func upsample(_ run: Composer.Run, _ scratch: KeyRows) {
    for index in 0..<6 {
      upsampler.upsampleBilinear(
        planes[index], row: run.y, from: run.x, count: run.count, into: scratch.fused(index),
        scratch: scratch.weights)
    }
  }
}
