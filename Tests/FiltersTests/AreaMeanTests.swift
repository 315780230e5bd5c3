import Pixels
import Support
import Testing

@testable import Filters

/// The loops of area averaging at every length from 1, against plain sums.
@Suite(.timeLimit(.minutes(20))) struct AreaMeanTests {
  @Test(arguments: Array(1...40) + [255, 256])
  func pairsAndTriplesAreSummed(count: Int) {
    var random = SplitMix(UInt64(count))
    let sums = Grid(width: 3 * count, height: 1, of: UInt16(0))
    for x in 0..<3 * count { sums.row(0)[x] = UInt16(random.below(21845)) }
    let source = sums.row(0)
    let (pairs, halves, triples) = (row(count), row(count), row(count))
    AreaKernels.sumPairs(pairs.row(0), source)
    AreaKernels.averagePairs(halves.row(0), source)
    AreaKernels.sumTriples(triples.row(0), source)
    for x in 0..<count {
      let two = Int(source[2 * x]) + Int(source[2 * x + 1])
      #expect(Int(pairs.row(0)[x]) == two)
      #expect(Int(halves.row(0)[x]) == (two + 1) / 2)
      let three = (0..<3).reduce(0) { $0 + Int(source[3 * x + $1]) }
      #expect(Int(triples.row(0)[x]) == three, "\(x) of \(count)")
    }
  }

  @Test(arguments: Array(1...40) + [255, 256])
  func sumsAreDividedIntoMeans(count: Int) {
    var random = SplitMix(UInt64(count))
    let rows = 7
    let samples = Grid(width: count, height: rows, of: UInt8(0))
    let (sums, means) = (row(count), Grid(width: count, height: 1, of: UInt8(0)))
    for y in 0..<rows {
      for x in 0..<count { samples.row(y)[x] = UInt8(random.below(256)) }
      AreaKernels.add(sums.row(0), samples.row(y))
    }
    AreaKernels.scaleAndRound(means.row(0), sums.row(0), 1 / Float(rows))
    for x in 0..<count {
      let sum = (0..<rows).reduce(0) { $0 + Int(samples.row($1)[x]) }
      #expect(Int(sums.row(0)[x]) == sum)
      #expect(abs(Double(means.row(0)[x]) - Double(sum) / Double(rows)) <= 0.5001)
    }
  }

  private func row(_ count: Int) -> Grid<UInt16> { Grid(width: count, height: 1, of: 0) }
}
