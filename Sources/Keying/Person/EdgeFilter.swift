import Pixels
import Threads

/// Has the edge of a coarse mask follow the picture's colours: a guided filter of three channels.
///
/// K. He, J. Sun, X. Tang, "Guided Image Filtering" (2010), and "Fast Guided Filter" (2015): in each
/// window the mask is a . I + b of the picture's colours I, with a = (cov(I, I) + eps)^-1 cov(I, p)
/// and b = mean p - a . mean I; both are averaged over the windows. Luma alone would not do: skin,
/// hair and wall often share theirs. Works on cells; where a window holds only what is nobody, or
/// only what is somebody, nothing is to be done.
final class EdgeFilter {
  /// What a cell and its neighbours hold.
  enum Kind {
    static let none: UInt8 = 1
    static let all: UInt8 = 2
    static let mixed: UInt8 = 4
  }

  /// Cells on each side of a window's middle one.
  static let radius = 4
  private static let channels = 13
  /// Cells beyond either end of a run whose fits are added up: whole lanes.
  private static let margin = 8
  /// 1e-5 of the codes' range squared.
  private static let epsilon: Float = 0.65

  private let columns, rows: Int
  /// Slopes for the three components, and offset, of each cell's own window.
  private let fits: [Grid<Float>]
  /// What the windows of blocks of cells hold, and so what their fits are.
  private let blocks: Grid<UInt8>
  /// What the coefficients of blocks are; 0 where they are of something else.
  private let ready: Grid<UInt8>
  /// The same averaged, and what the cells are.
  private let averages: [Grid<Float>]
  let kinds: Grid<UInt8>
  /// Cells across the window round each column; none beyond the grid.
  private let counts: Grid<Int32>
  // Of each thread.
  private let sums = Grid<Int32>(of: 0)
  private let windows = Grid<Int32>(of: 0)
  private let lines = Grid<Float>(of: 0)
  private let marks = Grid<UInt8>(of: 0)

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    let width = EdgeKernels.padded(columns)
    func planes() -> [Grid<Float>] { (0..<4).map { _ in Grid(width: width, height: rows, of: 0) } }
    (fits, averages) = (planes(), planes())
    blocks = Grid(width: width / EdgeKernels.block, height: rows, of: 0)
    ready = Grid(width: width / EdgeKernels.block, height: rows, of: 0)
    kinds = Grid(width: width, height: rows, of: Kind.none)
    counts = Grid(width: width, height: 1, of: 0)
    for x in 0..<columns {
      counts.row(0)[x] = Int32(CellWindows.cells(x, of: columns, radius: Self.radius))
    }
  }

  /// What makes opacity of a colour, for each cell: slopes for its components, and what is added;
  /// valid while this lives.
  var coefficients: InlineArray<4, Grid<Float>.Rows> { InlineArray { averages[$0].rows } }

  /// Computes `coefficients` for colours about 0 and a mask in 1/4096: what they make of a colour
  /// is `scale` times opacity less `offset`.
  func compute(
    _ guide: (Grid<Int16>, Grid<Int16>, Grid<Int16>), _ mask: Grid<Int16>, offset: Float,
    scale: Float, _ slices: KeySlices
  ) {
    let threads = max(1, slices.runner.threadCount)
    let width = EdgeKernels.padded(columns)
    sums.resize(
      width: CellWindows.room(width, radius: Self.radius), height: threads * (Self.channels + 1))
    windows.resize(width: width, height: threads * Self.channels)
    lines.resize(width: width + 2 * Self.margin, height: threads)
    marks.resize(width: blocks.width, height: threads)
    slices.runner.runPieces(rows, least: 8) { piece, rows in fit(guide, mask, rows, piece) }
    slices.runner.runPieces(rows, least: 8) { piece, rows in
      for y in rows { average(y, offset, scale, piece) }
    }
  }

  /// Calls `body` for each run of blocks that `marks` says are mixed, with its cells.
  @inline(__always)
  private func forRuns(_ marks: Row<UInt8>, _ body: (Range<Int>) -> Void) {
    var block = 0
    while block < marks.count {
      guard marks[block] & Kind.mixed != 0 else {
        block &+= 1
        continue
      }
      let first = block
      while block < marks.count, marks[block] & Kind.mixed != 0 { block &+= 1 }
      body(first * EdgeKernels.block..<block * EdgeKernels.block)
    }
  }

  private func planes(_ grids: [Grid<Float>], _ y: Int, _ cells: Range<Int>) -> EdgeKernels.Planes {
    (
      grids[0].row(y)[cells], grids[1].row(y)[cells], grids[2].row(y)[cells],
      grids[3].row(y)[cells]
    )
  }

  /// Sets a block's cells to slopes of 0 and an offset; what lies beyond the grid to 0.
  private func fill(_ grids: [Grid<Float>], _ y: Int, block: Int, _ offset: Float) {
    let first = block * EdgeKernels.block
    let planes = planes(grids, y, first..<first + EdgeKernels.block)
    planes.0.fill(0)
    planes.1.fill(0)
    planes.2.fill(0)
    planes.3.fill(offset)
    planes.3[min(columns - first, EdgeKernels.block)...].fill(0)
  }

  // MARK: Fitting windows

  private func fit(
    _ guide: (Grid<Int16>, Grid<Int16>, Grid<Int16>), _ mask: Grid<Int16>, _ range: Range<Int>,
    _ piece: Int
  ) {
    let windows = CellWindows(
      sums.rows, first: piece * (Self.channels + 1), channels: Self.channels, width: columns,
      radius: Self.radius)
    windows.clear(channels: Self.channels)
    for y in range {
      let change = windows.change(to: y, from: range.lowerBound, height: rows)
      for row in change.entering { add(guide, mask, row, windows, 1) }
      if let row = change.leaving { add(guide, mask, row, windows, -1) }
      fit(y, windows, piece)
    }
  }

  private func add(
    _ guide: (Grid<Int16>, Grid<Int16>, Grid<Int16>), _ mask: Grid<Int16>, _ y: Int,
    _ windows: CellWindows, _ sign: Int32
  ) {
    let rows = (guide.0.row(y), guide.1.row(y), guide.2.row(y))
    let p = mask.row(y)
    CellKernels.add(windows.column(0), p, sign)
    for i in 0..<3 {
      let a = pick(i, rows)
      CellKernels.add(windows.column(1 + i), a, sign)
      CellKernels.add(windows.column(4 + i), a, p, sign)
    }
    CellKernels.add(windows.column(7), rows.0, rows.0, sign)
    CellKernels.add(windows.column(8), rows.0, rows.1, sign)
    CellKernels.add(windows.column(9), rows.0, rows.2, sign)
    CellKernels.add(windows.column(10), rows.1, rows.1, sign)
    CellKernels.add(windows.column(11), rows.1, rows.2, sign)
    CellKernels.add(windows.column(12), rows.2, rows.2, sign)
  }

  private func fit(_ y: Int, _ windows: CellWindows, _ piece: Int) {
    func sum(_ channel: Int) -> Row<Int32> { self.windows.row(piece * Self.channels + channel) }
    let high = Int32(CellWindows.cells(y, of: rows, radius: Self.radius))
    let width = EdgeKernels.padded(columns)
    windows.write(0, 0..<width, into: sum(0))
    let (marks, blocks) = (marks.row(piece), blocks.row(y))
    EdgeKernels.mark(marks, sum(0), counts.row(0), high: high)
    for block in 0..<marks.count {
      let kind = marks[block]
      // Most blocks are what they were in the frame before.
      if kind != Kind.mixed && kind != blocks[block] {
        fill(fits, y, block: block, kind == Kind.all ? 1 : 0)
      }
      blocks[block] = kind
    }
    forRuns(marks) { cells in
      for channel in 1..<Self.channels { windows.write(channel, cells, into: sum(channel)) }
      EdgeKernels.solve(
        planes(fits, y, cells), InlineArray { sum($0)[cells] }, counts.row(0)[cells], high: high,
        epsilon: Self.epsilon)
    }
  }

  // MARK: Averaging them

  private func average(_ y: Int, _ offset: Float, _ scale: Float, _ piece: Int) {
    let radius = Self.radius
    let rows = max(y - radius, 0)...min(y + radius, rows - 1)
    let (kinds, marks, ready) = (kinds.row(y), marks.row(piece), ready.row(y))
    spread(rows, into: marks)
    for block in 0..<marks.count where marks[block] & Kind.mixed == 0 {
      // All that its windows reach is alike.
      let kind = marks[block]
      guard kind != ready[block] else { continue }
      fill(averages, y, block: block, kind == Kind.all ? scale - offset : -offset)
      kinds[from: block * EdgeKernels.block, count: EdgeKernels.block].fill(kind)
      ready[block] = kind
    }
    let high = Int32(rows.count)
    let line = lines.row(piece)
    let width = kinds.count
    forRuns(marks) { cells in
      // What lies beyond the grid stays 0.
      let from = max(cells.lowerBound - Self.margin, 0)
      let end = min(cells.upperBound + Self.margin, width)
      let out = planes(averages, y, cells)
      for channel in 0..<4 {
        EdgeKernels.add(
          line[from: from + Self.margin, count: end - from], fits[channel].rows, rows, from: from)
        let first = cells.lowerBound + Self.margin - radius
        CellKernels.sumNine(
          channel == 3 ? out.3 : pick(channel, (out.0, out.1, out.2)),
          line[from: first, count: cells.count + 2 * radius])
      }
      EdgeKernels.finish(
        out, kinds[cells], counts.row(0)[cells], high: high, offset: offset, scale: scale)
      ready[cells.lowerBound / EdgeKernels.block..<cells.upperBound / EdgeKernels.block].fill(0)
    }
  }

  /// Joins what is in the blocks of rows and in those next to them.
  private func spread(_ rows: ClosedRange<Int>, into marks: Row<UInt8>) {
    marks.copy(blocks.row(rows.lowerBound))
    for row in rows.dropFirst() { CellKernels.join(marks, marks, blocks.row(row)) }
    var last = marks[0]
    for block in 0..<marks.count {
      let own = marks[block]
      let next = block + 1 < marks.count ? marks[block + 1] : own
      let joined = last | own | next
      marks[block] = joined == Kind.none || joined == Kind.all ? joined : Kind.mixed
      last = own
    }
  }

  /// Takes the mask as it is, without regard to the picture.
  func copy(_ mask: Grid<Int16>, scale: Float) {
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
