import Faces
import Inference

/// The weights of the blendshape network, in the order of the file.
struct BlendshapeWeights {
  /// The 19 dense layers.
  let dense: [DenseWeights]
  /// The gains of the eight normalizations.
  let gains: [[Float]]
  /// The token that is the same for all faces.
  let token: [Float]

  /// Throws unless the constants of `model` are those of the blendshape network.
  init(_ model: TFLiteModel) throws(ModelError) {
    var (dense, gains): ([DenseWeights], [[Float]]) = ([], [])
    var token: [Float]?
    do throws(ModelError) {
      for op in try model.operatorConstants() {
        switch op.title {
        case "CONV_2D":
          guard op.inputs.count == 3, let weights = op.inputs[1], let bias = op.inputs[2] else {
            throw ModelError("a convolution without constant weights and bias")
          }
          dense.append(DenseWeights(weights: weights, bias: bias))
        case "MUL":
          if let gain = op.inputs.last ?? nil { gains.append(gain.numbers) }
        case "CONCATENATION": token = op.inputs.first?.map(\.numbers)
        default: break
        }
      }
      try Self.check(dense, gains, token)
    } catch {
      throw ModelError("\(model.name): not the expected blendshape network: \(error)")
    }
    (self.dense, self.gains, self.token) = (dense, gains, token ?? [])
  }

  private static func check(
    _ dense: [DenseWeights], _ gains: [[Float]], _ token: [Float]?
  ) throws(ModelError) {
    let (tokens, width) = (TokenMatrix.count, TokenMatrix.width)
    // Outputs and inputs.
    let block = [(384, tokens), (tokens, 384), (256, width), (width, 256)]
    let expected =
      [(tokens - 1, BlendshapeModel.points.count), (width, 2)] + block + block + block + block
      + [(Blendshape.count, width)]
    guard dense.count == expected.count else {
      throw ModelError("\(dense.count) convolutions, not \(expected.count)")
    }
    for (number, (layer, size)) in zip(dense, expected).enumerated() {
      guard layer.weights.shape == [size.0, 1, 1, size.1], layer.bias.shape == [size.0] else {
        throw ModelError(
          "convolution \(number) has weights of shape \(layer.weights.shape) and a bias of shape "
            + "\(layer.bias.shape)")
      }
    }
    guard gains.count == 8, gains.allSatisfy({ $0.count == width }) else {
      throw ModelError("gains of \(gains.map(\.count)) numbers")
    }
    guard let token, token.count == width else { throw ModelError("no token of \(width) numbers") }
  }
}
