import Compose
import Filters
import Pixels
import Threads

/// Estimates the colours of foreground and background at the edge between them, on a working grid.
///
/// Blur fusion, twice: M. Forte, "Approximate Fast Foreground Colour Estimation" (2021). Computes
/// means of foreground and background in wide windows; corrects the colours by them; then computes
/// means in narrow windows. `PersonEdges` applies the result to samples.
final class ForegroundEstimator {
  private static let wide = 20
  private static let narrow = 4
  private static let channels = 7

  private let columns, rows: Int
  /// Opacity in each cell, 0...255.
  let opacity: Grid<Int16>
  /// Mean colours, and those of foreground and background by the wide windows.
  private let colors, foreground, background: [Grid<Int16>]
  /// The estimated colours of foreground and background, three planes each.
  private let estimates: [Grid<UInt8>]
  /// The columns of each row that have an edge: the first, and one after the last.
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
    (colors, foreground, background) = (planes(), planes(), planes())
    estimates = (0..<6).map { _ in Grid(width: columns, height: rows, of: 0) }
    edges = Grid(width: 2, height: rows, of: 0)
  }

  /// The estimates; valid while this lives.
  var planes: InlineArray<6, Grid<UInt8>.Rows> { InlineArray { estimates[$0].rows } }

  /// Computes the opacity of cells.
  func computeOpacity(_ cells: PersonCells, _ filter: GuidedFilter) {
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
  func estimateColors(_ slices: FrameSlices) {
    let threads = max(1, slices.runner.threadCount)
    let width = BoxSum.rowLength(columns, radius: Self.wide)
    sums.resize(width: width, height: threads * (Self.channels + 1))
    windows.resize(width: columns, height: threads * Self.channels)
    counts.resize(width: columns, height: threads)
    slices.runner.runSlices(rows, minimumRows: 16) { slice, rows in
      slideWindows(rows, Self.wide, (colors[0], colors[1], colors[2]), nil, slice) {
        fuseWideWindows($0, $1, $2, $3)
      }
    }
    slices.runner.runSlices(rows, minimumRows: 16) { slice, rows in
      let others = (background[0], background[1], background[2])
      slideWindows(rows, Self.narrow, (foreground[0], foreground[1], foreground[2]), others, slice)
      {
        averageNarrowWindows($0, $1, $2, $3)
      }
    }
  }

  private typealias Planes = (Grid<Int16>, Grid<Int16>, Grid<Int16>)

  /// Slides windows over rows that are near an edge.
  ///
  /// Sums are of opacity, of `foreground` times opacity, and of `foreground` or, where given, of
  /// `background` times 255 less opacity; `counts` are 255 times the cells of each window.
  private func slideWindows(
    _ range: Range<Int>, _ radius: Int, _ foreground: Planes, _ background: Planes?, _ slice: Int,
    _ body: (Int, Range<Int>, _ counts: Row<Int32>, (Int) -> Row<Int32>) -> Void
  ) {
    let box = BoxSum(
      sums.rows, first: slice * (Self.channels + 1), channels: Self.channels, width: columns,
      radius: radius)
    var last = -2
    for y in range {
      // The edge, and the narrow windows around it.
      let halo = background == nil ? Self.narrow : 0
      var (first, end) = (columns, 0)
      for row in max(y - halo, 0)...min(y + halo, rows - 1) {
        let edge = edges.row(row)
        guard edge[0] < edge[1] else { continue }
        first = min(first, Int(edge[0]))
        end = max(end, Int(edge[1]))
      }
      guard first < end else { continue }
      let near = max(first - halo, 0)..<min(end + halo, columns)
      let isNew = last != y - 1
      if isNew { box.clear() }
      box.slide(to: y, from: isNew ? y : y - 1, height: rows) { row, sign in
        accumulateRow(row, foreground, background, box, sign)
      }
      last = y
      for channel in 0..<Self.channels {
        box.writeWindowSums(channel, near, into: windows.row(slice * Self.channels + channel))
      }
      let (counts, high) = (counts.row(slice), BoxSum.windowLength(at: y, of: rows, radius: radius))
      for x in near {
        counts[x] = Int32(255 * high * BoxSum.windowLength(at: x, of: columns, radius: radius))
      }
      body(y, near, counts) { windows.row(slice * Self.channels + $0) }
    }
  }

  private func accumulateRow(
    _ y: Int, _ foreground: Planes, _ background: Planes?, _ box: BoxSum, _ sign: Int32
  ) {
    let opacity = opacity.row(y)
    box.add(0, opacity, sign)
    for i in 0..<3 {
      let own = pick(i, foreground).row(y)
      box.add(1 + i, own, times: opacity, sign)
      if let background {
        let other = pick(i, background).row(y)
        CellKernels.addWeightedByTransparency(box.columnSums(4 + i), other, opacity, sign)
      } else {
        box.add(4 + i, own, sign)
      }
    }
  }

  /// Foreground and background colours by wide windows.
  private func fuseWideWindows(
    _ y: Int, _ range: Range<Int>, _ counts: Row<Int32>, _ sums: (Int) -> Row<Int32>
  ) {
    let total = sums(0)
    let alpha = opacity.row(y)
    for i in 0..<3 {
      CellKernels.blurFusion(
        (foreground[i].row(y)[range], background[i].row(y)[range]), colors[i].row(y)[range],
        alpha[range], total: total[range], counts: counts[range], own: sums(1 + i)[range],
        all: sums(4 + i)[range])
    }
  }

  /// Foreground and background colours by narrow windows.
  private func averageNarrowWindows(
    _ y: Int, _ range: Range<Int>, _ counts: Row<Int32>, _ sums: (Int) -> Row<Int32>
  ) {
    let total = sums(0)
    for i in 0..<3 {
      CellKernels.foregroundAndBackgroundMeans(
        (estimates[i].row(y)[range], estimates[3 + i].row(y)[range]), colors[i].row(y)[range],
        total: total[range], counts: counts[range], own: sums(1 + i)[range],
        other: sums(4 + i)[range])
    }
  }
}
