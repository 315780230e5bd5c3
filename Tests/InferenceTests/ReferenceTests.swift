import Files
import Testing
import Threads
import XNNPACKReference

@testable import Inference

@Suite(.timeLimit(.minutes(20))) struct ReferenceTests {
  /// The largest difference of a raw output.
  ///
  /// XNNPACK of 2022 and that of LiteRT 2.3 agree to the bit on x86-64. Other processors sum in another
  /// order, which changes raw outputs by about 1e-4.
  private let tolerance = 5e-4

  @Test(arguments: references, [BackEnd.engine, .xnnpack])
  func outputsAgreeWithLiteRT(_ reference: Reference, _ backEnd: BackEnd) throws {
    let model = try TFLiteModel(path: FilePath(ModelFiles.path(reference.model)))
    let graph = try Graph(model, backEnd: backEnd)
    try graph.requireShapes(input: reference.input, outputs: reference.outputs.map(\.shape))
    let input = reference.values
    graph.fillInput { input[$0] }
    try graph.invoke()
    for (number, output) in reference.outputs.enumerated() {
      let values = graph.output(number)
      try #require(values.count == output.shape.reduce(1, *))
      var sum = 0.0
      var magnitude = 0.0
      var index = 0
      while index < values.count {
        sum += Double(values[index])
        magnitude += Double(abs(values[index]))
        index += 1
      }
      let slack = (output.magnitude + Double(values.count)) * backEnd.meanTolerance
      #expect(abs(sum - output.sum) <= slack)
      #expect(abs(magnitude - output.magnitude) <= slack)
      for (index, expected) in output.samples {
        #expect(abs(Double(values[index] - expected)) <= tolerance)
      }
    }
  }

  @Test(arguments: references, [BackEnd.engine, .xnnpack])
  func everyThreadCountGivesTheSameBits(
    _ reference: Reference, _ backEnd: BackEnd
  ) throws {
    let model = try TFLiteModel(path: FilePath(ModelFiles.path(reference.model)))
    // More threads than cores are very slow: only one small model is run with them.
    let maximum = reference.model == "face_detection_short_range" ? 4 : 2
    let graphs = try (1...maximum).map {
      try Graph(model, threads: ThreadPool(exactly: $0), backEnd: backEnd)
    }
    let input = reference.values
    for graph in graphs {
      graph.fillInput { input[$0] }
      try graph.invoke()
      for number in reference.outputs.indices {
        let values = graph.output(number).map(\.bitPattern)
        #expect(values == graphs[0].output(number).map(\.bitPattern))
      }
    }
  }

  @Test(arguments: [1, 2])
  func unusedOutputsKeepTheirValues(threads: Int) throws {
    let model = try TFLiteModel(path: FilePath(ModelFiles.path("iris_landmark")))
    let graph = try Graph(model, threads: ThreadPool(exactly: threads), backEnd: .engine)
    graph.fillInput { scatteredValue($0) }
    try graph.invoke()
    let (eye, iris) = (graph.output(0), graph.output(1))
    graph.outputsUsed = 1
    graph.fillInput { scatteredValue($0 + 1) }
    try graph.invoke()
    #expect(graph.output(0) != eye)
    #expect(graph.output(1) == iris)
    graph.fillInput { scatteredValue($0) }
    try graph.invoke()
    #expect(graph.output(0) == eye)
  }

  @Test(arguments: references)
  func aCloneComputesTheSameBitsInMemoryOfItsOwn(_ reference: Reference) throws {
    let model = try TFLiteModel(path: FilePath(ModelFiles.path(reference.model)))
    let graph = try Graph(model, threads: ThreadPool(exactly: 2), backEnd: .engine)
    let clone = try #require(graph.clone())
    let input = reference.values
    graph.fillInput { input[$0] }
    clone.fillInput { _ in 0.5 }
    try graph.invoke()
    let outputs = reference.outputs.indices.map { graph.output($0) }
    try clone.invoke()
    #expect(reference.outputs.indices.map { graph.output($0) } == outputs)
    #expect(clone.output(0) != outputs[0])
    clone.fillInput { input[$0] }
    try clone.invoke()
    #expect(reference.outputs.indices.map { clone.output($0) } == outputs)
  }

  @Test func anotherModelIsRejectedByName() throws {
    let graph = try Graph(path: FilePath(ModelFiles.path("iris_landmark")))
    let error = #expect(throws: ModelError.self) {
      try graph.requireShapes(input: [1, 128, 128, 3], outputs: [[1, 896, 16], [1, 896, 1]])
    }
    #expect(error?.description.contains("iris_landmark.tflite") == true)
    #expect(error?.description.contains("[1, 64, 64, 3]") == true)
  }
}
