import Pixels
import Support
import Testing
import Threads

@testable import Filters

/// The self-guided filter against a plain one in double precision.
@Suite(.timeLimit(.minutes(20))) struct SelfGuidedFilterTests {
  private static let sizes = [(1, 1), (1, 5), (6, 1), (2, 3), (17, 9), (40, 33)]
  private static let (epsilon, radius, wide): (Float, Int, Int) = (36, 3, 7)

  /// Quarters of a code: a step, with noise on it.
  private func made(_ width: Int, _ height: Int) -> Grid<UInt16> {
    let grid = Grid(width: width, height: height, of: UInt16(0))
    var random = SplitMix(21)
    for (y, x) in product(0..<height, 0..<width) {
      grid.row(y)[x] = UInt16(x > width / 2 ? 640 : 320) + UInt16(random.below(60))
    }
    return grid
  }

  private func filtered(_ luma: Grid<UInt16>, threads: Int) -> SelfGuidedFilter {
    let filter = SelfGuidedFilter()
    filter.compute(
      luma,
      .init(black: 16, radius: Self.radius, wideRadius: Self.wide, epsilon: Self.epsilon),
      boxes: BoxSums(), runner: ThreadPool(exactly: threads))
    return filter
  }

  @Test(arguments: sizes, [1, 3])
  func coefficientsEqualThoseOfAPlainFilter(size: (Int, Int), threads: Int) {
    let (width, height) = size
    let luma = made(width, height)
    let filter = filtered(luma, threads: threads)
    func mean(_ x: Int, _ y: Int, _ radius: Int, _ value: (Int, Int) -> Double) -> Double {
      var (sum, count) = (0.0, 0.0)
      for (row, column) in product(
        max(y - radius, 0)...min(y + radius, height - 1),
        max(x - radius, 0)...min(x + radius, width - 1))
      {
        sum += value(column, row)
        count += 1
      }
      return sum / count
    }
    func code(_ x: Int, _ y: Int) -> Double { Double(luma.row(y)[x]) / 4 }
    func table(_ value: (Int, Int) -> Double) -> [[Double]] {
      (0..<height).map { y in (0..<width).map { value($0, y) } }
    }
    let means = table { mean($0, $1, Self.radius, code) }
    let slopes = table { x, y in
      let variance =
        mean(x, y, Self.radius) { code($0, $1) * code($0, $1) } - means[y][x] * means[y][x]
      return variance / (variance + Double(Self.epsilon))
    }
    let a = table { mean($0, $1, Self.radius) { slopes[$1][$0] } }
    let b = table { mean($0, $1, Self.radius) { means[$1][$0] * (1 - slopes[$1][$0]) } }
    let removed = table { x, y in code(x, y) * (1 - a[y][x]) - b[y][x] }
    for (y, x) in product(0..<height, 0..<width) {
      #expect(
        abs(Double(filter.attenuation.row(y)[x]) / 16384 - (1 - a[y][x])) < 0.001, "\(x), \(y)")
      let offset = max(b[y][x] + mean(x, y, Self.wide) { removed[$1][$0] }, 0)
      #expect(abs(Double(filter.offset.row(y)[x]) / 64 - offset) < 0.2, "\(x), \(y)")
      let fineMean = mean(x, y, (Self.radius + 1) / 2, code)
      #expect(abs(Double(filter.fineMean.row(y)[x]) / 4 - fineMean) < 0.13, "\(x), \(y)")
    }
  }

  @Test(arguments: sizes) func resultsDoNotDependOnTheNumberOfThreads(width: Int, height: Int) {
    let luma = made(width, height)
    let (one, three) = (filtered(luma, threads: 1), filtered(luma, threads: 3))
    for y in 0..<height {
      #expect(Array(one.attenuation.row(y)) == Array(three.attenuation.row(y)))
      #expect(Array(one.offset.row(y)) == Array(three.offset.row(y)))
      #expect(Array(one.roughness.row(y)) == Array(three.roughness.row(y)))
    }
  }
}
