// Fuzzes every reader of untrusted input; see CONTRIBUTING.md, "Fuzzing and stress test".
//
//   mien-fuzz [targets=a,b] [seconds=60] [seed=1] [inputs=0]    one after another, each in a process
//   mien-fuzz target=a [seconds=60] [seed=1] [inputs=0]         one target in this process
//   ... limit=10                                                time limit of an input in seconds (2)
//   mien-fuzz target=a input=FILE                               runs one input once
//   mien-fuzz target=a seeds=FOLDER                             writes the seed inputs

import CHarness
import Harness
import Support

#if canImport(Glibc)
  import Glibc
#endif

func fail(_ text: String) -> Never {
  log(text)
  exit(2)
}

let arguments = Arguments(
  CommandLine.arguments.dropFirst(),
  knowing: ["target", "targets", "seconds", "seed", "inputs", "input", "seeds", "limit"])
guard arguments.unknown.isEmpty else { fail("mien-fuzz does not know \(arguments.unknown)") }
let inputs = arguments.number("inputs") ?? 0
let seconds = arguments["seconds"].flatMap { Double($0) } ?? (inputs > 0 ? 0 : 60)
let seed = arguments.number("seed") ?? 1
let known = Targets.all.map(\.name)
chdir(Photograph.root)
mkdir("out", 0o777)
mkdir("out/fuzz", 0o777)

/// Runs one target in this process; returns the exit status.
func run(_ name: String) throws -> Int32 {
  let folder = ScratchFolder()
  guard let target = try Targets.make(name, in: folder) else { fail("the targets are \(known)") }
  GLibWarnings.install()
  charness_start_watchdog(arguments["limit"].flatMap { Double($0) } ?? target.timeLimit)
  if let place = arguments["seeds"] {
    for (index, seed) in try target.seeds().enumerated() {
      Corpus.write(seed, to: "\(place)/\(index < 10 ? "0" : "")\(index)")
    }
    return 0
  }
  if let path = arguments["input"] {
    let input = ScratchFolder.bytes(path)
    charness_set_crash_report("", "make fuzz TARGET=\(name) INPUT=\(path)")
    let outcome = withWatchdog("an input") { target.run(input) }
    log(
      "\(name): \(input.count) bytes, \(outcome.isAccepted ? "accepted" : "refused") \(outcome.reason)"
        + (outcome.failure.map { ", " + $0 } ?? ""))
    return outcome.failure == nil ? 0 : 1
  }
  var fuzzer = Fuzzer(
    name, target, seed: UInt64(truncatingIfNeeded: seed), seconds: seconds, inputs: inputs)
  return try fuzzer.run() == 0 ? 0 : 1
}

guard let name = arguments["target"] else {
  let names = arguments["targets"].map { $0.split(separator: ",").map(String.init) } ?? known
  guard names.allSatisfy(known.contains) else { fail("the targets are \(known)") }
  let supervisor = Supervisor(
    program: "/proc/self/exe", names: names, seed: seed, seconds: seconds, inputs: inputs,
    limit: arguments["limit"])
  exit(supervisor.runTargets() == 0 ? 0 : 1)
}
exit(try run(name))
