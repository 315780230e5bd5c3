import Faces
package import Inference
import Pixels
package import Threads

/// Estimates the 52 blendshapes of a face from its mesh of 478 points, with MediaPipe's
/// face_blendshapes network.
///
/// The network is an MLP-Mixer (I. Tolstikhin et al., "MLP-Mixer: An all-MLP Architecture for
/// Vision", 2021): 97 tokens of 64 numbers, which four blocks mix with each other and within
/// themselves. It has operators that the engine does not support, such as transpositions; only its
/// matrix products, in which nearly all of its time goes, are run by the engine. One thread at a
/// time may use it.
package final class BlendshapeModel {
  /// Of MediaPipe's face_landmarker.task.
  package static let fileName = "face_blendshapes.tflite"

  /// The mesh points that the network reads, as MediaPipe's face_blendshapes_graph lists them.
  package static let points =
    [
      0, 1, 4, 5, 6, 7, 8, 10, 13, 14, 17, 21, 33, 37, 39, 40, 46, 52, 53, 54, 55, 58, 61, 63, 65,
      66, 67, 70, 78, 80, 81, 82, 84, 87, 88, 91, 93, 95, 103, 105, 107, 109, 127, 132, 133, 136,
      144, 145, 146, 148, 149, 150, 152, 153, 154, 155, 157, 158, 159, 160, 161, 162, 163, 168,
      172, 173, 176, 178, 181, 185, 191, 195, 197, 234, 246, 249, 251, 263, 267, 269, 270, 276,
      282, 283, 284, 285, 288, 291, 293, 295, 296, 297, 300, 308, 310, 311, 312, 314, 317, 318,
      321, 323, 324, 332, 334, 336, 338, 356, 361, 362, 365, 373, 374, 375, 377, 378, 379, 380,
      381, 382, 384, 385, 386, 387, 388, 389, 390, 397, 398, 400, 402, 405, 409, 415, 454, 466,
    ] + Array(468..<478)

  /// Half of a mixer's block: the gains of the normalization, and two dense layers.
  private struct Mixer {
    let gains: [TokenVector]
    let graph: Graph
  }

  /// The first dense layer, from 146 points to 96 tokens; the second, from two coordinates to 64
  /// numbers; the last, from the first token to the scores.
  private let points, coordinates, scores: (weights: [Float], bias: [Float])
  private let firstToken: [TokenVector]
  private let mixers: [Mixer]
  private var tokens: TokenMatrix
  private var positions: [SIMD2<Float>]
  /// The scores of the last run; kept, so that frames allocate nothing.
  private var result = [Float](repeating: 0, count: Blendshape.count)

  /// Reads the weights, in the order of the file; throws unless they are this model's.
  package init(_ model: TFLiteModel, threads: ThreadPool? = nil) throws(ModelError) {
    let weights = try BlendshapeWeights(model)
    let dense = weights.dense
    points = (dense[0].weights.numbers, dense[0].bias.numbers)
    coordinates = (dense[1].weights.numbers, dense[1].bias.numbers)
    scores = (dense[dense.count - 1].weights.numbers, dense[dense.count - 1].bias.numbers)
    firstToken = TokenVector.vectors(of: weights.token)
    mixers = try weights.gains.enumerated().map { (number, gains) throws(ModelError) in
      Mixer(
        gains: TokenVector.vectors(of: gains),
        graph: try Graph(
          name: model.name, perceptron: Array(dense[2 * number + 2..<2 * number + 4]),
          rows: number % 2 == 0 ? TokenMatrix.width : TokenMatrix.count, threads: threads))
    }
    tokens = TokenMatrix()
    positions = Array(repeating: .zero, count: Self.points.count)
  }

  /// The scores of a mesh in the order of `Blendshape`, 0...1; nil for a mesh without irises
  /// and for a degenerate one.
  func scores(of mesh: Mesh) -> [Float]? {
    guard mesh.hasIrises, readPositions(mesh), (try? run()) != nil else { return nil }
    return result
  }

  /// Reads the points: relative to their mean, in twice their mean distance from it.
  private func readPositions(_ mesh: Mesh) -> Bool {
    var mean = Point.zero
    for index in Self.points { mean = mean + mesh[index].xy }
    mean = mean * (1 / Double(Self.points.count))
    var distance = 0.0
    for index in Self.points { distance += (mesh[index].xy - mean).length }
    distance /= Double(Self.points.count)
    guard distance.isFinite, distance > 1e-6 else { return false }
    for (number, index) in Self.points.enumerated() {
      let offset = (mesh[index].xy - mean) * (0.5 / distance)
      positions[number] = SIMD2(Float(offset.x), Float(offset.y))
    }
    return true
  }

  private func run() throws(ModelError) {
    embed()
    for (number, mixer) in mixers.enumerated() {
      let isAcrossTokens = number % 2 == 0
      let layout = mixer.graph.inputLayout
      mixer.graph.withInput { input in
        // Across tokens, each token is a channel of the input and each of its numbers a pixel.
        let (token, number) =
          isAcrossTokens ? (layout.channel, layout.column) : (layout.column, layout.channel)
        tokens.normalize(mixer.gains, into: &input, token: token, number: number)
      }
      try mixer.graph.invoke()
      mixer.graph.withOutput(0) {
        tokens.add(
          $0, token: isAcrossTokens ? 1 : TokenMatrix.width,
          number: isAcrossTokens ? TokenMatrix.count : 1)
      }
    }
    for number in result.indices {
      var sum = scores.bias[number]
      for index in 0..<TokenMatrix.width {
        sum += tokens[0, index] * scores.weights[number * TokenMatrix.width + index]
      }
      result[number] = Float(logistic(Double(sum)))
    }
  }

  /// The first token is the same for all faces, the others are sums over the points.
  private func embed() {
    tokens.set(0, firstToken)
    for token in 1..<TokenMatrix.count {
      let row = (token - 1) * positions.count
      var sum = SIMD2(repeating: points.bias[token - 1])
      for (index, position) in positions.enumerated() {
        sum += position * points.weights[row + index]
      }
      tokens.set(token) { number in
        coordinates.bias[number] + coordinates.weights[2 * number] * sum.x
          + coordinates.weights[2 * number + 1] * sum.y
      }
    }
  }
}
