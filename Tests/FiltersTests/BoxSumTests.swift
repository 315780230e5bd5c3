import Pixels
import Support
import Testing
import Threads

@testable import Filters

/// Box sums against sums computed value by value.
@Suite(.timeLimit(.minutes(20))) struct BoxSumTests {
  private static let sizes = [(1, 1), (1, 7), (7, 1), (2, 2), (3, 5), (16, 9), (37, 23), (64, 50)]

  private func noise(_ width: Int, _ height: Int, _ seed: UInt64, below limit: Int) -> Grid<UInt16>
  {
    let grid = Grid(width: width, height: height, of: UInt16(0))
    var random = SplitMix(seed)
    for y in 0..<height { for x in 0..<width { grid.row(y)[x] = UInt16(random.below(limit)) } }
    return grid
  }

  private func window(_ x: Int, _ y: Int, _ radius: Int, _ grid: Grid<UInt16>) -> [Int] {
    (max(y - radius, 0)...min(y + radius, grid.height - 1)).flatMap { row in
      (max(x - radius, 0)...min(x + radius, grid.width - 1)).map { Int(grid.row(row)[$0]) }
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 9, 20], [1, 2, 5])
  func sumsEqualThoseOfEveryWindow(radius: Int, threads: Int) {
    let boxes = BoxSums()
    for (width, height) in Self.sizes {
      let (a, b) = (noise(width, height, 3, below: 1024), noise(width, height, 4, below: 1024))
      let other = radius / 2
      let found = Grid(width: 3 * width, height: height, of: Int32(0))
      let inverses = Grid(width: width, height: height, of: Float(0))
      boxes.forEachRow(
        SummedPlane(a, radius), SummedPlane(a, radius, isSquared: true), SummedPlane(b, other),
        runner: ThreadPool(exactly: threads)
      ) { y, sums, inverse in
        for x in 0..<width {
          for plane in 0..<3 { found.row(y)[3 * x + plane] = sums(plane)[x] }
          inverses.row(y)[x] = inverse.columns[x] * inverse.rows
        }
      }
      for (y, x) in product(0..<height, 0..<width) {
        let (values, others) = (window(x, y, radius, a), window(x, y, other, b))
        let wanted = [
          values.reduce(0, +), values.reduce(0) { $0 + $1 * $1 }, others.reduce(0, +),
        ]
        let sums = Array(found.row(y)[from: 3 * x, count: 3]).map { Int($0) }
        #expect(sums == wanted, "\(x), \(y) of \(width)x\(height)")
        #expect(abs(Double(inverses.row(y)[x]) * Double(values.count) - 1) < 1e-6)
      }
    }
  }

  @Test(arguments: [1, 2, 4, 20], sizes)
  func dividedSumsAreMeans(radius: Int, size: (Int, Int)) {
    let plane = noise(size.0, size.1, 5, below: 1024)
    let means = Grid(width: size.0, height: size.1, of: UInt16(0))
    BoxSums().forEachRow(SummedPlane(plane, radius), runner: SerialRunner()) { y, sums, _ in
      BoxSum.writeMeans(
        sums(0), radius: radius, rows: BoxSum.windowLength(at: y, of: size.1, radius: radius),
        into: means.row(y))
    }
    for (y, x) in product(0..<size.1, 0..<size.0) {
      let values = window(x, y, radius, plane)
      let mean = Double(values.reduce(0, +)) / Double(values.count)
      #expect(abs(Double(means.row(y)[x]) - mean) <= 0.5001, "\(x), \(y) of \(size)")
    }
  }

  /// Window sums along a row against sums added one by one.
  @Test(arguments: 1...64) func windowSumsOfEverySpanAreExact(span: Int) {
    for count in [1, 7, 16, 33] {
      let columns = Grid(width: count + span - 1, height: 2, of: Int32(0))
      let out = Grid(width: count, height: 1, of: Int32(0))
      for x in 0..<columns.width { columns.row(0)[x] = Int32((x * 7919) % 1013) - 500 }
      let before = Array(columns.row(0))
      out.row(0).sumWindows(of: columns.row(0), span: span, scratch: columns.row(1))
      #expect(Array(columns.row(0)) == before)
      for x in 0..<count {
        #expect(out.row(0)[x] == before[x..<(x + span)].reduce(0, +), "\(x) of \(count)")
      }
    }
  }
}
