import Files
import Inference
import Support
import Testing

/// Networks in the builds for newer processors; `make test` makes those that this processor runs.
@Suite(.timeLimit(.minutes(20))) struct NetworkLevelTests {
  private static func program(_ level: String) -> String {
    ".build/\(level)/release/network-answers"
  }

  /// The builds that exist and that this processor runs.
  static let levels = ["x86-64-v3", "x86-64-v4"].filter { level in
    (try? Command([program(level), Photograph.root + "/models/iris_landmark.tflite"]))
      .map { $0.status == 0 } ?? false
  }

  /// A build's outputs for model files.
  private func answers(_ level: String, _ paths: [String]) throws -> [[Float]] {
    let run = try Command([Self.program(level)] + paths)
    try #require(run.status == 0, "\(run.errors)")
    return run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      $0.split(separator: " ").compactMap { UInt32($0, radix: 16).map { Float(bitPattern: $0) } }
    }
  }

  /// The outputs of this test's own build.
  private func answers(_ model: TFLiteModel) throws -> [Float] {
    let graph = try Graph(model)
    graph.fillInput { Float($0 * 7919 % 1000) / 500 - 1 }
    try graph.invoke()
    return graph.outputShapes.indices.flatMap { graph.output($0) }
  }

  private func compare(_ own: [Float], _ plain: [Float], _ name: String) {
    #expect(own.count == plain.count, "\(name)")
    let largest = plain.lazy.map(abs).max() ?? 0
    let maximum = zip(own, plain).lazy.map { abs($0 - $1) }.max() ?? 0
    #expect(maximum <= 1e-4 * max(1, largest), "\(name): \(maximum) apart, of up to \(largest)")
  }

  @Test(
    .enabled(if: !levels.isEmpty, "only the build for any processor exists"),
    arguments: [
      "face_detection_full_range_sparse", "face_detection_short_range", "face_landmark",
      "face_landmarks_detector", "hand_landmark_lite", "hand_landmarks_detector",
      "palm_detection_lite", "iris_landmark", "selfie_segmentation",
      "selfie_segmentation_landscape",
    ])
  func everyBuildComputesTheSame(network: String) throws {
    let path = ModelFiles.path(network)
    let plain = try answers(TFLiteModel(path: FilePath(path)))
    #expect(plain.count > 100)
    for level in Self.levels {
      let own = try #require(try answers(level, [path]).first)
      compare(own, plain, "\(network), \(level)")
    }
  }

  @Test(.enabled(if: !levels.isEmpty, "only the build for any processor exists"))
  func randomNetworksAreTheSameInEveryBuild() throws {
    let scratch = ScratchFolder()
    var plain: [[Float]] = []
    var paths: [String] = []
    for seed in 1...200 as ClosedRange<UInt64> {
      var network = EngineTests.RandomNetwork(seed: seed)
      let (height, width) = (1 + network.random.below(40), 1 + network.random.below(40))
      var last = network.tensor([1, height, width, 1 + network.random.below(6)])
      for _ in 0..<1 + network.random.below(5) { last = network.addLayer(last) }
      let bytes = network.bytes(output: last)
      guard last != 0, let own = try? answers(TFLiteModel(bytes: bytes)) else { continue }
      plain.append(own)
      paths.append(scratch.write("\(seed).tflite", bytes))
    }
    #expect(plain.count > 100)
    for level in Self.levels {
      let own = try answers(level, paths)
      try #require(own.count == plain.count)
      for (number, path) in paths.enumerated() {
        compare(own[number], plain[number], "\(path), \(level)")
      }
    }
  }
}
