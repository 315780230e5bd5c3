/// Convolutions: pointwise ones that read the same map, each followed by a depthwise one at an
/// output, become one of each.
extension ONNXNetwork {
  /// The filter of a convolution in the order of the layers, and its windows.
  private struct Convolution {
    var isDepthwise: Bool
    var parameters: ConvolutionParameters
    var outputs: Int { parameters.bias.shape[0] }

    var operation: Layer.Operation {
      isDepthwise ? .depthwiseConvolution(parameters) : .convolution(parameters)
    }
  }

  func addConvolution(_ node: Node, _ number: Int) throws(ModelError) {
    if joined.contains(number) { return }
    let input = try mapInput(node, 0)
    let heads = detectionHeads(reading: node.inputs[0])
    guard heads.count > 1, heads.contains(where: { $0.pointwise == number }) else {
      let own = try readConvolution(node, over: input.shape)
      let (tensor, shape) = try addLayer(own, input)
      return try define(node, tensor: tensor, shape)
    }
    var (pointwise, depthwise) = ([Convolution](), [Convolution]())
    for head in heads {
      let first = try readConvolution(model.nodes[head.pointwise], over: input.shape)
      var shape = input.shape
      shape.channels = first.outputs
      pointwise.append(first)
      depthwise.append(try readConvolution(model.nodes[head.depthwise], over: shape))
    }
    guard let window = depthwise.first?.parameters.window,
      depthwise.allSatisfy({ $0.isDepthwise && $0.parameters.window == window }),
      pointwise.allSatisfy({ !$0.isDepthwise && !$0.parameters.window.hasPadding })
    else { throw ModelError("reads the same map as others with other windows") }
    let (middle, middleShape) = try addLayer(Self.concatenate(pointwise), input)
    let (tensor, shape) = try addLayer(Self.concatenate(depthwise), (middle, middleShape))
    var channel = 0
    for (head, own) in zip(heads, depthwise) {
      joined.formUnion([head.pointwise, head.depthwise])
      try define(
        outputName(model.nodes[head.depthwise]),
        Value(
          tensor: tensor, channels: channel..<channel + own.outputs,
          shape: [1, own.outputs, shape.height, shape.width]))
      channel += own.outputs
    }
  }

  private func addLayer(
    _ convolution: Convolution, _ input: (tensor: Int, shape: MapShape)
  ) throws(ModelError) -> (tensor: Int, shape: MapShape) {
    let window = convolution.parameters.window
    let shape = MapShape(
      height: window.rows, width: window.columns, channels: convolution.outputs)
    let tensor = newTensor()
    try definition.addWindowedLayer(
      convolution.operation, [.value(input.tensor)], output: tensor, shape,
      cells: window.height * window.width,
      depth: convolution.isDepthwise ? 1 : input.shape.channels)
    return (tensor, shape)
  }

  // MARK: Heads

  /// The pairs of a pointwise convolution that reads `name` and a depthwise one that alone reads
  /// its result and leads to outputs only.
  private func detectionHeads(reading name: String) -> [(pointwise: Int, depthwise: Int)] {
    (readers[name] ?? []).compactMap { number in
      guard isConvolution(number, size: 1), let next = onlyReader(of: number),
        isConvolution(next, size: 3), let result = model.nodes[next].outputs.first,
        leadsToOutput(result)
      else { return nil }
      return (number, next)
    }
  }

  private func isConvolution(_ number: Int, size: Int) -> Bool {
    let node = model.nodes[number]
    guard node.kind == "Conv", node.inputs.count == 3,
      let shape = model.initializers[node.inputs[1]]?.shape, shape.count == 4,
      shape[2] == size, shape[3] == size
    else { return false }
    if case .integers(let strides) = node.attributes["strides"], strides != [1, 1] { return false }
    return size == 1 || shape[1] == 1
  }

  private func onlyReader(of number: Int) -> Int? {
    guard let name = model.nodes[number].outputs.first, !model.outputs.contains(name),
      let own = readers[name], own.count == 1
    else { return nil }
    return own[0]
  }

  /// Whether only operators that change no number read a tensor, up to one output.
  private func leadsToOutput(_ name: String) -> Bool {
    var name = name
    for _ in 0..<4 {
      guard let own = readers[name] else { return model.outputs.contains(name) }
      let node = model.nodes[own[0]]
      guard own.count == 1, !model.outputs.contains(name),
        ["Transpose", "Reshape", "Sigmoid"].contains(node.kind), let next = node.outputs.first
      else { return false }
      name = next
    }
    return false
  }

  // MARK: Filters

  private func readConvolution(_ node: Node, over map: MapShape) throws(ModelError) -> Convolution {
    guard (2...3).contains(node.inputs.count) else {
      throw ModelError("has \(node.inputs.count) inputs, not data, filter and bias")
    }
    let filter = try constants.floats(node.inputs[1], rank: 4)
    let (outputs, depth) = (filter.shape[0], filter.shape[1])
    let (height, width) = (filter.shape[2], filter.shape[3])
    let groups = try integerAttribute(node, "group", 1)
    // With a single channel both are the same.
    let isDepthwise = depth == 1 && groups == map.channels
    guard isDepthwise ? outputs == groups : groups == 1 && depth == map.channels,
      outputs <= Limits.channels
    else {
      throw ModelError(
        "a filter of shape \(filter.shape) in \(groups) groups does not fit \(map.channels) channels"
      )
    }
    let size = try integerAttributes(node, "kernel_shape", 2, in: 1...1024, 0)
    guard size == [0, 0] || size == [height, width]
    else { throw ModelError("kernel_shape is not that of the filter") }
    var bias = Constant(shape: [outputs], buffer: FloatBuffer(count: outputs))
    if node.inputs.count == 3, !node.inputs[2].isEmpty {
      bias = try constants.floats(node.inputs[2], rank: 1)
      guard bias.shape == [outputs] else {
        throw ModelError("has a bias of shape \(bias.shape), not [\(outputs)]")
      }
    }
    let weights =
      isDepthwise
      ? Self.channelsLast(filter, count: 1, depth: outputs)
      : Self.channelsLast(filter, count: outputs, depth: depth)
    let window = try slidingWindow(node, height, width, over: map)
    return Convolution(
      isDepthwise: isDepthwise,
      parameters: ConvolutionParameters(window: window, weights: weights, bias: bias))
  }

  /// A filter of `count` times `depth` planes as [count, height, width, depth].
  private static func channelsLast(_ filter: Constant, count: Int, depth: Int) -> Constant {
    let (height, width) = (filter.shape[2], filter.shape[3])
    let cells = height * width
    let buffer = FloatBuffer(count: filter.buffer.count)
    let (from, to) = (FloatView(filter.buffer), FloatView(buffer))
    for output in 0..<count {
      for channel in 0..<depth {
        let plane = output * depth + channel
        for cell in 0..<cells {
          to[(output * cells + cell) * depth + channel] = from[plane * cells + cell]
        }
      }
    }
    return Constant(shape: [count, height, width, depth], buffer: buffer)
  }

  /// Convolutions with equal windows as one, the channels of their results after each other.
  private static func concatenate(_ parts: [Convolution]) -> Convolution {
    var joined = parts[0]
    let outputs = parts.reduce(0) { $0 + $1.outputs }
    let own = parts[0].parameters.weights.shape
    let size = own[1] * own[2] * (joined.isDepthwise ? 1 : own[3])
    let weights = FloatBuffer(count: outputs * size)
    let bias = FloatBuffer(count: outputs)
    let (weightView, biasView) = (FloatView(weights), FloatView(bias))
    var first = 0
    for part in parts {
      let (from, constants) = (
        FloatView(part.parameters.weights.buffer), FloatView(part.parameters.bias.buffer)
      )
      for index in 0..<part.outputs { biasView[first + index] = constants[index] }
      for index in 0..<part.outputs * size {
        // Of a depthwise filter, all channels of a cell come together.
        let (cell, channel) = (index / part.outputs, index % part.outputs)
        let place = joined.isDepthwise ? cell * outputs + first + channel : first * size + index
        weightView[place] = from[index]
      }
      first += part.outputs
    }
    let shape =
      joined.isDepthwise ? [1, own[1], own[2], outputs] : [outputs, own[1], own[2], own[3]]
    joined.parameters = ConvolutionParameters(
      window: joined.parameters.window, weights: Constant(shape: shape, buffer: weights),
      bias: Constant(shape: [outputs], buffer: bias))
    return joined
  }
}
