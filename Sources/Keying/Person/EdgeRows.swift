import Filters
import Pixels

/// What makes a matte of colours, at the samples of two rows of cells: what lies between those is
/// mixed of both.
///
/// Rows of cells are upsampled once, and serve all rows of samples about them.
struct EdgeRows {
  /// The filter's four coefficients, and what of the last opacity is kept.
  static let planes = 5

  private let coefficients: InlineArray<4, Grid<Float>.Rows>
  private let stillness: Grid<Float>.Rows
  private let kinds: Grid<UInt8>.Rows
  private let columns: Int
  private let across: UpsamplePositions
  private let room: EdgeRoom.Rows
  /// The rows of cells that are upsampled, even and odd; the one above what is asked for; and the
  /// stretches between it and the next.
  private var cells = (-1, -1)
  private var top = -1
  private var stretches = 0

  init(
    _ filter: GuidedFilter, stillness: Grid<Float>, _ across: UpsamplePositions,
    _ room: EdgeRoom.Rows
  ) {
    coefficients = filter.coefficients
    kinds = filter.kinds.rows
    self.stillness = stillness.rows
    columns = stillness.width
    (self.across, self.room) = (across, room)
  }

  /// A plane of the row of cells that was asked for last, or of the one below, at samples.
  func plane(_ index: Int, isBelow: Bool, _ samples: Range<Int>) -> Row<Float> {
    wide(isBelow ? min(top + 1, kinds.height - 1) : top, index)[samples]
  }

  private func wide(_ cell: Int, _ plane: Int) -> Row<Float> {
    room.wide.row((cell & 1) * Self.planes + plane)
  }

  /// Goes to the rows of cells `top` and the one below it; calls `body` with each stretch of
  /// samples that are all of one kind.
  mutating func forStretches(_ top: Int, _ body: (Self, Range<Int>, _ kind: UInt8) -> Void) {
    let bottom = min(top + 1, kinds.height - 1)
    if self.top != top {
      upsample(top)
      upsample(bottom)
      room.joined.setUnion(kinds.row(top)[..<columns], kinds.row(bottom)[..<columns])
      stretches = Self.find(room.joined, room.ends, room.kinds)
      self.top = top
    }
    var first = 0
    for index in 0..<stretches {
      let end = Int(room.ends[index])
      body(self, across.samples(first..<end), room.kinds[index])
      first = end
    }
  }

  /// Upsamples a row of cells where it, or one next to it, is mixed.
  private mutating func upsample(_ cell: Int) {
    guard (cell & 1 == 0 ? cells.0 : cells.1) != cell else { return }
    if cell & 1 == 0 { cells.0 = cell } else { cells.1 = cell }
    let (above, below) = (max(cell - 1, 0), min(cell + 1, kinds.height - 1))
    room.joined.setUnion(kinds.row(above)[..<columns], kinds.row(below)[..<columns])
    room.joined.setUnion(room.joined, kinds.row(cell)[..<columns])
    let count = Self.find(room.joined, room.ends, room.kinds)
    var first = 0
    for index in 0..<count {
      let end = Int(room.ends[index])
      defer { first = end }
      guard room.kinds[index] == GuidedFilter.Kind.mixed else { continue }
      for plane in 0..<4 {
        across.upsampleBilinear(
          coefficients[plane].row(cell)[..<columns], first..<end, into: wide(cell, plane))
      }
      across.upsampleBilinear(stillness.row(cell), first..<end, into: wide(cell, 4))
    }
  }

  /// Finds stretches of segments between cells that have nobody, or only somebody, in their
  /// windows, and those between; returns how many.
  private static func find(_ cells: Row<UInt8>, _ ends: Row<Int32>, _ kinds: Row<UInt8>) -> Int {
    let n = cells.count
    var (count, last, x) = (0, 0, 0)
    func add(_ end: Int, _ kind: UInt8) {
      ends[count] = Int32(end)
      kinds[count] = kind
      count += 1
      last = end
    }
    while x < n {
      let kind = cells[x]
      let end = cells.end(of: kind, from: x)
      // Segments need both of their cells to be alike.
      let segments = (x == 0 ? 0 : x + 1)..<max(end == n ? n + 1 : end, x == 0 ? 0 : x + 1)
      if kind == GuidedFilter.Kind.none || kind == GuidedFilter.Kind.all, !segments.isEmpty {
        if last < segments.lowerBound { add(segments.lowerBound, GuidedFilter.Kind.mixed) }
        add(segments.upperBound, kind)
      }
      x = end
    }
    if last < n + 1 { add(n + 1, GuidedFilter.Kind.mixed) }
    return count
  }
}

extension Row<UInt8> {
  /// The first element from `start` on that is not `value`.
  fileprivate func end(of value: UInt8, from start: Int) -> Int {
    let word = UInt64(value) &* 0x0101_0101_0101_0101
    var x = start
    while x &+ 8 <= count, self.word(at: x, as: UInt64.self) == word { x &+= 8 }
    while x < count, self[x] == value { x &+= 1 }
    return x
  }
}

/// The rows in which `EdgeRows` of as many threads work.
final class EdgeRoom {
  /// Those of one thread; valid while the room lives and is not resized.
  struct Rows {
    let wide: Grid<Float>.Rows
    let joined, kinds: Row<UInt8>
    let ends: Row<Int32>
  }

  private var wide: [Grid<Float>] = []
  private let bytes = Grid<UInt8>(of: 0)
  private let ends = Grid<Int32>(of: 0)
  private let cells, samples: Int

  init(cells: Int, samples: Int) { (self.cells, self.samples) = (cells, samples) }

  func resize(threads: Int) {
    while wide.count < threads {
      wide.append(
        Grid(width: samples + EdgeKernels.block, height: 2 * EdgeRows.planes, of: 0))
    }
    // A stretch for every segment, and between.
    bytes.resize(width: 2 * cells + 4, height: 2 * threads)
    ends.resize(width: 2 * cells + 4, height: threads)
  }

  func rows(_ piece: Int) -> Rows {
    Rows(
      wide: wide[piece].rows, joined: bytes.row(2 * piece)[..<cells],
      kinds: bytes.row(2 * piece + 1), ends: ends.row(piece))
  }
}
