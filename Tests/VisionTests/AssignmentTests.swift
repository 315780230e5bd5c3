import Support
import Testing

@testable import Vision

@Suite(.timeLimit(.minutes(20))) struct AssignmentTests {
  /// The least sum by trying all ways to pair.
  private func least(_ costs: [[Double]], _ row: Int = 0, _ used: Set<Int> = []) -> Double {
    guard row < costs.count else { return 0 }
    var best = Double.infinity
    for column in costs[row].indices where !used.contains(column) {
      best = min(best, costs[row][column] + least(costs, row + 1, used.union([column])))
    }
    if costs.count > costs[row].count {
      best = min(best, Assignment.forbidden + least(costs, row + 1, used))
    }
    return best
  }

  @Test func theSumOfCostsIsMinimal() {
    var random = SplitMix(7)
    for (size, columns) in product(1...5, 1...5) {
      let costs = (0..<size).map { _ in
        (0..<columns).map { _ in Double(random.below(1024)) / 64 - 4 }
      }
      let found = Assignment.solve(costs)
      let chosen = found.compactMap { $0 }
      #expect(Set(chosen).count == chosen.count)
      #expect(chosen.count == min(size, columns))
      let sum = found.enumerated().reduce(0.0) { sum, pair in
        sum + (pair.element.map { costs[pair.offset][$0] } ?? Assignment.forbidden)
      }
      #expect(abs(sum - least(costs)) < 1e-6)
    }
  }

  @Test func forbiddenAndInvalidCostsMakeNoPair() {
    let costs: [[Double]] = [[Assignment.forbidden, 1], [.nan, -.infinity]]
    #expect(Assignment.solve(costs) == [1, nil])
    #expect(Assignment.solve([[Double]]()) == [])
    #expect(Assignment.solve([[Double](), [Double]()]) == [nil, nil])
  }
}
