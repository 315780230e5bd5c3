// Stress test: whole pipelines under random actions of applications; see CONTRIBUTING.md, "Fuzzing and stress test".
//
//   mien-stress [seconds=60] [actions=0] [seed=1] [threads=4]
//   mien-stress round=17 [seed=1]       repeats one round
//   ... limit=10                       time limit of a call in seconds (2)
//   mien-stress kinds=identity          whether GStreamer itself survives it

import CGStreamer
import CHarness
import Harness
import Support

#if canImport(Glibc)
  import Glibc
#endif

/// Rounds before the first measurement of resources: tables, pools and caches fill.
let warmUpRounds = 12
/// Megabytes by which memory may grow after the warm-up.
let maximumGrowth = 48.0

let arguments = Arguments(
  CommandLine.arguments.dropFirst(),
  knowing: ["seconds", "actions", "seed", "threads", "round", "kinds", "limit"])
guard arguments.unknown.isEmpty else {
  log("mien-stress does not know \(arguments.unknown)")
  exit(2)
}
let actions = arguments.number("actions") ?? 0
let seconds = arguments["seconds"].flatMap { Double($0) } ?? (actions > 0 ? 0 : 60)
// glibc raises this threshold with each large block that is freed and then keeps such blocks, which
// would hide the memory that is in use. The allocator of the address sanitizer has no such threshold.
_ = mallopt(M_MMAP_THRESHOLD, 128 << 10)
precondition(PluginRegistration.isDone)
chdir(Photograph.root)
g_setenv("MIEN_STICKER_PATH", Photograph.root + "/stickers", 1)
g_setenv("MIEN_MODEL_PATH", Photograph.models, 1)
GLibWarnings.install()
charness_start_watchdog(arguments["limit"].flatMap { Double($0) } ?? 2)
var test = StressTest(
  seed: UInt64(truncatingIfNeeded: arguments.number("seed") ?? 1),
  threads: max(arguments.number("threads") ?? 4, 1), actions: 120,
  kinds: arguments["kinds"].map { $0.split(separator: ",").map(String.init) }
    ?? StressPipeline.kinds)
let start = monotonicSeconds()
var reported = start
if let round = arguments.number("round") {
  while monotonicSeconds() - start < seconds { test.run(round: round) }
  test.report(after: monotonicSeconds() - start)
  exit(test.stops.overLimit == 0 && test.roundsWithVisibleFace == 0 ? 0 : 1)
}
var before: ResourceUsage?
while (seconds == 0 || monotonicSeconds() - start < seconds)
  && (actions == 0 || test.actionCount < actions)
{
  if test.rounds == warmUpRounds { before = ResourceUsage.afterCleanup() }
  test.run(round: test.rounds)
  if monotonicSeconds() - reported > 10 {
    reported = monotonicSeconds()
    test.report(after: monotonicSeconds() - start)
  }
}
test.report(after: monotonicSeconds() - start)
var failures: [String] = []
// A busy machine may delay a stop, and a sanitizer all of them.
if charness_is_sanitized() == 0,
  test.stops.overLimit > test.stops.count / 100 || test.stops.longest > 1000
{
  failures.append("stops took too long")
}
if let before {
  let after = ResourceUsage.afterCleanup(threads: before.threads)
  log(
    "stress test: threads \(before.threads), then \(after.threads); files \(before.files), then "
      + "\(after.files); memory \(Int(before.memory)) MB, then \(Int(after.memory))")
  if after.threads > before.threads { failures.append("threads were left") }
  if after.files > before.files + 4 { failures.append("files were left open") }
  if after.memory > before.memory + maximumGrowth && charness_is_sanitized() == 0 {
    failures.append("memory grew")
  }
}
if test.roundsWithVisibleFace > 0 { failures.append("faces were visible") }
if !failures.isEmpty {
  log(
    "stress test: \(failures.joined(separator: ", ")); FOUND, to repeat:  "
      + "make stress SEED=\(test.seed) ACTIONS=\(test.actionCount)")
}
exit(failures.isEmpty ? 0 : 1)
