import Files
import Inference
import Support
import XNNPACKReference

/// The networks on three engines: LiteRT from its wheel, Debian's XNNPACK, and our own.
///
/// Times are of this processor; instruction counts are for AVX2, which valgrind emulates.
enum NetworkBench {
  /// The networks, and the maximum ratio of our engine's time to LiteRT's.
  private static let networks: [(name: String, limit: Double)] = [
    ("face_detection_full_range_sparse", 0.65), ("face_detection_short_range", 0.65),
    ("face_landmark", 0.65), ("face_landmarks_detector", 0.65), ("iris_landmark", 0.65),
    ("selfie_segmentation", 0.75), ("selfie_segmentation_landscape", 0.75),
    ("palm_detection_lite", 0.75), ("hand_landmark_lite", 1),
    ("hand_landmarks_detector", 1),
  ]

  private static func path(_ name: String) -> String {
    (name.hasSuffix("sparse") ? "models/reference/" : "models/") + name + ".tflite"
  }

  private static func litert(_ name: String, _ runs: Int) -> [String] {
    words("/usr/bin/python3 setup/peer_litert.py .build/litert \(path(name)) \(runs)")
  }

  static func run(_ report: Report) {
    for network in networks {
      Comparison(
        title: "A run of \(network.name)",
        candidates: [
          Candidate("LiteRT 2.3.0", frames: 400, less: 100) { litert(network.name, $0) },
          candidate("Debian's XNNPACK", network.name, .xnnpack),
          candidate("our engine", network.name, .engine),
        ],
        bars: [
          Bar("\(network.name): LiteRT", .share, of: 2, to: 0, atMost: network.limit)
        ]
      ).run(rounds: rounds, report: report)
    }
    for network in networks {
      let counts = ["LiteRT": "litert", "XNNPACK": "xnnpack", "engine": "own"].mapValues {
        instructions(network.name, $0)
      }
      report.line(
        "  \(network.name), million instructions: "
          + ["LiteRT", "XNNPACK", "engine"].map { engine in
            "\(engine) \(counts[engine]?.map { pad($0 / 1e6) } ?? " not run")"
          }.joined(separator: ", "))
    }
  }

  private static func candidate(_ title: String, _ name: String, _ backEnd: BackEnd) -> Candidate {
    let graph = graph(name, backEnd)
    return Candidate(title) { measurement in
      guard let graph else { return false }
      measurement.time(frames: 300, after: 20) { try? graph.invoke() }
      return true
    }
  }

  private static func graph(_ name: String, _ backEnd: BackEnd) -> Graph? {
    let graph = try? Graph(TFLiteModel(path: FilePath(path(name))), backEnd: backEnd)
    graph?.fillInput { Float($0 * 7919 % 1000) / 1000 }
    // As in `facedetect`, which does not use the output of iris points.
    if name == "iris_landmark" { graph?.outputsUsed = 1 }
    return graph
  }

  /// `mien-bench run MODEL own|xnnpack RUNS`: the program that valgrind measures.
  static func runAlone(_ words: [String]) -> Bool {
    guard words.count == 3, let runs = Int(words[2]),
      let graph = graph(words[0], words[1] == "own" ? .engine : .xnnpack)
    else { return false }
    return (0..<runs).allSatisfy { _ in (try? graph.invoke()) != nil }
  }

  /// This program compiled for AVX2.
  private static var counted: String {
    CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
      .map { $0 == "x86-64-v4" ? "x86-64-v3" : $0 }.joined(separator: "/")
  }

  /// The instructions of a run, without start-up.
  private static func instructions(_ name: String, _ engine: String) -> Double? {
    func count(_ runs: Int) -> Double? {
      let program =
        engine == "litert"
        ? litert(name, runs)
        : [counted, "run", name, engine, "\(runs)"]
      let valgrind = [
        "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
      ]
      // A killed program prints a count too, but of a partial run.
      guard let run = try? Command(valgrind + program), run.status == 0 else { return nil }
      let line = run.errors.split(separator: "\n").last { $0.contains("Collected") }
      return line?.split(separator: ":").last.flatMap { Double($0.filter(\.isNumber)) }
    }
    guard let few = count(2), let many = count(12), many > few else { return nil }
    return (many - few) / 10
  }
}
