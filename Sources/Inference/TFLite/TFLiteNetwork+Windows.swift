/// Operators with windows that slide over a map: convolutions and pooling.
extension TFLiteNetwork {
  /// The filter, of `rank` dimensions, and the bias; dimension `axis` of the filter is the output
  /// channels.
  private func filterAndBias(
    _ op: Operator, axis: Int, rank: Int = 4
  ) throws(ModelError) -> (filter: Constant, bias: Constant) {
    guard (2...3).contains(op.inputs.count), op.inputs[0] >= 0, op.inputs[1] >= 0 else {
      throw ModelError("has inputs \(op.inputs), not data, filter and bias")
    }
    let filter = try constants.floats(op.inputs[1])
    guard filter.shape.count == rank else {
      throw ModelError("has a filter of shape \(filter.shape)")
    }
    let count = filter.shape[axis]
    guard count <= Limits.channels else { throw ModelError("has \(count) output channels") }
    guard op.inputs.count == 3, op.inputs[2] >= 0 else {
      // The bias is optional.
      return (filter, Constant(shape: [count], buffer: FloatBuffer(count: count)))
    }
    let bias = try constants.floats(op.inputs[2])
    guard bias.shape == [count] else {
      throw ModelError("has a bias of shape \(bias.shape), not [\(count)]")
    }
    return (filter, bias)
  }

  /// The windows over a map, with padding as TensorFlow defines SAME and VALID.
  private func slidingWindow(
    _ window: WindowOptions, _ height: Int, _ width: Int, over map: MapShape
  ) throws(ModelError) -> SlidingWindow {
    func windowsAlongAxis(
      _ input: Int, _ size: Int, _ stride: Int
    ) throws(ModelError) -> (count: Int, before: Int, after: Int) {
      switch window.padding {
      case .valid:
        guard size <= input else {
          throw ModelError("a window of \(size) does not fit into \(input)")
        }
        return ((input - size) / stride + 1, 0, 0)
      case .same:
        let count = (input + stride - 1) / stride
        let total = max(0, (count - 1) * stride + size - input)
        return (count, total / 2, total - total / 2)
      }
    }
    var sliding = SlidingWindow(
      height: height, width: width, strideHeight: window.strideHeight,
      strideWidth: window.strideWidth, activation: window.activation)
    (sliding.rows, sliding.top, sliding.bottom) = try windowsAlongAxis(
      map.height, height, window.strideHeight)
    (sliding.columns, sliding.left, sliding.right) = try windowsAlongAxis(
      map.width, width, window.strideWidth)
    return sliding
  }

  /// A convolution; in a depthwise one each channel is computed from the same channel alone.
  func addConvolution(_ op: Operator, _ window: WindowOptions, isDepthwise: Bool) throws(ModelError)
  {
    let (filter, bias) = try filterAndBias(op, axis: isDepthwise ? 3 : 0)
    let map = try mapShape(of: op.inputs[0])
    let (height, width) = (filter.shape[1], filter.shape[2])
    guard filter.shape[3] == map.channels, !isDepthwise || filter.shape[0] == 1 else {
      throw ModelError("a filter of shape \(filter.shape) does not fit \(map.channels) channels")
    }
    let sliding = try slidingWindow(window, height, width, over: map)
    let parameters = ConvolutionParameters(window: sliding, weights: filter, bias: bias)
    try addWindowedLayer(
      op, isDepthwise ? .depthwiseConvolution(parameters) : .convolution(parameters),
      MapShape(height: sliding.rows, width: sliding.columns, channels: bias.shape[0]),
      cells: height * width, depth: isDepthwise ? 1 : map.channels)
  }

  /// A transpose convolution whose stride is its filter's size: each input pixel becomes a block.
  func addTransposeConvolution(_ op: Operator, _ window: WindowOptions) throws(ModelError) {
    let (filter, bias) = try filterAndBias(op, axis: 0)
    let map = try mapShape(of: op.inputs[0])
    let kernel = (height: filter.shape[1], width: filter.shape[2])
    guard filter.shape[3] == map.channels else {
      throw ModelError("a filter of shape \(filter.shape) does not fit \(map.channels) channels")
    }
    guard kernel == (window.strideHeight, window.strideWidth) else {
      throw ModelError(
        "a filter of \(kernel) with stride \((window.strideHeight, window.strideWidth)) overlaps")
    }
    // MediaPipe's transpose_conv_bias.cc: SAME crops the blocks at the end.
    guard
      window.padding == .valid
        || (kernel.height <= (map.height - 1) % kernel.height + 1
          && kernel.width <= (map.width - 1) % kernel.width + 1)
    else {
      throw ModelError("SAME padding of \(map.tensorShape) would crop the output, not supported")
    }
    let result = MapShape(
      height: map.height * kernel.height, width: map.width * kernel.width,
      channels: bias.shape[0])
    let sliding = SlidingWindow(
      height: kernel.height, width: kernel.width, strideHeight: kernel.height,
      strideWidth: kernel.width, activation: window.activation)
    try addWindowedLayer(
      op,
      .transposeConvolution(ConvolutionParameters(window: sliding, weights: filter, bias: bias)),
      result,
      cells: kernel.height * kernel.width, depth: map.channels)
  }

  func addMaxPool(_ op: Operator, _ window: WindowOptions) throws(ModelError) {
    let map = try mapShape(of: op.inputs(1)[0])
    let sliding = try slidingWindow(window, window.height, window.width, over: map)
    let cells = window.height * window.width
    guard cells > 1 else { throw ModelError("pools windows of a single cell") }
    try addWindowedLayer(
      op, .maxPool(sliding),
      MapShape(height: sliding.rows, width: sliding.columns, channels: map.channels),
      cells: cells, depth: 1)
  }

  /// The average over the whole map; the models have no other.
  func addAveragePool(_ op: Operator, _ window: WindowOptions) throws(ModelError) {
    let map = try mapShape(of: op.inputs(1)[0])
    guard window.height == map.height, window.width == map.width else {
      throw ModelError("is supported over the whole map only")
    }
    // With SAME padding a stride under the window's size would give more than one average.
    let sliding = try slidingWindow(window, window.height, window.width, over: map)
    guard sliding.rows == 1, sliding.columns == 1, !sliding.hasPadding else {
      throw ModelError("is supported for one average over the whole map only")
    }
    try addGlobalAverage(op, map, window.activation)
  }

  func addMean(_ op: Operator, keepsDimensions: Bool) throws(ModelError) {
    let inputs = try op.inputs(2)
    let axes = try constants.integers(inputs[1]).map { $0 < 0 ? $0 + 4 : $0 }
    guard axes.sorted() == [1, 2] else {
      throw ModelError("is supported over height and width only, not axes \(axes)")
    }
    try addGlobalAverage(
      op, mapShape(of: inputs[0]), .none, keepsDimensions: keepsDimensions)
  }

  private func addGlobalAverage(
    _ op: Operator, _ map: MapShape, _ activation: FusedActivation, keepsDimensions: Bool = true
  ) throws(ModelError) {
    try addLayer(
      op, .globalAverage(activation), [computedInput(op.inputs[0])],
      shape: keepsDimensions ? [1, 1, 1, map.channels] : [1, map.channels])
  }

  /// A matrix times the numbers of one pixel, plus a bias.
  func addFullyConnected(
    _ op: Operator, _ activation: FusedActivation, keepsDimensions: Bool
  ) throws(ModelError) {
    let (filter, bias) = try filterAndBias(op, axis: 0, rank: 2)
    let input = model.tensors[op.inputs[0]].shape
    guard [2, 4].contains(input.count), input.dropLast().allSatisfy({ $0 == 1 }) else {
      throw ModelError("is supported for one pixel only, not for shape \(input)")
    }
    let (outputs, depth) = (filter.shape[0], filter.shape[1])
    guard input.last == depth else {
      throw ModelError("weights of shape \(filter.shape) do not fit \(input)")
    }
    let parameters = ConvolutionParameters(
      window: SlidingWindow(activation: activation),
      weights: Constant(shape: [outputs, 1, 1, depth], buffer: filter.buffer), bias: bias)
    try addWindowedLayer(
      op, .fullyConnected(parameters), MapShape(height: 1, width: 1, channels: outputs), cells: 1,
      depth: depth, shape: keepsDimensions ? input.dropLast() + [outputs] : [1, outputs])
  }
}
