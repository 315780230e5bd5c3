// Benchmarks of the elements and comparable programs; see docs/speed.md.
//
//   make bench                  everything
//   make bench BENCH=faces      one subject: faces, following, networks, keying, keying-kernels, quality,
//                               finding, retouching, stickers, surfaces, heads, looks, hiding,
//                               reshape, covers, hands, person, person-mattes, person-films, formats,
//                               all
//   make bench ROUNDS=3         fewer rounds than five
//   make soak FRAMES=100000     many frames through four elements; monitors the memory

import Glibc

let subjects: [(name: String, run: (Report) -> Void)] = [
  (
    "faces",
    {
      time(FaceBench.comparisons(), $0)
      MeshQuality.run($0)
    }
  ),
  ("keying", { time(KeyingBench.comparisons(), $0) }),
  ("keying-kernels", { time(KeyerBench.comparisons(), $0) }),
  ("quality", KeyingQualityBench.run),
  ("following", { time(FaceBench.following(), $0) }),
  ("networks", NetworkBench.run),
  ("stickers", { time(StickerBench.comparisons(), $0) }),
  ("surfaces", { time(SurfaceBench.comparisons(), $0) }),
  ("heads", TurnedHeads.run),
  ("finding", FindingBench.run),
  ("hiding", { time(HidingBench.comparisons(), $0) }),
  ("reshape", { time(ReshapeBench.comparisons(), $0) }),
  ("looks", { time(LooksBench.comparisons(), $0) }),
  ("retouching", { time(RetouchBench.comparisons(), $0) }),
  ("person", { time(PersonBench.comparisons() + PersonMotionBench.comparisons(), $0) }),
  ("person-motion", { time(PersonMotionBench.comparisons(), $0) }),
  (
    "person-mattes",
    {
      PersonFlickerBench.run($0)
      PersonQualityBench.run($0)
    }
  ),
  ("person-films", PersonFilmBench.run),
  ("covers", CoverBench.run),
  ("hands", { time(HandBench.comparisons(), $0) }),
  ("formats", { time(DeepBench.comparisons(), $0) }),
  ("all", { time(PipelineBench.comparisons(), $0) }),
]

/// Rounds of every comparison; ROUNDS in the environment, or five.
let rounds = getenv("ROUNDS").flatMap { Int(String(cString: $0)) }.map { max($0, 1) } ?? 5

func time(_ comparisons: [Comparison], _ report: Report) {
  for comparison in comparisons { comparison.run(rounds: rounds, report: report) }
}

let wanted = CommandLine.arguments.dropFirst()
if wanted.first == "soak" {
  let frames = wanted.dropFirst().first.flatMap { Int($0) } ?? 100_000
  exit(Soak(frames: frames).run(report: Report(path: "out/soak.txt")) ? 0 : 1)
}
if wanted.first == "run" {
  exit(NetworkBench.runAlone(Array(wanted.dropFirst())) ? 0 : 1)
}
let unknown = wanted.filter { name in !subjects.contains { $0.name == name } }
guard unknown.isEmpty else {
  print("mien-bench knows \(subjects.map(\.name).joined(separator: ", ")), not \(unknown.joined())")
  exit(2)
}
let report = Report(path: "out/bench.txt")
report.line(
  "Milliseconds a frame: median of \(rounds) rounds taken in turn, least and most beside it.")
report.line("Ratios are of CPU time, to the first row.")
for subject in subjects where wanted.isEmpty || wanted.contains(subject.name) {
  subject.run(report)
}
report.finish()
