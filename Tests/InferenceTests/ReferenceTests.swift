import Testing

@testable import Inference

/// What a model makes of a synthetic input, found with LiteRT.
struct Reference: CustomTestStringConvertible, Sendable {
  struct Output: Sendable {
    var shape: [Int]
    var sum: Double
    var magnitude: Double
    var samples: [Int: Float]
  }

  var model: String
  var input: [Int]
  var outputs: [Output]
  var tolerance: Double

  var testDescription: String { model }
}

@Suite struct ReferenceTests {
  // Made with ai-edge-litert 2.3.0 (one thread, its XNNPACK delegate) on x86-64 from the models
  // of the mediapipe 0.10.14 wheel: the input filled with `scatteredValue`, then for every output
  // the sum, the sum of magnitudes and four samples.
  static let references: [Reference] = [
    Reference(
      model: "face_detection_short_range", input: [1, 128, 128, 3],
      outputs: [
        .init(
          shape: [1, 896, 16], sum: 69152.99486504722, magnitude: 183134.6562934041,
          samples: [0: 0.65142286, 4778: -0.60420877, 7168: -1.2542168, 14335: -9.052068]),
        .init(
          shape: [1, 896, 1], sum: -4169.843576908112, magnitude: 4169.843576908112,
          samples: [0: -4.203249, 298: -3.6959887, 448: -5.045174, 895: -43.67988]),
      ], tolerance: 5e-4)
  ]

  @Test(arguments: references)
  func outputsAgreeWithLiteRT(_ reference: Reference) throws {
    let graph = try Graph(path: ModelFiles.path(reference.model))
    try graph.expect(input: reference.input, outputs: reference.outputs.map(\.shape))
    graph.withInput { input in
      for index in input.indices { input[index] = scatteredValue(index) }
    }
    try graph.invoke()
    for (number, output) in reference.outputs.enumerated() {
      graph.withOutput(number) { values in
        var sum = 0.0
        var magnitude = 0.0
        for index in values.indices {
          sum += Double(values[index])
          magnitude += Double(abs(values[index]))
        }
        #expect(values.count == output.shape.reduce(1, *))
        print(reference.model, number, sum - output.sum, magnitude - output.magnitude)
        #expect(abs(sum - output.sum) <= output.magnitude * 1e-5)
        #expect(abs(magnitude - output.magnitude) <= output.magnitude * 1e-5)
        for (index, expected) in output.samples {
          #expect(abs(Double(values[index] - expected)) <= reference.tolerance)
        }
      }
    }
  }
}
