import Pixels
import Support
import Testing
import Threads

@testable import Filters

/// The Gaussian by boxes against sums computed cell by cell in double precision.
@Suite(.timeLimit(.minutes(20))) struct BoxGaussianTests {
  /// A box filter over a line with clamped edges.
  private func boxed(_ line: [Double], radius: Int, share: Double) -> [Double] {
    let cell = { (x: Int) in line[max(0, min(x, line.count - 1))] }
    let scale = 1 / (Double(2 * radius + 1) + 2 * share)
    return line.indices.map { x in
      let ends = cell(x - radius - 1) + cell(x + radius + 1)
      return ((-radius...radius).reduce(0) { $0 + cell(x + $1) } + share * ends) * scale
    }
  }

  /// Includes blurs far wider than the grid.
  @Test(
    arguments: [0.3, 1, 2.5, 6, 40, 900], [(7, 5), (1, 1), (2, 1), (1, 3), (4, 9), (40, 33)])
  func theBlurEqualsThreeBoxFilters(sigma: Double, size: (Int, Int)) {
    let (columns, rows) = size
    let blur = BoxGaussian(columns: columns, rows: rows)
    var picture = (0..<rows).map { y in
      (0..<columns).map { x in Double((x * 37 + y * 101) % 256) }
    }
    for (y, x) in product(0..<rows, 0..<columns) {
      blur.cells.row(y)[x] = SIMD4(repeating: Float(picture[y][x]))
    }
    blur.blur(sigma: sigma, runner: ThreadPool(exactly: 2))
    // Of three boxes each has a third of the variance; that of a box with radius r is r (r + 1) /
    // 3.
    let variance = sigma * sigma / 3
    let radius = Int(((1 + 12 * variance).squareRoot() - 1) / 2)
    let r = Double(radius)
    let whole = 2 * r + 1
    let share = (variance - r * (r + 1) / 3) * whole / (2 * (r + 1) * (r + 1) - 2 * variance)
    for _ in 0..<3 { picture = picture.map { boxed($0, radius: radius, share: share) } }
    for x in 0..<columns {
      var column = picture.map { $0[x] }
      for _ in 0..<3 { column = boxed(column, radius: radius, share: share) }
      for y in 0..<rows { picture[y][x] = column[y] }
    }
    for (y, x) in product(0..<rows, 0..<columns) {
      let found = blur.cells.row(y)[x]
      #expect(abs(Double(found.x) - picture[y][x]) < 0.02, "at \(x), \(y)")
      #expect(found.x == found.w)
    }
  }
}
