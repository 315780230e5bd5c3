/// A benchmark of several candidates for one job; the first is the baseline.
struct Comparison {
  let title: String
  let candidates: [Candidate]
  /// The performance targets.
  var bars: [Bar] = []

  /// Runs the candidates in turn, `rounds` times, so that other load on the machine affects all of them;
  /// reports medians, their range and the ratio to the baseline.
  func run(rounds: Int, report: Report) {
    let results = measured(rounds: rounds)
    report.line("\n\(title)")
    report.line("  " + "".padded(42) + "CPU ms    (min  ...    max)  wall ms  peak MB    ratio")
    let baseline = results.first.map { median($0.cpu) } ?? 0
    for (candidate, result) in zip(candidates, results) {
      let ratio = result.cpu.isEmpty || baseline <= 0 ? "" : pad(median(result.cpu) / baseline)
      report.line("  \(candidate.name.padded(40))\(result.summary)  \(ratio)")
    }
    for bar in bars { report.add(bar.measured(on: results)) }
  }

  /// A measurement per candidate with a figure for each round; empty for a candidate that failed in any
  /// round, because bars compare candidates round by round.
  func measured(rounds: Int) -> [Measurement] {
    var results = candidates.map { _ in Measurement() }
    var hasFailed = candidates.map { _ in false }
    for candidate in candidates { candidate.warmUp() }
    for _ in 0..<rounds {
      for (index, candidate) in candidates.enumerated() where !hasFailed[index] {
        hasFailed[index] = !candidate.measure(&results[index])
      }
    }
    for index in candidates.indices where hasFailed[index] { results[index] = Measurement() }
    return results
  }
}

/// A performance target: the maximum cost of a job, and its measured cost.
///
/// Candidates are given by their index in the comparison.
struct Bar {
  enum Unit {
    /// The ratio of CPU times of `candidate` and `base`, in each round.
    case share
    /// The ratio of wall-clock times of `candidate` and `base`, in each round.
    case wall
    /// CPU time per frame of `candidate`.
    case milliseconds
    /// CPU time per frame of each of the `more` items by which `candidate` exceeds `base`.
    case each(more: Int)
    /// Peak memory of `candidate` above that of `base`.
    case megabytes

    var text: String {
      switch self {
      case .share: "of the peer"
      case .wall: "of its time"
      case .milliseconds: "ms"
      case .each: "ms each"
      case .megabytes: "MB"
      }
    }
  }

  let job: String
  let unit: Unit
  let candidate: Int
  var base = 0
  let limit: Double
  /// One figure per round; empty if a candidate did not run.
  private(set) var figures: [Double] = []

  init(_ job: String, _ unit: Unit, of candidate: Int, to base: Int = 0, atMost limit: Double) {
    (self.job, self.unit, self.candidate, self.base, self.limit) = (
      job, unit, candidate, base, limit
    )
  }

  func measured(on results: [Measurement]) -> Bar {
    let (own, other) = (results[candidate], results[base])
    var bar = self
    bar.figures =
      switch unit {
      case .share: zip(own.cpu, other.cpu).map { $0 / $1 }
      case .wall: zip(own.wall, other.wall).map { $0 / $1 }
      case .milliseconds: own.cpu
      case .each(let count): zip(own.cpu, other.cpu).map { ($0 - $1) / Double(count) }
      case .megabytes: own.peak > 0 && other.peak > 0 ? [own.peak - other.peak] : []
      }
    return bar
  }

  var isMet: Bool { !figures.isEmpty && median(figures) <= limit }

  var text: String {
    guard !figures.isEmpty else { return "  not run   \(job)" }
    let figure = median(figures)
    let verdict = isMet ? "met" : "missed by \(Int(((figure / limit - 1) * 100).rounded())) %"
    return
      "  \(verdict.padded(14)) \(pad(figure)) (\(pad(figures.min() ?? 0)) ...\(pad(figures.max() ?? 0)))"
      + "  bar\(pad(limit)) \(unit.text.padded(12)) \(job)"
  }
}
