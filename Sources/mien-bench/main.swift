// Times the elements beside their peers; see README.md, "Speed".
//
//   make bench                  everything
//   make bench BENCH=faces      one subject: faces, following, keying, retouching, stickers

import Glibc

let subjects: [(name: String, comparisons: () -> [Comparison])] = [
  ("faces", FaceBench.comparisons),
  ("keying", KeyingBench.comparisons),
  ("following", FaceBench.following),
  ("stickers", StickerBench.comparisons),
  ("retouching", RetouchBench.comparisons),
]
let wanted = CommandLine.arguments.dropFirst()
let unknown = wanted.filter { name in !subjects.contains { $0.name == name } }
guard unknown.isEmpty else {
  print("mien-bench knows \(subjects.map(\.name).joined(separator: ", ")), not \(unknown.joined())")
  exit(2)
}
print("Milliseconds a frame: median of 5 rounds taken in turn; ratio of CPU time to the first row.")
for subject in subjects where wanted.isEmpty || wanted.contains(subject.name) {
  for comparison in subject.comparisons() { comparison.report(rounds: 5) }
}
