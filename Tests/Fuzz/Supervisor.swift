import Harness

#if canImport(Glibc)
  import Glibc
#endif

/// Runs every target in a process of its own, so that one that dies takes no other along.
struct Supervisor {
  let program: String
  let names: [String]
  let seed: Int
  let seconds: Double
  let inputs: Int
  /// Said on to them as it is.
  let limit: String?

  /// Deaths of one target after which it is left.
  private static let patience = 5

  /// Runs them one after another; returns how many of their processes failed.
  func run() -> Int {
    let shares = Targets.all.filter { names.contains($0.name) }
    let all = shares.reduce(0) { $0 + $1.share }
    var failures: [String] = []
    for target in shares {
      let name = target.name
      let end = now() + seconds * Double(target.share) / Double(all)
      var seed = seed
      var deaths = 0
      // What is left of its time goes to another seed.
      while deaths == 0 || (seconds > 0 && now() < end && deaths < Self.patience) {
        let left = max(0.5, end - now())
        let status = Self.start([
          program, "target=\(name)", "seed=\(seed)", "inputs=\(inputs)", "limit=\(limit ?? "")",
          "seconds=\(seconds > 0 ? left : 0)",
        ])
        if status == 0 { break }
        failures.append("\(name) (\(status < 0 ? "signal \(-status)" : "status \(status)"))")
        deaths += 1
        seed += 1_000_000
      }
    }
    say(
      failures.isEmpty
        ? "fuzz: nothing was found"
        : "fuzz: \(failures.count) runs found something: \(failures.joined(separator: ", "))")
    return failures.count
  }

  /// The status that a program ends with; minus a signal's number where one ended it.
  private static func start(_ arguments: [String]) -> Int {
    var argv = arguments.map { strdup($0) } + [nil]
    defer { for text in argv { free(text) } }
    var child: pid_t = 0
    guard posix_spawnp(&child, arguments[0], nil, nil, &argv, environ) == 0 else { return 127 }
    var status: CInt = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7f == 0 ? Int(status >> 8 & 0xff) : -Int(status & 0x7f)
  }
}
