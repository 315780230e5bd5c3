import Testing

@testable import mien_bench

@Suite(.timeLimit(.minutes(20))) struct MeasurementTests {
  @Test func roundsWithoutAPositiveCostAreDropped() {
    var measurement = Measurement()
    for cost in [Cost(cpu: -2.56, wall: 1), Cost(cpu: 1, wall: -0.1)] {
      let isCounted = measurement.add(cost, frames: 400)
      #expect(!isCounted)
    }
    #expect(measurement.cpu.isEmpty && measurement.wall.isEmpty)
    measurement.add(Cost(cpu: 2, wall: 1), frames: 400)
    #expect(measurement.cpu == [5])
  }

  /// Each start of this program costs more than the one after it, and more than its frames do.
  @Test func programsAreMeasuredAfterAWarmUp() {
    let marker = ".build/tests-bench-\(UInt64.random(in: 0 ... .max))"
    // Burns processor time on its first start alone.
    let script =
      "if [ ! -e \(marker) ]; then : >\(marker); i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; fi"
    let candidate = Candidate("sh", frames: 20_000, less: 10) { frames in
      ["sh", "-c", script + "; i=0; while [ $i -lt \(frames) ]; do i=$((i+1)); done"]
    }
    let result = Comparison(title: "", candidates: [candidate]).measured(rounds: 3)[0]
    _ = execute(["rm", "-f", marker])
    #expect(result.cpu.count == 3)
    #expect(result.cpu.allSatisfy { $0 > 0 })
  }

  @Test func aCandidateThatFailsInOneRoundHasNoFigures() {
    var rounds = 0
    let candidate = Candidate("fails at last") { measurement in
      rounds += 1
      return rounds < 3 && measurement.add(Cost(cpu: 1, wall: 1), frames: 1)
    }
    let other = Candidate("runs") { $0.add(Cost(cpu: 1, wall: 1), frames: 1) }
    let results = Comparison(title: "", candidates: [candidate, other]).measured(rounds: 5)
    #expect(results[0].cpu.isEmpty)
    #expect(results[1].cpu.count == 5)
    #expect(rounds == 3)
  }
}
