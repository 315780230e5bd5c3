import Filters
import Pixels

/// The coefficients of a guided filter at a matte's samples, in two rows of cells; rows of samples
/// between them are interpolated.
///
/// Rows of cells are upsampled once, for all rows of samples around them.
struct FittedRows {
  /// The filter's four coefficients, and the temporal weight.
  static let planes = 5

  private let coefficients: InlineArray<4, Grid<Float>.Rows>
  private let temporalWeight: Grid<Float>.Rows
  private let kinds: Grid<UInt8>.Rows
  private let columns: Int
  private let across: UpsamplePositions
  private let scratch: FittedScratch.Rows
  /// The rows of cells that are upsampled, even and odd.
  private var cells = (-1, -1)
  /// The upper row of cells, and the spans between it and the next.
  private var top = -1
  private var spans = 0

  init(
    _ filter: GuidedFilter, temporalWeight: Grid<Float>, _ across: UpsamplePositions,
    _ scratch: FittedScratch.Rows
  ) {
    coefficients = filter.coefficients
    kinds = filter.kinds.rows
    self.temporalWeight = temporalWeight.rows
    columns = temporalWeight.width
    (self.across, self.scratch) = (across, scratch)
  }

  /// A plane of the upper row of cells, or of the one below, at samples.
  func upsampledPlane(_ index: Int, isBelow: Bool, _ samples: Range<Int>) -> Row<Float> {
    upsampledRow(isBelow ? min(top + 1, kinds.height - 1) : top, index)[samples]
  }

  private func upsampledRow(_ cell: Int, _ plane: Int) -> Row<Float> {
    scratch.upsampled.row((cell & 1) * Self.planes + plane)
  }

  /// Moves to the row of cells `top` and the one below it; calls `body` with each span of samples
  /// of one kind.
  mutating func forEachSpan(betweenRow top: Int, _ body: (Self, Range<Int>, _ kind: UInt8) -> Void)
  {
    let bottom = min(top + 1, kinds.height - 1)
    if self.top != top {
      upsampleCellRow(top)
      upsampleCellRow(bottom)
      scratch.joined.setUnion(kinds.row(top)[..<columns], kinds.row(bottom)[..<columns])
      spans = Self.findSpans(scratch.joined, scratch.ends, scratch.kinds)
      self.top = top
    }
    var first = 0
    for index in 0..<spans {
      let end = Int(scratch.ends[index])
      body(self, across.samples(in: first..<end), scratch.kinds[index])
      first = end
    }
  }

  /// Upsamples a row of cells where it, or a row next to it, is mixed.
  private mutating func upsampleCellRow(_ cell: Int) {
    guard (cell & 1 == 0 ? cells.0 : cells.1) != cell else { return }
    if cell & 1 == 0 { cells.0 = cell } else { cells.1 = cell }
    let (above, below) = (max(cell - 1, 0), min(cell + 1, kinds.height - 1))
    scratch.joined.setUnion(kinds.row(above)[..<columns], kinds.row(below)[..<columns])
    scratch.joined.setUnion(scratch.joined, kinds.row(cell)[..<columns])
    let count = Self.findSpans(scratch.joined, scratch.ends, scratch.kinds)
    var first = 0
    for index in 0..<count {
      let end = Int(scratch.ends[index])
      defer { first = end }
      guard scratch.kinds[index] == GuidedFilter.Kind.mixed else { continue }
      for plane in 0..<4 {
        across.upsampleBilinear(
          coefficients[plane].row(cell)[..<columns], first..<end, into: upsampledRow(cell, plane))
      }
      across.upsampleBilinear(temporalWeight.row(cell), first..<end, into: upsampledRow(cell, 4))
    }
  }

  /// Finds spans of segments between cells in whose windows the mask is all 0, or all 1, and the
  /// spans between those; returns their number.
  private static func findSpans(_ cells: Row<UInt8>, _ ends: Row<Int32>, _ kinds: Row<UInt8>) -> Int
  {
    let n = cells.count
    var (count, last, x) = (0, 0, 0)
    func addSpan(_ end: Int, _ kind: UInt8) {
      ends[count] = Int32(end)
      kinds[count] = kind
      count += 1
      last = end
    }
    while x < n {
      let kind = cells[x]
      let end = cells.endOfRun(of: kind, from: x)
      // Segments need both of their cells to be alike.
      let segments = (x == 0 ? 0 : x + 1)..<max(end == n ? n + 1 : end, x == 0 ? 0 : x + 1)
      if kind == GuidedFilter.Kind.none || kind == GuidedFilter.Kind.all, !segments.isEmpty {
        if last < segments.lowerBound { addSpan(segments.lowerBound, GuidedFilter.Kind.mixed) }
        addSpan(segments.upperBound, kind)
      }
      x = end
    }
    if last < n + 1 { addSpan(n + 1, GuidedFilter.Kind.mixed) }
    return count
  }
}

extension Row<UInt8> {
  /// The first element from `start` on that is not `value`.
  fileprivate func endOfRun(of value: UInt8, from start: Int) -> Int {
    let word = UInt64(value) &* 0x0101_0101_0101_0101
    var x = start
    while x &+ 8 <= count, self.word(at: x, as: UInt64.self) == word { x &+= 8 }
    while x < count, self[x] == value { x &+= 1 }
    return x
  }
}

/// The rows that `FittedRows` of several threads work in.
final class FittedScratch {
  /// Those of one thread; valid while the scratch lives and is not resized.
  struct Rows {
    let upsampled: Grid<Float>.Rows
    let joined, kinds: Row<UInt8>
    let ends: Row<Int32>
  }

  private var upsampled: [Grid<Float>] = []
  private let bytes = Grid<UInt8>(of: 0)
  private let ends = Grid<Int32>(of: 0)
  private let cells, samples: Int

  init(cells: Int, samples: Int) { (self.cells, self.samples) = (cells, samples) }

  func resize(threads: Int) {
    while upsampled.count < threads {
      upsampled.append(
        Grid(width: samples + FittedKernels.block, height: 2 * FittedRows.planes, of: 0))
    }
    // A span for every segment, and between.
    bytes.resize(width: 2 * cells + 4, height: 2 * threads)
    ends.resize(width: 2 * cells + 4, height: threads)
  }

  func rows(_ slice: Int) -> Rows {
    Rows(
      upsampled: upsampled[slice].rows, joined: bytes.row(2 * slice)[..<cells],
      kinds: bytes.row(2 * slice + 1), ends: ends.row(slice))
  }
}
