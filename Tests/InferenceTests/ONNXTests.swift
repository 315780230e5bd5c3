import Files
import Support
import Testing
import Threads

@testable import Inference

/// YuNet, read from its ONNX file.
@Suite(.timeLimit(.minutes(20))) struct ONNXTests {
  private static let path = FilePath(ModelFiles.folder + "face_detection_yunet_2023mar.onnx")

  private func graph(_ height: Int, _ width: Int, threads: Int = 1) throws -> Graph {
    try Graph(
      ONNXModel(path: Self.path), height: height, width: width,
      threads: ThreadPool(exactly: threads))
  }

  @Test(arguments: [(320, 320), (192, 320), (384, 640), (32, 64), (96, 160)])
  func theSizeOfTheInputDecidesTheSizesOfTheOutputs(height: Int, width: Int) throws {
    let graph = try graph(height, width)
    #expect(graph.inputShape == [1, height, width, 3])
    let cells = [8, 16, 32].map { height / $0 * (width / $0) }
    let expected = [1, 1, 4, 10].flatMap { depth in cells.map { [1, $0, depth] } }
    #expect(graph.outputShapes == expected)
  }

  /// What a forward pass in NumPy, which follows ONNX's definitions of the operators, computes for the
  /// codes of `noise`; scores are logits.
  private struct Reference {
    let height, width, output: Int
    let sum, magnitude: Double
    let samples: [Int: Float]

    init(
      _ height: Int, _ width: Int, output: Int, sum: Double, magnitude: Double,
      _ samples: [Int: Float]
    ) {
      (self.height, self.width, self.output) = (height, width, output)
      (self.sum, self.magnitude, self.samples) = (sum, magnitude, samples)
    }
  }

  private static let references: [Reference] = [
    .init(
      192, 320, output: 0, sum: 399.9528, magnitude: 407.2988,
      [0: 0.2937, 320: 0.35574, 959: 0.04268]),
    .init(
      192, 320, output: 1, sum: -8.8815, magnitude: 26.3823,
      [0: 0.0898, 80: -0.07155, 239: -0.13219]),
    .init(
      192, 320, output: 2, sum: 41.3026, magnitude: 41.3026, [0: 0.35551, 20: 0.27855, 59: 0.27178]),
    .init(
      192, 320, output: 3, sum: -19223.6989, magnitude: 19223.6989,
      [0: -14.32792, 320: -18.56142, 959: -14.81709]),
    .init(
      192, 320, output: 4, sum: -3571.2335, magnitude: 3571.2335,
      [0: -11.40801, 80: -13.71188, 239: -11.1304]),
    .init(
      192, 320, output: 5, sum: -666.38, magnitude: 666.38,
      [0: -12.14077, 20: -11.9804, 59: -8.83529]),
    .init(
      192, 320, output: 6, sum: 2980.2768, magnitude: 2996.2542,
      [0: 0.30262, 1280: 0.08295, 3839: 0.93837]),
    .init(
      192, 320, output: 7, sum: 223.5498, magnitude: 280.1858,
      [0: 0.40482, 320: 0.46389, 959: -0.09228]),
    .init(
      192, 320, output: 8, sum: 311.9054, magnitude: 333.4027,
      [0: 1.39179, 80: 1.81545, 239: 1.43547]),
    .init(
      192, 320, output: 9, sum: 4486.9548, magnitude: 7166.3579,
      [0: 0.00491, 3200: 0.2469, 9599: 0.74089]),
    .init(
      192, 320, output: 10, sum: 1064.3739, magnitude: 1064.3739,
      [0: 0.21185, 800: 0.21852, 2399: 0.42493]),
    .init(
      192, 320, output: 11, sum: 522.0378, magnitude: 989.4728,
      [0: -0.62699, 200: -0.6976, 599: 1.40217]),
    .init(
      96, 160, output: 0, sum: 12.1704, magnitude: 31.3947, [0: 0.20221, 80: 0.18917, 239: 0.05814]),
    .init(
      96, 160, output: 2, sum: 3.2565, magnitude: 3.2565, [0: 0.22872, 5: 0.09243, 14: 0.19461]),
    .init(
      96, 160, output: 3, sum: -3565.7437, magnitude: 3565.7437,
      [0: -9.77048, 80: -12.12941, 239: -13.21586]),
    .init(
      96, 160, output: 7, sum: 64.844, magnitude: 69.6206, [0: 0.41946, 80: 0.34517, 239: 0.01815]),
    .init(
      96, 160, output: 11, sum: 174.2694, magnitude: 184.2319,
      [0: -0.18082, 50: -0.14627, 149: 1.30889]),
  ]

  private static func noise(_ index: Int) -> Float { Float((index * 2_654_435_761) >> 24 & 255) }

  @Test(arguments: [1, 2]) func outputsAgreeWithNumPy(threads: Int) throws {
    for (height, width) in [(192, 320), (96, 160)] {
      let graph = try graph(height, width, threads: threads)
      graph.fillInput(Self.noise)
      try graph.invoke()
      for own in Self.references where own.height == height && own.width == width {
        let values = graph.output(own.output)
        let sum = values.reduce(0.0) { $0 + Double($1) }
        let magnitude = values.reduce(0.0) { $0 + abs(Double($1)) }
        let slack = (own.magnitude + Double(values.count)) * 2e-5
        #expect(abs(sum - own.sum) < slack, "output \(own.output): \(sum)")
        #expect(abs(magnitude - own.magnitude) < slack, "output \(own.output): \(magnitude)")
        for (index, expected) in own.samples {
          #expect(abs(values[index] - expected) < 2e-4, "output \(own.output) at \(index)")
        }
      }
    }
  }

  @Test func reLUOfWhatIsNotANumberIsZero() throws {
    let filter = ONNXBytes.Input.floats([3, 3, 1, 1], [Float](repeating: .nan, count: 9))
    let convolution = ONNXBytes.Node("Conv", [filter, .floats([3], [1, 2, 3])])
    for nodes in [[ONNXBytes.Node("Relu")], [convolution, ONNXBytes.Node("Relu")]] {
      let model = try ONNXModel(bytes: ONNXBytes.model(nodes, channels: 3))
      let graph = try Graph(model, height: 8, width: 8)
      graph.fillInput { _ in .nan }
      try graph.invoke()
      #expect(graph.output(0).allSatisfy { $0 == 0 })
    }
  }

  @Test func damagedFilesAreRefusedOrRun() throws {
    let whole = try ONNXModel(path: Self.path).file.bytes
    for length in stride(from: 0, to: 40_000, by: 977) {
      #expect(throws: ModelError.self, "the first \(length) bytes") {
        _ = try Graph(ONNXModel(bytes: Array(whole.prefix(length))), height: 64, width: 64)
      }
    }
    var state: UInt64 = 1
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      guard let graph = try? Graph(ONNXModel(bytes: bytes), height: 32, width: 64) else { continue }
      graph.fillInput(Self.noise)
      try graph.invoke()
    }
  }
}
