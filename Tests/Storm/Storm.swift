import CGStreamer
import CHarness
import Harness
import Support
import Synchronization

/// Round after round: a pipeline is made, several threads do to it what applications may do, and
/// it is taken down.
struct Storm {
  let seed: UInt64
  let threads: Int
  /// Of all threads in one round.
  let actions: Int
  let kinds: [String]

  private(set) var rounds = 0
  private(set) var acted = 0
  /// What became of faces that were to be hidden, and rounds in which one was seen.
  private(set) var hidden = HidingOracle.Account()
  private(set) var shown = 0
  /// Of the changes to NULL at the end of each round.
  private(set) var stops = Times(bar: 100)

  init(seed: UInt64, threads: Int, actions: Int, kinds: [String]) {
    (self.seed, self.threads, self.actions, self.kinds) = (seed, threads, actions, kinds)
  }

  /// One thread's part of a round.
  private final class Part {
    var actions: Actions
    let count: Int
    init(_ actions: Actions, _ count: Int) { (self.actions, self.count) = (actions, count) }
    func run() { for _ in 0..<count { actions.act() } }
  }

  /// The round of this number, always the same but for what the threads make of it.
  mutating func run(round: Int) {
    charness_witness("", "make storm SEED=\(seed) ROUND=\(round)")
    var random = SplitMix(seed &* 1_000_003 &+ UInt64(round))
    guard let scene = Scene(&random, kinds: kinds) else { return }
    let (relinking, control) = (Relinking(), Control())
    let workers = (0..<threads).map { index in
      let part = Part(
        Actions(
          scene: scene, relinking: relinking, control: control, random: SplitMix(random.next())),
        actions / threads)
      return g_thread_new(
        "storm\(index)",
        { user in
          Unmanaged<Part>.fromOpaque(user!).takeRetainedValue().run()
          return nil
        }, Unmanaged.passRetained(part).toOpaque())  // released by the thread
    }
    for worker in workers { g_thread_join(worker) }
    scene.settle()
    let time = scene.stop()
    if time > stops.bar {
      say("round \(round) took \(Int(time)) ms to stop: make storm SEED=\(seed) ROUND=\(round)")
      say("its pipeline: " + scene.description)
    }
    stops.take(time)
    let account = HidingOracle.takeAccount()
    hidden.frames += account.frames
    hidden.windows += account.windows
    if let fault = account.fault {
      shown += 1
      say("its pipeline: " + scene.description)
      say("\(fault); FOUND, to repeat:  make storm SEED=\(seed) ROUND=\(round)")
    }
    rounds += 1
    acted += actions / threads * threads
  }

  func report(after seconds: Double) {
    say(
      "storm: \(acted) actions (\(Int(Double(acted) / max(seconds, 0.001)))/s) in \(rounds) rounds, "
        + "seed \(seed), \(stops.late) of \(stops.count) stops over \(Int(stops.bar)) ms, the longest "
        + "\(Int(stops.longest)) ms, \(Int(Usage.now.memory)) MB, \(hidden.frames) frames with faces "
        + "to hide looked at in \(hidden.windows) windows, \(shown) rounds show one")
  }
}
