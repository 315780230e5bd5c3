import CHarness
import Harness
import Support

#if canImport(Glibc)
  import Glibc
#endif

/// Tries one input after another on a target, and keeps those that reach code that none before did.
struct Fuzzer {
  let name: String
  let target: any Target
  let seed: UInt64
  /// When to stop; 0 stands for never.
  let seconds: Double
  let inputs: Int

  /// Most inputs kept for mutation.
  private static let mostKept = 8192

  /// Megabytes that may be asked for to refuse a file.
  private static let mostMemory = 100.0

  private var corpus: [[UInt8]] = []
  private var mutator: Mutator
  private var tried = 0
  private var taken = 0
  private var frames = 0
  private var faults = 0
  /// Most megabytes that were asked for to refuse an input.
  private var refusing = 0.0

  init(_ name: String, _ target: any Target, seed: UInt64, seconds: Double, inputs: Int) {
    (self.name, self.target, self.seed) = (name, target, seed)
    (self.seconds, self.inputs) = (seconds, inputs)
    mutator = Mutator(
      random: SplitMix(seed), words: target.words, longest: target.longest,
      isRigid: target.isRigid)
  }

  /// Runs to the end; returns how many inputs were found to be mistreated.
  mutating func run() throws -> Int {
    let start = now()
    var reported = start
    corpus = try target.seeds() + Corpus.inputs(of: name)
    for (index, input) in corpus.enumerated() where index == 0 || isInTime(start) {
      attempt(input, "seed\(index)")
    }
    _ = charness_is_novel()
    if corpus.isEmpty { corpus = [[]] }
    while isInTime(start) {
      let input = mutator.mutate(pick(), with: pick())
      attempt(input, "\(seed)-\(tried)")
      if charness_is_novel() != 0, corpus.count < Self.mostKept { corpus.append(input) }
      if now() - reported > 10 {
        reported = now()
        report(after: now() - start)
      }
    }
    report(after: now() - start)
    return faults
  }

  private func isInTime(_ start: Double) -> Bool {
    (seconds == 0 || now() - start < seconds) && (inputs == 0 || tried < inputs)
  }

  /// New ones more often than old ones.
  private mutating func pick() -> [UInt8] {
    let recent = min(corpus.count, 64)
    let isRecent = mutator.random.below(2) == 0
    return corpus[
      isRecent
        ? corpus.count - 1 - mutator.random.below(recent) : mutator.random.below(corpus.count)]
  }

  private mutating func attempt(_ input: [UInt8], _ label: String) {
    let kept = "out/fuzz/\(name)-\(label)"
    if measuresMemory { Usage.forgetPeak() }
    let before = measuresMemory ? Usage.peak : 0
    let outcome = input.withUnsafeBufferPointer { bytes in
      charness_trying(bytes.baseAddress, bytes.count)
      defer { charness_trying(nil, 0) }
      charness_witness(kept, "make fuzz TARGET=\(name) INPUT=\(kept)")
      var outcome = watched("an input") { target.run(input) }
      notice(&outcome, memoryBefore: before)
      if outcome.fault != nil { _ = charness_keep() }
      return outcome
    }
    tried += 1
    frames += outcome.frames
    if outcome.isTaken { taken += 1 }
    if let fault = outcome.fault {
      faults += 1
      say("\(name): \(fault)\nmien: FOUND, to repeat:  make fuzz TARGET=\(name) INPUT=\(kept)")
    }
  }

  /// A sanitizer keeps what was freed.
  private var measuresMemory: Bool { target.isFile && charness_is_sanitized() == 0 }

  private mutating func notice(_ outcome: inout Outcome, memoryBefore: Double) {
    guard measuresMemory, !outcome.isTaken else { return }
    let memory = Usage.peak - memoryBefore
    refusing = max(refusing, memory)
    if memory > Self.mostMemory, outcome.fault == nil {
      outcome.fault = "took \(Int(memory)) MB to be refused"
    }
  }

  private func report(after seconds: Double) {
    let rate = Int(Double(tried) / max(seconds, 0.001))
    var text = "\(name): \(tried) inputs (\(rate)/s), \(taken) taken, seed \(seed)"
    if frames > 0 { text += ", \(frames) frames (\(Int(Double(frames) / max(seconds, 0.001)))/s)" }
    if measuresMemory { text += ", refused within \(Int(refusing.rounded(.up))) MB" }
    if charness_edges() > 0 {
      text += ", \(charness_edges_met()) of \(charness_edges()) edges, \(corpus.count) kept"
    }
    let remarks = target.remarks
    say(text + (remarks.isEmpty ? "" : ", " + remarks))
  }
}

/// Seconds on a clock that only goes forward.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
