import Pixels
import Support
import Testing
import Threads

@testable import Filters

/// The guided filter with a three-channel guide against a plain one in double precision.
@Suite(.timeLimit(.minutes(20))) struct GuidedFilterTests {
  private static let sizes =
    [(37, 21), (16, 9), (48, 30), (70, 40), (5, 3), (1, 1), (1, 9), (17, 1), (2, 2), (33, 2)]
  private static let (offset, scale): (Float, Float) = (31.875, 318.75)

  private typealias Guide = (Grid<Int16>, Grid<Int16>, Grid<Int16>)

  /// A noisy guide with a foreground of other colours from `left` on, and a mask with a soft edge.
  private func made(_ columns: Int, _ rows: Int, left: Int) -> (Guide, Grid<Int16>) {
    func plane() -> Grid<Int16> { Grid(width: columns, height: rows, of: 0) }
    let guide = (plane(), plane(), plane())
    let mask = plane()
    var random = SplitMix(11)
    for (y, x) in product(0..<rows, 0..<columns) {
      let isThere = x >= left && y > rows / 4
      let noise = Int16(random.below(9))
      guide.0.row(y)[x] = (isThere ? 40 : -30) + noise
      guide.1.row(y)[x] = (isThere ? 10 : 25) - noise
      guide.2.row(y)[x] = Int16(random.below(20)) - (isThere ? 60 : 0)
      let depth = Int16(min(max((x - left) * 1100 + 2000, 0), 4096))
      mask.row(y)[x] = y > rows / 4 ? depth : 0
    }
    return (guide, mask)
  }

  private func results(_ filter: GuidedFilter, _ columns: Int, _ rows: Int) -> [[Float]] {
    let planes = filter.coefficients
    return (0..<rows).flatMap { y in
      (0..<columns).map { x in
        (0..<4).map { planes[$0].row(y)[x] } + [Float(filter.kinds.row(y)[x])]
      }
    }
  }

  @Test(arguments: sizes)
  func alphaEqualsThatOfAPlainFilter(columns: Int, rows: Int) {
    let (guide, mask) = made(columns, rows, left: columns / 3)
    let filter = GuidedFilter(columns: columns, rows: rows)
    filter.compute(guide, mask, offset: Self.offset, scale: Self.scale, runner: SerialRunner())
    let found = results(filter, columns, rows)
    let plain = PlainFilter(guide, mask)
    for (y, x) in product(0..<rows, 0..<columns) {
      let color = plain.color(x, y)
      let c = found[y * columns + x]
      // The filter's coefficients are for codes, not for centred colours.
      let alpha = zip(c, color).reduce(Double(c[3])) { $0 + Double($1.0) * ($1.1 + 128) }
      let fit = plain.average(x, y)
      let wanted = zip(fit, color).reduce(fit[3]) { $0 + $1.0 * $1.1 }
      #expect(
        abs(alpha - wanted * Double(Self.scale) + Double(Self.offset)) < 0.1, "at \(x), \(y)")
      let kind =
        fit[3] == 0 && fit[0] == 0
        ? GuidedFilter.Kind.none
        : fit[3] == 1 && fit[0] == 0 ? GuidedFilter.Kind.all : GuidedFilter.Kind.mixed
      #expect(c[4] == Float(kind), "at \(x), \(y)")
    }
  }

  /// State kept from frame to frame must not change the result.
  @Test(arguments: sizes)
  func resultsDoNotDependOnEarlierFrames(columns: Int, rows: Int) {
    let filter = GuidedFilter(columns: columns, rows: rows)
    for left in [columns / 3, columns, 0, columns / 2, -40, columns / 3] {
      let (guide, mask) = made(columns, rows, left: left)
      if left == columns / 2 { filter.setUnfiltered(mask, scale: 255) }
      let fresh = GuidedFilter(columns: columns, rows: rows)
      for one in [filter, fresh] {
        one.compute(guide, mask, offset: Self.offset, scale: Self.scale, runner: SerialRunner())
      }
      #expect(results(filter, columns, rows) == results(fresh, columns, rows), "from \(left)")
    }
  }

  @Test(arguments: sizes)
  func resultsDoNotDependOnTheNumberOfThreads(columns: Int, rows: Int) {
    let (guide, mask) = made(columns, rows, left: columns / 3)
    let all = [1, 3].map { threads in
      let filter = GuidedFilter(columns: columns, rows: rows)
      filter.compute(
        guide, mask, offset: Self.offset, scale: Self.scale,
        runner: ThreadPool(exactly: threads))
      return results(filter, columns, rows)
    }
    #expect(all[0] == all[1])
  }
}

/// The guided filter by its definition, window by window.
private struct PlainFilter {
  private let columns, rows: Int
  private let colors: [[Double]]
  private let mask: [Double]
  private var fits: [[Double]] = []

  init(_ guide: (Grid<Int16>, Grid<Int16>, Grid<Int16>), _ mask: Grid<Int16>) {
    (columns, rows) = (mask.width, mask.height)
    func values(_ grid: Grid<Int16>) -> [Double] {
      (0..<grid.height).flatMap { y in (0..<grid.width).map { Double(grid.row(y)[$0]) } }
    }
    let planes = [values(guide.0), values(guide.1), values(guide.2)]
    colors = (0..<columns * rows).map { index in planes.map { $0[index] } }
    self.mask = values(mask).map { $0 / 4096 }
    fits = (0..<rows).flatMap { y in (0..<columns).map { x in fit(x, y) } }
  }

  func color(_ x: Int, _ y: Int) -> [Double] { colors[y * columns + x] }

  private func window(_ x: Int, _ y: Int) -> [Int] {
    (max(y - 4, 0)...min(y + 4, rows - 1)).flatMap { row in
      (max(x - 4, 0)...min(x + 4, columns - 1)).map { row * columns + $0 }
    }
  }

  func average(_ x: Int, _ y: Int) -> [Double] {
    let cells = window(x, y)
    return (0..<4).map { index in
      cells.reduce(0) { $0 + fits[$1][index] } / Double(cells.count)
    }
  }

  private func fit(_ x: Int, _ y: Int) -> [Double] {
    let cells = window(x, y)
    func mean(_ value: (Int) -> Double) -> Double {
      cells.reduce(0) { $0 + value($1) } / Double(cells.count)
    }
    let p = mean { mask[$0] }
    if p == 0 || p == 1 { return [0, 0, 0, p] }
    let means = (0..<3).map { i in mean { colors[$0][i] } }
    var matrix = (0..<3).map { i in
      (0..<3).map { j in
        mean { colors[$0][i] * colors[$0][j] } - means[i] * means[j] + (i == j ? 0.65 : 0)
      } + [mean { colors[$0][i] * mask[$0] } - means[i] * p]
    }
    // Gauss-Jordan elimination.
    for i in 0..<3 {
      let pivot = matrix[i][i]
      matrix[i] = matrix[i].map { $0 / pivot }
      for j in 0..<3 where j != i {
        let factor = matrix[j][i]
        matrix[j] = zip(matrix[j], matrix[i]).map { $0 - factor * $1 }
      }
    }
    let slopes = matrix.map { $0[3] }
    return slopes + [p - zip(slopes, means).reduce(0) { $0 + $1.0 * $1.1 }]
  }
}
