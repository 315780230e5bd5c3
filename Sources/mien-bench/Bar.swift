/// What a job may cost at most, and what it did cost.
///
/// Ways are named by their place in the comparison.
enum Bar {
  /// CPU time of `way` as a share of `peer`'s, in each round.
  case share(String, of: Int, to: Int, atMost: Double)
  /// CPU milliseconds a frame of `way`.
  case milliseconds(String, of: Int, atMost: Double)
  /// Peak memory of `way` above that of `base`.
  case megabytes(String, of: Int, over: Int, atMost: Double)

  /// A bar beside what was measured.
  ///
  /// Figures are empty where a way did not run.
  struct Outcome {
    let job: String
    let unit: Unit
    let limit: Double
    /// One figure a round.
    let figures: [Double]

    enum Unit: String {
      case share = "of the peer"
      case milliseconds = "ms"
      case megabytes = "MB"
    }

    var isMet: Bool { !figures.isEmpty && median(figures) <= limit }

    var text: String {
      guard !figures.isEmpty else { return "  not run   \(job)" }
      let figure = median(figures)
      let verdict = isMet ? "met" : "missed by \(Int(((figure / limit - 1) * 100).rounded())) %"
      return
        "  \(verdict.padded(14)) \(pad(figure)) (\(pad(figures.min() ?? 0)) ...\(pad(figures.max() ?? 0)))"
        + "  bar\(pad(limit)) \(unit.rawValue.padded(12)) \(job)"
    }
  }

  func outcome(of results: [Measurement]) -> Outcome {
    switch self {
    case .share(let job, let way, let peer, let limit):
      let shares = zip(results[way].cpu, results[peer].cpu).map { $0 / $1 }
      return Outcome(job: job, unit: .share, limit: limit, figures: shares)
    case .milliseconds(let job, let way, let limit):
      return Outcome(job: job, unit: .milliseconds, limit: limit, figures: results[way].cpu)
    case .megabytes(let job, let way, let base, let limit):
      let isMeasured = results[way].peak > 0 && results[base].peak > 0
      let over = isMeasured ? [results[way].peak - results[base].peak] : []
      return Outcome(job: job, unit: .megabytes, limit: limit, figures: over)
    }
  }
}
