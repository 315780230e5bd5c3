// Whole pipelines under anything that an application may do; see CONTRIBUTING.md, "Fuzz and storm".
//
//   mien-storm [seconds=60] [actions=0] [seed=1] [threads=4]
//   mien-storm round=17 [seed=1]       one round, again and again
//   ... limit=10                       seconds a call may take, for 2
//   mien-storm kinds=identity          whether GStreamer itself withstands it

import CGStreamer
import CHarness
import Harness
import Support

#if canImport(Glibc)
  import Glibc
#endif

/// Rounds before what the process holds is measured first: tables, pools and caches fill.
let warmUp = 12
/// Megabytes that it may hold more in the end.
let growth = 48.0

func time() -> Double { Double(g_get_monotonic_time()) / 1e6 }

let arguments = Arguments(
  CommandLine.arguments.dropFirst(),
  knowing: ["seconds", "actions", "seed", "threads", "round", "kinds", "limit"])
guard arguments.unknown.isEmpty else {
  say("mien-storm does not know \(arguments.unknown)")
  exit(2)
}
let actions = arguments.number("actions") ?? 0
let seconds = arguments["seconds"].flatMap { Double($0) } ?? (actions > 0 ? 0 : 60)
// glibc raises this with every large block that is freed, and keeps the next ones: what a process
// holds would say more of that than of what is in use.
precondition(mallopt(M_MMAP_THRESHOLD, 128 << 10) == 1)
precondition(Registered.now)
chdir(Photograph.root)
g_setenv("MIEN_STICKER_PATH", Photograph.root + "/stickers", 1)
g_setenv("MIEN_MODEL_PATH", Photograph.models, 1)
Complaints.listen()
charness_watch(arguments["limit"].flatMap { Double($0) } ?? 2)
var storm = Storm(
  seed: UInt64(truncatingIfNeeded: arguments.number("seed") ?? 1),
  threads: max(arguments.number("threads") ?? 4, 1), actions: 120,
  kinds: arguments["kinds"].map { $0.split(separator: ",").map(String.init) } ?? Scene.kinds)
let start = time()
var reported = start
if let round = arguments.number("round") {
  while time() - start < seconds { storm.run(round: round) }
  storm.report(after: time() - start)
  exit(storm.stops.late == 0 && storm.shown == 0 ? 0 : 1)
}
var before: Usage?
while (seconds == 0 || time() - start < seconds) && (actions == 0 || storm.acted < actions) {
  if storm.rounds == warmUp { before = Usage.settled() }
  storm.run(round: storm.rounds)
  if time() - reported > 10 {
    reported = time()
    storm.report(after: time() - start)
  }
}
storm.report(after: time() - start)
var failures: [String] = []
// A busy machine may hold one up for a moment, and a sanitizer all of them.
if charness_is_sanitized() == 0,
  storm.stops.late > storm.stops.count / 100 || storm.stops.longest > 1000
{
  failures.append("stops took too long")
}
if let before {
  let after = Usage.settled(threads: before.threads)
  say(
    "storm: threads \(before.threads), then \(after.threads); files \(before.files), then "
      + "\(after.files); memory \(Int(before.memory)) MB, then \(Int(after.memory))")
  if after.threads > before.threads { failures.append("threads were left") }
  if after.files > before.files + 4 { failures.append("files were left open") }
  if after.memory > before.memory + growth && charness_is_sanitized() == 0 {
    failures.append("memory grew")
  }
}
if storm.shown > 0 { failures.append("faces were seen") }
if !failures.isEmpty {
  say(
    "storm: \(failures.joined(separator: ", ")); FOUND, to repeat:  "
      + "make storm SEED=\(storm.seed) ACTIONS=\(storm.acted)")
}
exit(failures.isEmpty ? 0 : 1)
