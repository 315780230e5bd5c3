import Harness

#if canImport(Glibc)
  import Glibc
#endif

/// Runs every target in its own process, so that a crash ends only that target.
struct Supervisor {
  let program: String
  let names: [String]
  let seed: Int
  let seconds: Double
  let inputs: Int
  /// Passed on to the targets' processes.
  let limit: String?

  /// Crashes of one target after which it is skipped.
  private static let maximumCrashes = 5

  /// Runs the targets one after another; returns the number of processes that failed.
  func runTargets() -> Int {
    let entries = Targets.all.filter { names.contains($0.name) }
    let all = entries.reduce(0) { $0 + $1.weight }
    var failures: [String] = []
    for target in entries {
      let name = target.name
      let end = monotonicSeconds() + seconds * Double(target.weight) / Double(all)
      var seed = seed
      var crashes = 0
      // After a crash the rest of the target's time goes to another seed.
      while crashes == 0
        || (seconds > 0 && monotonicSeconds() < end && crashes < Self.maximumCrashes)
      {
        let left = max(0.5, end - monotonicSeconds())
        let status = Self.runProcess([
          program, "target=\(name)", "seed=\(seed)", "inputs=\(inputs)", "limit=\(limit ?? "")",
          "seconds=\(seconds > 0 ? left : 0)",
        ])
        if status == 0 { break }
        failures.append("\(name) (\(status < 0 ? "signal \(-status)" : "status \(status)"))")
        crashes += 1
        seed += 1_000_000
      }
    }
    log(
      failures.isEmpty
        ? "fuzz: nothing was found"
        : "fuzz: \(failures.count) runs found something: \(failures.joined(separator: ", "))")
    return failures.count
  }

  /// Runs a program; returns its exit status, or minus the signal that ended it.
  private static func runProcess(_ arguments: [String]) -> Int {
    var argv = arguments.map { strdup($0) } + [nil]
    defer { for text in argv { free(text) } }
    var child: pid_t = 0
    guard posix_spawnp(&child, arguments[0], nil, nil, &argv, environ) == 0 else { return 127 }
    var status: CInt = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7f == 0 ? Int(status >> 8 & 0xff) : -Int(status & 0x7f)
  }
}
