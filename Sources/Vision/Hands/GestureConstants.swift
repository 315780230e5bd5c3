import Inference

/// The constants of the dense layers and the normalizations of a gesture network, in the order of its file.
struct GestureConstants {
  private var layers: [(weights: Constant, bias: Constant)] = []
  private var gains: [Constant] = []
  private var offsets: [Constant] = []

  /// Throws unless there are so many of each.
  init(_ model: TFLiteModel, dense: Int, normalizations: Int) throws(ModelError) {
    for op in try model.operatorConstants() {
      switch op.title {
      case "FULLY_CONNECTED":
        guard op.inputs.count == 3, let weights = op.inputs[1], let bias = op.inputs[2] else {
          throw ModelError("a dense layer without constant weights and bias")
        }
        layers.append((weights, bias))
      case "MUL":
        if let gain = op.inputs.last ?? nil { gains.append(gain) }
      case "ADD":
        // Additions of two computed values are residual connections.
        if let offset = op.inputs.last ?? nil { offsets.append(offset) }
      default: break
      }
    }
    guard layers.count == dense, gains.count == normalizations, offsets.count == normalizations
    else {
      throw ModelError(
        "\(layers.count) dense layers and \(gains.count) normalizations, not \(dense) and "
          + "\(normalizations)")
    }
  }

  func dense(_ number: Int, inputs: Int, outputs: Int) throws(ModelError) -> FeatureLayer {
    try FeatureLayer(
      layers[number].weights, layers[number].bias, inputs: inputs, outputs: outputs)
  }

  func normalization(_ number: Int) throws(ModelError) -> FeatureNormalization {
    try FeatureNormalization(gains[number], offsets[number])
  }
}
