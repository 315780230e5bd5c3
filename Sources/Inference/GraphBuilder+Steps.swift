import CXNNPACK

extension GraphBuilder {
  /// One operator, with the number of its inputs and outputs checked.
  struct Step {
    let kind: OperatorKind
    let inputs: [Int]
    let output: Int

    init(model: TFLiteModel, number: Int) throws(ModelError) {
      let step = model.operators[number]
      kind = step.kind
      inputs = step.inputs
      guard step.outputs.count == 1 else {
        throw ModelError("has \(step.outputs.count) outputs, not 1")
      }
      output = step.outputs[0]
    }

    /// The tensors that the operator reads, when there are exactly `count`.
    func inputs(_ count: Int) throws(ModelError) -> [Int] {
      guard inputs.count == count, inputs.allSatisfy({ $0 >= 0 }) else {
        throw ModelError("has inputs \(inputs), not \(count) of them")
      }
      return inputs
    }
  }

  /// A picture-like tensor: one of the four-dimensional values [1, height, width, channels].
  struct Map {
    var height: Int
    var width: Int
    var channels: Int

    var shape: [Int] { [1, height, width, channels] }
  }

  /// Adds one operator to XNNPACK's subgraph.
  func build(_ step: Step) throws(ModelError) {
    switch step.kind {
    case .convolution(let window): try convolution(step, window)
    case .depthwiseConvolution(let window): try depthwiseConvolution(step, window)
    case .transposeConvolution(let window): try transposeConvolution(step, window)
    case .maxPool(let window, let height, let width):
      try maxPool(step, window, height: height, width: width)
    case .averagePool(let window, let height, let width):
      try averagePool(step, window, height: height, width: width)
    case .mean: try mean(step)
    case .add(let activation): try binary(step, activation, multiply: false)
    case .multiply(let activation): try binary(step, activation, multiply: true)
    case .relu:
      try unsafe unary(step) { subgraph, input, output in
        unsafe xnn_define_clamp(subgraph, 0, .infinity, input, output, 0)
      }
    case .logistic:
      try unsafe unary(step) { subgraph, input, output in
        unsafe xnn_define_sigmoid(subgraph, input, output, 0)
      }
    case .hardSwish:
      try unsafe unary(step) { subgraph, input, output in
        unsafe xnn_define_hardswish(subgraph, input, output, 0)
      }
    case .prelu: try prelu(step)
    case .pad: try pad(step)
    case .reshape(let shape): try reshape(step, shape)
    case .resizeBilinear: try resize(step)
    case .depthToSpace(let block): try depthToSpace(step, block: block)
    case .concatenation:
      throw ModelError("is supported only where it makes an output of the network")
    case .dequantize, .densify: throw ModelError("is supported for constants only")
    case .unsupported: throw ModelError("is not supported")
    }
  }

  /// The computed tensor `tensor` as a map.
  func map(_ tensor: Int) throws(ModelError) -> Map {
    let shape = model.tensors[tensor].shape
    guard shape.count == 4, shape[0] == 1, shape[3] <= Ceiling.channels else {
      throw ModelError(
        "\(model.title(tensor)) has shape \(shape), not [1, height, width, channels]")
    }
    return Map(height: shape[1], width: shape[2], channels: shape[3])
  }

  /// Output size and padding of a window along one axis, as TensorFlow defines SAME and VALID.
  func fit(
    _ padding: Padding, input: Int, window: Int, stride: Int
  ) throws(ModelError) -> (output: Int, before: UInt32, after: UInt32) {
    switch padding {
    case .valid:
      guard window <= input else {
        throw ModelError("a window of \(window) does not fit into \(input)")
      }
      return ((input - window) / stride + 1, 0, 0)
    case .same:
      let output = (input + stride - 1) / stride
      let total = max(0, (output - 1) * stride + window - input)
      return (output, UInt32(total / 2), UInt32(total - total / 2))
    }
  }

  // MARK: Element by element

  @unsafe private func unary(
    _ step: Step, _ call: (xnn_subgraph_t?, UInt32, UInt32) -> xnn_status
  ) throws(ModelError) {
    let inputs = try step.inputs(1)
    let input = try value(inputs[0])
    let output = try define(step.output, shape: model.tensors[inputs[0]].shape)
    try XNNPACK.check(unsafe call(handle, input, output), "XNNPACK")
  }

  private func binary(
    _ step: Step, _ activation: Activation, multiply: Bool
  ) throws(ModelError) {
    let inputs = try step.inputs(2)
    let shapes = inputs.map { model.tensors[$0].shape }
    guard inputs.contains(where: { !constants.isConstant($0) }) else {
      throw ModelError("has two constant inputs")
    }
    var ids: [UInt32] = []
    for input in inputs {
      if constants.isConstant(input) {
        let constant = try constants.floats(input)
        ids.append(try define(constant, shape: constant.shape))
      } else {
        ids.append(try value(input))
      }
    }
    // Broadcasting: shapes are aligned at their ends, and 1 stretches to the other's size.
    let rank = max(shapes[0].count, shapes[1].count)
    let padded = shapes.map { [Int](repeating: 1, count: rank - $0.count) + $0 }
    var shape: [Int] = []
    for (left, right) in zip(padded[0], padded[1]) {
      guard left == right || left == 1 || right == 1 else {
        throw ModelError("shapes \(shapes[0]) and \(shapes[1]) do not go together")
      }
      shape.append(max(left, right))
    }
    let output = try define(step.output, shape: shape)
    let low = activation.low
    let high = activation.high
    let status =
      multiply
      ? unsafe xnn_define_multiply2(handle, low, high, ids[0], ids[1], output, 0)
      : unsafe xnn_define_add2(handle, low, high, ids[0], ids[1], output, 0)
    try XNNPACK.check(status, "XNNPACK")
  }

  private func prelu(_ step: Step) throws(ModelError) {
    let inputs = try step.inputs(2)
    let map = try map(inputs[0])
    let slope = try constants.floats(inputs[1])
    guard slope.buffer.count == map.channels, slope.shape.last == map.channels else {
      throw ModelError("slopes of shape \(slope.shape) do not fit \(map.channels) channels")
    }
    let input = try value(inputs[0])
    let slopes = try define(slope, shape: [map.channels])
    let output = try define(step.output, shape: map.shape)
    try XNNPACK.check(unsafe xnn_define_prelu(handle, input, slopes, output, 0), "XNNPACK")
  }
}
