import CHarness
import Harness
import Support

#if canImport(Glibc)
  import Glibc
#endif

/// Coverage-guided fuzzing of one target: inputs that reach new code are kept and mutated again.
struct Fuzzer {
  let name: String
  let target: any Target
  let seed: UInt64
  /// Time limit; 0 for none.
  let seconds: Double
  let inputs: Int

  /// Inputs kept for mutation.
  private static let maximumCorpusSize = 8192

  /// Megabytes that the refusal of a file may allocate.
  private static let maximumRefusalMemory = 100.0

  private var corpus: [[UInt8]] = []
  private var mutator: Mutator
  private var tried = 0
  private var accepted = 0
  private var frames = 0
  private var failureCount = 0
  /// The largest memory that the refusal of an input took, in megabytes.
  private var refusalMemory = 0.0

  init(_ name: String, _ target: any Target, seed: UInt64, seconds: Double, inputs: Int) {
    (self.name, self.target, self.seed) = (name, target, seed)
    (self.seconds, self.inputs) = (seconds, inputs)
    mutator = Mutator(
      random: SplitMix(seed), dictionary: target.dictionary, maximumLength: target.maximumLength,
      prefersFixedLength: target.prefersFixedLength)
  }

  /// Runs until the limit; returns the number of inputs that failed.
  mutating func run() throws -> Int {
    let start = monotonicSeconds()
    var reported = start
    corpus = try target.seeds() + Corpus.inputs(of: name)
    for (index, input) in corpus.enumerated() where index == 0 || isInTime(start) {
      runInput(input, "seed\(index)")
    }
    _ = charness_has_new_coverage()
    if corpus.isEmpty { corpus = [[]] }
    while isInTime(start) {
      let input = mutator.mutate(pickInput(), with: pickInput())
      runInput(input, "\(seed)-\(tried)")
      if charness_has_new_coverage() != 0, corpus.count < Self.maximumCorpusSize {
        corpus.append(input)
      }
      if monotonicSeconds() - reported > 10 {
        reported = monotonicSeconds()
        report(after: monotonicSeconds() - start)
      }
    }
    report(after: monotonicSeconds() - start)
    return failureCount
  }

  private func isInTime(_ start: Double) -> Bool {
    (seconds == 0 || monotonicSeconds() - start < seconds) && (inputs == 0 || tried < inputs)
  }

  /// A corpus entry; half of the time one of the newest 64.
  private mutating func pickInput() -> [UInt8] {
    let recent = min(corpus.count, 64)
    let isRecent = mutator.random.below(2) == 0
    return corpus[
      isRecent
        ? corpus.count - 1 - mutator.random.below(recent) : mutator.random.below(corpus.count)]
  }

  private mutating func runInput(_ input: [UInt8], _ label: String) {
    let kept = "out/fuzz/\(name)-\(label)"
    if measuresMemory { ResourceUsage.resetPeak() }
    let before = measuresMemory ? ResourceUsage.peak : 0
    let outcome = input.withUnsafeBufferPointer { bytes in
      charness_set_input(bytes.baseAddress, bytes.count)
      defer { charness_set_input(nil, 0) }
      charness_set_crash_report(kept, "make fuzz TARGET=\(name) INPUT=\(kept)")
      var outcome = withWatchdog("an input") { target.run(input) }
      checkMemory(&outcome, memoryBefore: before)
      if outcome.failure != nil { _ = charness_save_input() }
      return outcome
    }
    tried += 1
    frames += outcome.frames
    if outcome.isAccepted { accepted += 1 }
    if let failure = outcome.failure {
      failureCount += 1
      log("\(name): \(failure)\nmien: FOUND, to repeat:  make fuzz TARGET=\(name) INPUT=\(kept)")
    }
  }

  /// Not under a sanitizer, which keeps freed memory.
  private var measuresMemory: Bool { target.isFile && charness_is_sanitized() == 0 }

  private mutating func checkMemory(_ outcome: inout Outcome, memoryBefore: Double) {
    guard measuresMemory, !outcome.isAccepted else { return }
    let memory = ResourceUsage.peak - memoryBefore
    refusalMemory = max(refusalMemory, memory)
    if memory > Self.maximumRefusalMemory, outcome.failure == nil {
      outcome.failure = "took \(Int(memory)) MB to be refused"
    }
  }

  private func report(after seconds: Double) {
    let rate = Int(Double(tried) / max(seconds, 0.001))
    var text = "\(name): \(tried) inputs (\(rate)/s), \(accepted) accepted, seed \(seed)"
    if frames > 0 { text += ", \(frames) frames (\(Int(Double(frames) / max(seconds, 0.001)))/s)" }
    if measuresMemory { text += ", refused within \(Int(refusalMemory.rounded(.up))) MB" }
    if charness_edges() > 0 {
      text += ", \(charness_edges_covered()) of \(charness_edges()) edges, \(corpus.count) kept"
    }
    let summary = target.summary
    log(text + (summary.isEmpty ? "" : ", " + summary))
  }
}
