// Times the elements beside their peers; see README.md, "Speed".
//
//   make bench                  everything
//   make bench BENCH=faces      one subject: faces, following, keying, retouching, stickers, all
//   make soak FRAMES=100000     all four elements for a long time, watching the memory

import Glibc

let subjects: [(name: String, comparisons: () -> [Comparison])] = [
  ("faces", FaceBench.comparisons),
  ("keying", KeyingBench.comparisons),
  ("following", FaceBench.following),
  ("stickers", StickerBench.comparisons),
  ("retouching", RetouchBench.comparisons),
  ("all", WholeBench.comparisons),
]
if CommandLine.arguments.dropFirst().first == "soak" {
  let frames = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 100_000
  exit(Soak(frames: frames).run(report: Report(path: "out/soak.txt")) ? 0 : 1)
}
let wanted = CommandLine.arguments.dropFirst()
// For tests under valgrind: so many frames retouched, and nothing else.
if wanted.first == "retouch-only", let frames = wanted.last.flatMap({ Int($0) }) {
  RetouchBench.treat(frames: frames)
  exit(0)
}
let unknown = wanted.filter { name in !subjects.contains { $0.name == name } }
guard unknown.isEmpty else {
  print("mien-bench knows \(subjects.map(\.name).joined(separator: ", ")), not \(unknown.joined())")
  exit(2)
}
let report = Report(path: "out/bench.txt")
report.line("Milliseconds a frame: median of 5 rounds taken in turn, least and most beside it.")
report.line("Ratios are of CPU time, to the first row.")
for subject in subjects where wanted.isEmpty || wanted.contains(subject.name) {
  for comparison in subject.comparisons() { comparison.run(rounds: 5, report: report) }
}
report.finish()
