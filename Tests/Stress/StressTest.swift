import CGStreamer
import CHarness
import Harness
import Support
import Synchronization

/// Rounds of a stress test: builds a pipeline, has several threads perform random actions on it, and
/// stops it.
struct StressTest {
  let seed: UInt64
  let threads: Int
  /// Actions of all threads in one round.
  let actions: Int
  let kinds: [String]

  private(set) var rounds = 0
  private(set) var actionCount = 0
  /// Results of the face-hiding oracle, and the rounds in which a face was visible.
  private(set) var hidden = HidingOracle.Summary()
  private(set) var roundsWithVisibleFace = 0
  /// Durations of the state change to NULL at the end of each round.
  private(set) var stops = CallDurations(limit: 100)

  init(seed: UInt64, threads: Int, actions: Int, kinds: [String]) {
    (self.seed, self.threads, self.actions, self.kinds) = (seed, threads, actions, kinds)
  }

  /// One thread of a round.
  private final class Worker {
    var actions: RandomActions
    let count: Int
    init(_ actions: RandomActions, _ count: Int) { (self.actions, self.count) = (actions, count) }
    func run() { for _ in 0..<count { actions.performOne() } }
  }

  /// Runs a round; its number decides everything but the scheduling of the threads.
  mutating func run(round: Int) {
    charness_set_crash_report("", "make stress SEED=\(seed) ROUND=\(round)")
    var random = SplitMix(seed &* 1_000_003 &+ UInt64(round))
    guard let pipeline = StressPipeline(&random, kinds: kinds) else { return }
    let (replacement, control) = (ElementReplacement(), ControlLock())
    let workers = (0..<threads).map { index in
      let worker = Worker(
        RandomActions(
          pipeline: pipeline, replacement: replacement, control: control,
          random: SplitMix(random.next())),
        actions / threads)
      return g_thread_new(
        "stress\(index)",
        { user in
          Unmanaged<Worker>.fromOpaque(user!).takeRetainedValue().run()
          return nil
        }, Unmanaged.passRetained(worker).toOpaque())  // released by the thread
    }
    for worker in workers { g_thread_join(worker) }
    pipeline.playBriefly()
    let time = pipeline.stop()
    if time > stops.limit {
      log("round \(round) took \(Int(time)) ms to stop: make stress SEED=\(seed) ROUND=\(round)")
      log("its pipeline: " + pipeline.description)
    }
    stops.add(time)
    let summary = HidingOracle.takeSummary()
    hidden.frames += summary.frames
    hidden.windows += summary.windows
    if let failure = summary.failure {
      roundsWithVisibleFace += 1
      log("its pipeline: " + pipeline.description)
      log("\(failure); FOUND, to repeat:  make stress SEED=\(seed) ROUND=\(round)")
    }
    rounds += 1
    actionCount += actions / threads * threads
  }

  func report(after seconds: Double) {
    log(
      "stress test: \(actionCount) actions (\(Int(Double(actionCount) / max(seconds, 0.001)))/s) in \(rounds) rounds, "
        + "seed \(seed), \(stops.overLimit) of \(stops.count) stops over \(Int(stops.limit)) ms, the longest "
        + "\(Int(stops.longest)) ms, \(Int(ResourceUsage.now.memory)) MB, \(hidden.frames) frames with faces "
        + "to hide compared in \(hidden.windows) windows, \(roundsWithVisibleFace) rounds with a visible face"
    )
  }
}
