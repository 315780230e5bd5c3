extension TFLiteNetwork {
  /// Adds the layer of one operator of the file.
  func addOperator(_ op: Operator) throws(ModelError) {
    switch op.kind {
    case .convolution(let window): try addConvolution(op, window, isDepthwise: false)
    case .depthwiseConvolution(let window): try addConvolution(op, window, isDepthwise: true)
    case .transposeConvolution(let window): try addTransposeConvolution(op, window)
    case .maxPool(let window): try addMaxPool(op, window)
    case .averagePool(let window): try addAveragePool(op, window)
    case .fullyConnected(let activation, let keepsDimensions):
      try addFullyConnected(op, activation, keepsDimensions: keepsDimensions)
    case .mean(let keepsDimensions): try addMean(op, keepsDimensions: keepsDimensions)
    case .add(let activation): try addBinary(op, .add(activation))
    case .multiply(let activation): try addBinary(op, .multiply(activation))
    case .relu: try addUnary(op, .relu)
    case .logistic: try addUnary(op, .logistic)
    case .hardSwish: try addUnary(op, .hardSwish)
    case .prelu: try addPReLU(op)
    case .pad: try addPad(op)
    case .reshape(let shape): try addReshape(op, shape)
    case .resizeBilinear: try addResize(op)
    case .depthToSpace(let block): try addDepthToSpace(op, block: block)
    case .concatenation:
      throw ModelError("is supported only where it makes an output of the network")
    case .dequantize, .densify: throw ModelError("is supported for constants only")
    case .unsupported: throw ModelError("is not supported")
    }
  }

  /// The computed tensor `tensor` as a map.
  func mapShape(of tensor: Int) throws(ModelError) -> MapShape {
    let shape = model.tensors[tensor].shape
    guard shape.count == 4, shape[0] == 1, shape[3] <= Limits.channels else {
      throw ModelError(
        "\(model.title(tensor)) has shape \(shape), not [1, height, width, channels]")
    }
    return MapShape(height: shape[1], width: shape[2], channels: shape[3])
  }

  // MARK: Elementwise

  private func addUnary(_ op: Operator, _ operation: Layer.Operation) throws(ModelError) {
    let inputs = try op.inputs(1)
    try addLayer(op, operation, [computedInput(inputs[0])], shape: model.tensors[inputs[0]].shape)
  }

  private func addBinary(_ op: Operator, _ operation: Layer.Operation) throws(ModelError) {
    let inputs = try op.inputs(2)
    guard inputs.contains(where: { !constants.isConstant($0) }) else {
      throw ModelError("has two constant inputs")
    }
    let operands = try inputs.map { (input) throws(ModelError) -> Layer.Input in
      constants.isConstant(input)
        ? .constant(try constants.floats(input)) : try computedInput(input)
    }
    // Broadcasting: shapes are aligned at their ends, and a dimension of 1 fits any.
    let shapes = inputs.map { model.tensors[$0].shape }
    let rank = max(shapes[0].count, shapes[1].count)
    let padded = shapes.map { [Int](repeating: 1, count: rank - $0.count) + $0 }
    var shape: [Int] = []
    for (left, right) in zip(padded[0], padded[1]) {
      guard left == right || left == 1 || right == 1 else {
        throw ModelError("shapes \(shapes[0]) and \(shapes[1]) cannot be broadcast")
      }
      shape.append(max(left, right))
    }
    try addLayer(op, operation, operands, shape: shape)
  }

  private func addPReLU(_ op: Operator) throws(ModelError) {
    let inputs = try op.inputs(2)
    let map = try mapShape(of: inputs[0])
    let slope = try constants.floats(inputs[1])
    guard slope.buffer.count == map.channels, slope.shape.last == map.channels else {
      throw ModelError("slopes of shape \(slope.shape) do not fit \(map.channels) channels")
    }
    let slopes = Constant(shape: [map.channels], buffer: slope.buffer)
    try addLayer(op, .prelu(slopes), [computedInput(inputs[0])], shape: map.tensorShape)
  }

  // MARK: Layout

  private func addPad(_ op: Operator) throws(ModelError) {
    let inputs = try op.inputs(2)
    let shape = model.tensors[inputs[0]].shape
    let paddings = try constants.integers(inputs[1])
    guard model.tensors[inputs[1]].shape == [shape.count, 2] else {
      throw ModelError("paddings of shape \(model.tensors[inputs[1]].shape) do not fit \(shape)")
    }
    guard paddings.allSatisfy({ $0 >= 0 }) else {
      throw ModelError("has negative paddings \(paddings)")
    }
    let before = shape.indices.map { paddings[$0 * 2] }
    let after = shape.indices.map { paddings[$0 * 2 + 1] }
    try addLayer(
      op, .pad(before: before, after: after), [computedInput(inputs[0])],
      shape: shape.indices.map { before[$0] + shape[$0] + after[$0] })
  }

  private func addReshape(_ op: Operator, _ option: [Int]) throws(ModelError) {
    guard (1...2).contains(op.inputs.count), op.inputs.allSatisfy({ $0 >= 0 }) else {
      throw ModelError("has inputs \(op.inputs)")
    }
    // Checked first: a tensor that was computed has few enough elements to count.
    let input = try computedInput(op.inputs[0])
    let shape = try Limits.reshape(
      model.tensors[op.inputs[0]].shape,
      to: op.inputs.count == 2 ? constants.integers(op.inputs[1]) : option)
    try addLayer(op, .reshape, [input], shape: shape)
  }

  private func addResize(_ op: Operator) throws(ModelError) {
    let inputs = try op.inputs(2)
    let map = try mapShape(of: inputs[0])
    let size = try constants.integers(inputs[1])
    guard size.count == 2, size.allSatisfy({ (1...Limits.windowPixels).contains($0) }) else {
      throw ModelError("has the size \(size)")
    }
    // Four neighbours for every output pixel.
    try addWindowedLayer(
      op, .resize(.bilinear), MapShape(height: size[0], width: size[1], channels: map.channels),
      cells: 4, depth: 1)
  }

  private func addDepthToSpace(_ op: Operator, block: Int) throws(ModelError) {
    let inputs = try op.inputs(1)
    let map = try mapShape(of: inputs[0])
    guard block >= 2, map.channels % (block * block) == 0 else {
      throw ModelError("a block of \(block) does not fit \(map.channels) channels")
    }
    try addLayer(
      op, .depthToSpace(block: block), [computedInput(inputs[0])],
      shape: [1, map.height * block, map.width * block, map.channels / (block * block)])
  }
}
