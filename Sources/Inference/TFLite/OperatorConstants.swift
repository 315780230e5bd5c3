/// The constants of an operator, for networks that are written out instead of run by the engine.
package struct OperatorConstants {
  /// The operator's name in the TFLite schema, such as "CONV_2D".
  package let title: String
  /// For each input its constant; nil for computed inputs, and for constants that are not floats of
  /// one to four dimensions.
  package let inputs: [Constant?]
}

extension TFLiteModel {
  /// The constants of all operators, in the order of the file; throws where one is inconsistent or
  /// too large.
  package func operatorConstants() throws(ModelError) -> [OperatorConstants] {
    var constants = TFLiteConstants(
      model: self, producers: try TFLiteNetwork.producers(of: self))
    return try operators.map { (op) throws(ModelError) in
      OperatorConstants(
        title: op.title,
        inputs: try op.inputs.map { (tensor) throws(ModelError) in
          guard tensor >= 0, constants.isConstant(tensor), tensors[tensor].type == .float32,
            !tensors[tensor].shape.isEmpty
          else { return nil }
          return try constants.floats(tensor)
        })
    }
  }
}

extension Constant {
  /// The numbers in the order of the file.
  package var numbers: [Float] {
    let view = FloatView(buffer)
    return (0..<view.count).map { view[$0] }
  }
}

/// The weights of a layer in which each output is a weighted sum of all inputs.
package struct DenseWeights {
  /// [outputs, 1, 1, inputs].
  package let weights: Constant
  package let bias: Constant

  package init(weights: Constant, bias: Constant) { (self.weights, self.bias) = (weights, bias) }
}

extension NetworkDefinition {
  /// Dense layers with ReLU between them, each for `rows` rows of numbers.
  static func perceptron(
    _ dense: [DenseWeights], rows: Int
  ) throws(ModelError) -> NetworkDefinition {
    let inputs = dense.first?.weights.shape.last ?? 0
    let network = try NetworkDefinition(input: 0, shape: [1, 1, rows, inputs]) { "layer \($0)" }
    let last = dense.last?.bias.shape.first ?? 0
    network.addOutputPart(
      .init(tensor: dense.count, output: network.addOutput([1, 1, rows, last]), offset: 0))
    var depth = inputs
    for (number, layer) in dense.enumerated() {
      let count = layer.bias.shape.first ?? 0
      guard layer.bias.shape == [count], layer.weights.shape == [count, 1, 1, depth],
        count <= Limits.channels
      else {
        throw ModelError(
          "weights of shape \(layer.weights.shape) do not fit \(depth) inputs and a bias of shape "
            + "\(layer.bias.shape)")
      }
      var window = SlidingWindow()
      (window.rows, window.columns) = (1, rows)
      if number < dense.count - 1 { window.activation = FusedActivation(minimum: 0) }
      network.beginOperator(number, "dense layer")
      try network.addWindowedLayer(
        .convolution(
          ConvolutionParameters(window: window, weights: layer.weights, bias: layer.bias)),
        [try network.computedInput(number)], output: number + 1,
        MapShape(height: 1, width: rows, channels: count), cells: 1, depth: depth)
      depth = count
    }
    return network
  }
}
