/// A job done in several ways, of which the first is the yardstick.
struct Comparison {
  let title: String
  let ways: [Way]
  /// What is asked of the ways.
  var bars: [Bar] = []

  /// Runs the ways in turn, `rounds` times over, so that what the machine does meanwhile falls on
  /// all of them, and reports medians with their spread and the ratio to the first.
  func run(rounds: Int, report: Report) {
    let results = measured(rounds: rounds)
    report.line("\n\(title)")
    report.line("  " + "".padded(42) + "CPU ms    (min  ...    max)  wall ms  peak MB    ratio")
    let yardstick = results.first.map { median($0.cpu) } ?? 0
    for (way, result) in zip(ways, results) {
      let ratio = result.cpu.isEmpty || yardstick <= 0 ? "" : pad(median(result.cpu) / yardstick)
      report.line("  \(way.name.padded(40))\(result.summary)  \(ratio)")
    }
    for bar in bars { report.add(bar.measured(on: results)) }
  }

  /// One measurement a way, with a figure for each round; none at all for a way that failed in one,
  /// because bars compare ways round by round.
  func measured(rounds: Int) -> [Measurement] {
    var results = ways.map { _ in Measurement() }
    var hasFailed = ways.map { _ in false }
    for way in ways { way.warmUp() }
    for _ in 0..<rounds {
      for (index, way) in ways.enumerated() where !hasFailed[index] {
        hasFailed[index] = !way.measure(&results[index])
      }
    }
    for index in ways.indices where hasFailed[index] { results[index] = Measurement() }
    return results
  }
}

/// What a job may cost at most, and what it did cost.
///
/// Ways are named by their place in the comparison.
struct Bar {
  enum Unit {
    /// CPU time of `way` as a share of that of `base`, in each round.
    case share
    /// Time on the clock of `way` as a share of that of `base`, in each round.
    case wall
    /// CPU time of `way` for a frame.
    case milliseconds
    /// CPU time for a frame of each of so many things that `way` has more than `base`.
    case each(more: Int)
    /// Peak memory of `way` above that of `base`.
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
  let way: Int
  var base = 0
  let limit: Double
  /// One figure a round; none where a way did not run.
  private(set) var figures: [Double] = []

  init(_ job: String, _ unit: Unit, of way: Int, to base: Int = 0, atMost limit: Double) {
    (self.job, self.unit, self.way, self.base, self.limit) = (job, unit, way, base, limit)
  }

  func measured(on results: [Measurement]) -> Bar {
    let (own, other) = (results[way], results[base])
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
