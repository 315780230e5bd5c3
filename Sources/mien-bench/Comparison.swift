import Glibc

/// A job done in several ways, of which the first is the yardstick.
struct Comparison {
  let title: String
  let ways: [Way]
  /// What is asked of the ways; see `Bar`.
  var bars: [Bar] = []

  struct Way {
    let name: String
    /// Adds one round to the measurement; false when this cannot be run here.
    let measure: (inout Measurement) -> Bool
  }

  /// Runs the ways in turn, `rounds` times over, so that what the machine does meanwhile falls on
  /// all of them, and reports medians with their spread and the ratio to the first.
  func run(rounds: Int, report: Report) {
    var results = ways.map { _ in Measurement() }
    for _ in 0..<rounds {
      for (index, way) in ways.enumerated() where !way.measure(&results[index]) { continue }
    }
    report.line("\n\(title)")
    report.line("  " + "".padded(42) + "CPU ms    (min  ...    max)  wall ms  peak MB    ratio")
    let yardstick = results.first.map { median($0.cpu) } ?? 0
    for (way, result) in zip(ways, results) {
      let ratio = result.cpu.isEmpty || yardstick <= 0 ? "" : pad(median(result.cpu) / yardstick)
      report.line("  \(way.name.padded(40))\(result.summary)  \(ratio)")
    }
    for bar in bars { report.add(bar.outcome(of: results)) }
  }
}
