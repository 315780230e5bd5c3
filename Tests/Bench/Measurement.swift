/// The milliseconds per frame of a candidate in several rounds.
struct Measurement {
  var cpu: [Double] = []
  var wall: [Double] = []
  var peak = 0.0

  /// The number of attempts at a round before it fails.
  static let attempts = 3

  /// Adds a round; returns false without adding it if the cost is not positive, which noise can cause in
  /// the difference of two runs.
  @discardableResult
  mutating func add(_ cost: Cost, frames: Int) -> Bool {
    guard cost.cpu > 0, cost.wall > 0 else { return false }
    cpu.append(cost.cpu / Double(frames) * 1000)
    wall.append(cost.wall / Double(frames) * 1000)
    peak = max(peak, cost.peak)
    return true
  }

  /// Adds a round of `frames` calls of `body`, after `first` unmeasured ones.
  mutating func time(frames: Int, after first: Int = 0, _ body: () -> Void) {
    for _ in 0..<first { body() }
    let start = Cost.now
    for _ in 0..<frames { body() }
    add(Cost.now - start, frames: frames)
  }

  var summary: String {
    guard !cpu.isEmpty else { return "not run" }
    let memory = peak > 0 ? String(Int(peak.rounded())) : "-"
    return "\(pad(median(cpu)))  \(pad(cpu.min() ?? 0)) ...\(pad(cpu.max() ?? 0))  "
      + pad(median(wall)) + String(repeating: " ", count: max(1, 8 - memory.count)) + memory
  }
}

func median(_ values: [Double]) -> Double {
  guard !values.isEmpty else { return 0 }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// Three decimals, eight characters wide.
func pad(_ value: Double) -> String {
  let thousandths = Int((value * 1000).rounded())
  let fraction = String(abs(thousandths) % 1000)
  let text =
    (thousandths < 0 ? "-" : "") + "\(abs(thousandths) / 1000)."
    + String(repeating: "0", count: 3 - fraction.count) + fraction
  return String(repeating: " ", count: max(0, 8 - text.count)) + text
}

extension String {
  func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
