package import Pixels
package import Threads

/// A guided filter with a three-channel guide, which aligns a coarse mask with a picture's edges.
///
/// K. He, J. Sun, X. Tang, "Guided Image Filtering" (2010), and "Fast Guided Filter" (2015): in
/// each window the mask is a . I + b of the picture's colours I, with a = (cov(I, I) + eps)^-1
/// cov(I, p) and b = mean p - a . mean I; both are averaged over the windows. Luma alone would not
/// do: skin, hair and wall often have the same. Windows in which the mask is all 0 or all 1 are
/// skipped.
@usableFromInline package final class GuidedFilter {
  /// The values of the mask in the windows of a cell and its neighbours.
  @usableFromInline package enum Kind {
    /// All 0.
    @inlinable package static var none: UInt8 { 1 }
    /// All 1.
    @inlinable package static var all: UInt8 { 2 }
    @inlinable package static var mixed: UInt8 { 4 }
  }

  /// Mean colours, centred on 0, a plane for each component.
  package typealias Guide = (Grid<Int16>, Grid<Int16>, Grid<Int16>)

  /// The window's radius in cells.
  private static let radius = 4
  private static let channels = 13
  /// Cells beyond the ends of a run whose fits are summed: whole lanes.
  private static let padding = 8
  /// The regularization in squared codes.
  private let epsilon: Float

  private let columns, rows: Int
  /// The three slopes and the offset fitted to each cell's own window.
  private let fits: [Grid<Float>]
  /// The kinds of the windows of blocks of cells, and so of `fits`.
  private let blocks: Grid<UInt8>
  /// The kinds that the coefficients of blocks are set for; 0 if computed.
  private let ready: Grid<UInt8>
  /// The averaged fits, and the kinds of the cells.
  private let averages: [Grid<Float>]
  package let kinds: Grid<UInt8>
  /// The width of the window at each column; 0 beyond the grid.
  private let counts: Grid<Int32>
  // Scratch for each thread.
  private let sums = Grid<Int32>(of: 0)
  private let windows = Grid<Int32>(of: 0)
  private let columnSums = Grid<Float>(of: 0)
  private let marks = Grid<UInt8>(of: 0)

  /// A filter for this many cells; the default regularization is 1e-5 of the squared code range.
  package init(columns: Int, rows: Int, epsilon: Float = 0.65) {
    (self.columns, self.rows, self.epsilon) = (columns, rows, epsilon)
    let width = Kernels.paddedCount(columns)
    func planes() -> [Grid<Float>] { (0..<4).map { _ in Grid(width: width, height: rows, of: 0) } }
    (fits, averages) = (planes(), planes())
    blocks = Grid(width: width / Kernels.block, height: rows, of: 0)
    ready = Grid(width: width / Kernels.block, height: rows, of: 0)
    kinds = Grid(width: width, height: rows, of: Kind.none)
    counts = Grid(width: width, height: 1, of: 0)
    for x in 0..<columns {
      counts.row(0)[x] = Int32(BoxSum.windowLength(at: x, of: columns, radius: Self.radius))
    }
  }

  /// For each cell the slopes for a colour's components, and the offset; valid while the filter
  /// lives.
  package var coefficients: InlineArray<4, Grid<Float>.Rows> { InlineArray { averages[$0].rows } }

  /// Computes `coefficients` for a mask in 1/4096: applied to a colour in codes they give `scale`
  /// times the filtered mask, minus `offset`.
  package func compute(
    _ guide: Guide, _ mask: Grid<Int16>, offset: Float, scale: Float, runner: any SliceRunner
  ) {
    let threads = max(1, runner.threadCount)
    let width = Kernels.paddedCount(columns)
    sums.resize(
      width: BoxSum.rowLength(width, radius: Self.radius), height: threads * (Self.channels + 1))
    windows.resize(width: width, height: threads * Self.channels)
    columnSums.resize(width: width + 2 * Self.padding, height: threads)
    marks.resize(width: blocks.width, height: threads)
    runner.runSlices(rows, minimumRows: 8) { slice, rows in fitRows(guide, mask, rows, slice) }
    runner.runSlices(rows, minimumRows: 8) { slice, rows in
      for y in rows { averageRow(y, offset, scale, slice) }
    }
  }

  /// Calls `body` with the cells of each run of blocks that `marks` has as mixed.
  @inline(__always)
  private func forEachMixedRun(_ marks: Row<UInt8>, _ body: (Range<Int>) -> Void) {
    var block = 0
    while block < marks.count {
      guard marks[block] & Kind.mixed != 0 else {
        block &+= 1
        continue
      }
      let first = block
      while block < marks.count, marks[block] & Kind.mixed != 0 { block &+= 1 }
      body(first * Kernels.block..<block * Kernels.block)
    }
  }

  private func planes(_ grids: [Grid<Float>], _ y: Int, _ cells: Range<Int>) -> Planes {
    InlineArray { grids[$0].row(y)[cells] }
  }

  /// Sets a block's cells to slopes of 0 and an offset; cells beyond the grid to 0.
  private func setConstant(_ grids: [Grid<Float>], _ y: Int, block: Int, _ offset: Float) {
    let first = block * Kernels.block
    let planes = planes(grids, y, first..<first + Kernels.block)
    for index in 0..<3 { planes[index].fill(0) }
    planes[3].fill(offset)
    planes[3][min(columns - first, Kernels.block)...].fill(0)
  }

  // MARK: Fitting windows

  private func fitRows(_ guide: Guide, _ mask: Grid<Int16>, _ range: Range<Int>, _ slice: Int) {
    let box = BoxSum(
      sums.rows, first: slice * (Self.channels + 1), channels: Self.channels,
      width: columns, radius: Self.radius)
    box.clear()
    for y in range {
      box.slide(to: y, from: range.lowerBound, height: rows) { row, sign in
        accumulate(guide, mask, row, box, sign)
      }
      fitRow(y, box, slice)
    }
  }

  /// Adds row `y` of the mask, of the colours and of their products to the window sums, or
  /// subtracts it.
  private func accumulate(
    _ guide: Guide, _ mask: Grid<Int16>, _ y: Int, _ box: BoxSum, _ sign: Int32
  ) {
    let (a, b, c) = (guide.0.row(y), guide.1.row(y), guide.2.row(y))
    let p = mask.row(y)
    box.add(0, p, sign)
    box.add(1, a, sign)
    box.add(2, b, sign)
    box.add(3, c, sign)
    box.add(4, a, times: p, sign)
    box.add(5, b, times: p, sign)
    box.add(6, c, times: p, sign)
    box.add(7, a, times: a, sign)
    box.add(8, a, times: b, sign)
    box.add(9, a, times: c, sign)
    box.add(10, b, times: b, sign)
    box.add(11, b, times: c, sign)
    box.add(12, c, times: c, sign)
  }

  /// Fits the windows of a row of cells, once their column sums are set.
  private func fitRow(_ y: Int, _ box: BoxSum, _ slice: Int) {
    func sum(_ channel: Int) -> Row<Int32> { windows.row(slice * Self.channels + channel) }
    let high = Int32(BoxSum.windowLength(at: y, of: rows, radius: Self.radius))
    box.writeWindowSums(0, 0..<Kernels.paddedCount(columns), into: sum(0))
    let (marks, blocks) = (marks.row(slice), blocks.row(y))
    Kernels.classifyBlocks(marks, sum(0), counts.row(0), high: high)
    for block in 0..<marks.count {
      let kind = marks[block]
      // Most blocks have not changed since the previous frame.
      if kind != Kind.mixed && kind != blocks[block] {
        setConstant(fits, y, block: block, kind == Kind.all ? 1 : 0)
      }
      blocks[block] = kind
    }
    forEachMixedRun(marks) { cells in
      for channel in 1..<Self.channels { box.writeWindowSums(channel, cells, into: sum(channel)) }
      Kernels.solveFits(
        planes(fits, y, cells), InlineArray { sum($0)[cells] }, counts.row(0)[cells], high: high,
        epsilon: epsilon)
    }
  }

  // MARK: Averaging

  /// Averages the fits over the windows that cover each cell of row `y`.
  private func averageRow(_ y: Int, _ offset: Float, _ scale: Float, _ slice: Int) {
    let radius = Self.radius
    let rows = max(y - radius, 0)...min(y + radius, rows - 1)
    let (kinds, marks, ready) = (kinds.row(y), marks.row(slice), ready.row(y))
    dilateKinds(rows, into: marks)
    for block in 0..<marks.count where marks[block] & Kind.mixed == 0 {
      // All windows that cover the block are of one kind.
      let kind = marks[block]
      guard kind != ready[block] else { continue }
      setConstant(averages, y, block: block, kind == Kind.all ? scale - offset : -offset)
      kinds[from: block * Kernels.block, count: Kernels.block].fill(kind)
      ready[block] = kind
    }
    let high = Int32(rows.count)
    let line = columnSums.row(slice)
    let width = kinds.count
    forEachMixedRun(marks) { cells in
      // Cells beyond the grid stay 0.
      let from = max(cells.lowerBound - Self.padding, 0)
      let end = min(cells.upperBound + Self.padding, width)
      let out = planes(averages, y, cells)
      for channel in 0..<4 {
        Kernels.sumRows(
          line[from: from + Self.padding, count: end - from], fits[channel].rows, rows, from: from)
        let first = cells.lowerBound + Self.padding - radius
        RowSums.sumNine(out[channel], line[from: first, count: cells.count + 2 * radius])
      }
      Kernels.writeCoefficients(
        out, kinds[cells], counts.row(0)[cells], high: high, offset: offset, scale: scale)
      ready[cells.lowerBound / Kernels.block..<cells.upperBound / Kernels.block].fill(0)
    }
  }

  /// Combines the kinds of the blocks of `rows` and of their horizontal neighbours.
  private func dilateKinds(_ rows: ClosedRange<Int>, into marks: Row<UInt8>) {
    marks.copy(blocks.row(rows.lowerBound))
    for row in rows.dropFirst() { marks.setUnion(marks, blocks.row(row)) }
    var last = marks[0]
    for block in 0..<marks.count {
      let own = marks[block]
      let next = block + 1 < marks.count ? marks[block + 1] : own
      let joined = last | own | next
      marks[block] = joined == Kind.none || joined == Kind.all ? joined : Kind.mixed
      last = own
    }
  }

  /// Sets `coefficients` to the unfiltered mask.
  package func setUnfiltered(_ mask: Grid<Int16>, scale: Float) {
    for y in 0..<rows {
      let (kinds, line) = (kinds.row(y), mask.row(y))
      for index in 0..<3 { averages[index].row(y).fill(0) }
      let out = averages[3].row(y)
      for x in 0..<columns {
        let value = line[x]
        out[x] = Float(value) * (scale / 4096)
        kinds[x] = value == 0 ? Kind.none : value == 4096 ? Kind.all : Kind.mixed
      }
      ready.row(y).fill(0)
    }
  }
}
