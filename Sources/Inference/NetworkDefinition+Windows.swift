/// Operators that slide a window over a map: convolutions and pooling.
extension NetworkDefinition {
  /// The filter and bias of a convolution; `axis` of the filter counts the output channels.
  private func weights(
    _ step: Step, axis: Int
  ) throws(ModelError) -> (filter: Constant, bias: Constant) {
    guard (2...3).contains(step.inputs.count), step.inputs[0] >= 0, step.inputs[1] >= 0 else {
      throw ModelError("has inputs \(step.inputs), not data, filter and bias")
    }
    let filter = try constants.floats(step.inputs[1])
    guard filter.shape.count == 4 else {
      throw ModelError("has a filter of shape \(filter.shape)")
    }
    let count = filter.shape[axis]
    guard count <= Limits.channels else { throw ModelError("has \(count) output channels") }
    guard step.inputs.count == 3, step.inputs[2] >= 0 else {
      // The model leaves it out.
      return (filter, Constant(shape: [count], buffer: FloatBuffer(count: count)))
    }
    let bias = try constants.floats(step.inputs[2])
    guard bias.shape == [count] else {
      throw ModelError("has a bias of shape \(bias.shape), not [\(count)]")
    }
    return (filter, bias)
  }

  /// Lays a window over a map, as TensorFlow defines SAME and VALID.
  private func lay(
    _ window: WindowOptions, _ height: Int, _ width: Int, over map: MapShape
  ) throws(ModelError) -> SlidingWindow {
    func axis(
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
    var laid = SlidingWindow()
    (laid.height, laid.width) = (height, width)
    (laid.strideHeight, laid.strideWidth) = (window.strideHeight, window.strideWidth)
    (laid.rows, laid.top, laid.bottom) = try axis(map.height, height, window.strideHeight)
    (laid.columns, laid.left, laid.right) = try axis(map.width, width, window.strideWidth)
    laid.activation = window.activation
    return laid
  }

  /// A convolution; depthwise, every channel has a filter of its own and sees no other.
  func convolution(_ step: Step, _ window: WindowOptions, isDepthwise: Bool) throws(ModelError) {
    let (filter, bias) = try weights(step, axis: isDepthwise ? 3 : 0)
    let map = try map(step.inputs[0])
    let (height, width) = (filter.shape[1], filter.shape[2])
    guard filter.shape[3] == map.channels, !isDepthwise || filter.shape[0] == 1 else {
      throw ModelError("a filter of shape \(filter.shape) does not fit \(map.channels) channels")
    }
    let laid = try lay(window, height, width, over: map)
    let laidFilter = ConvolutionParameters(window: laid, weights: filter, bias: bias)
    try add(
      step, isDepthwise ? .depthwiseConvolution(laidFilter) : .convolution(laidFilter),
      MapShape(height: laid.rows, width: laid.columns, channels: bias.shape[0]),
      cells: height * width, depth: isDepthwise ? 1 : map.channels)
  }

  /// Every input pixel becomes a block of output pixels; blocks touch and do not overlap.
  func transposeConvolution(_ step: Step, _ window: WindowOptions) throws(ModelError) {
    let (filter, bias) = try weights(step, axis: 0)
    let map = try map(step.inputs[0])
    let kernel = (height: filter.shape[1], width: filter.shape[2])
    guard filter.shape[3] == map.channels else {
      throw ModelError("a filter of shape \(filter.shape) does not fit \(map.channels) channels")
    }
    guard kernel == (window.strideHeight, window.strideWidth) else {
      throw ModelError(
        "a filter of \(kernel) with stride \((window.strideHeight, window.strideWidth)) overlaps")
    }
    // MediaPipe, transpose_conv_bias: with SAME the part of the last block that sticks out is cut.
    guard
      window.padding == .valid
        || (kernel.height <= (map.height - 1) % kernel.height + 1
          && kernel.width <= (map.width - 1) % kernel.width + 1)
    else { throw ModelError("SAME padding of \(map.shape) would cut the output, not supported") }
    let result = MapShape(
      height: map.height * kernel.height, width: map.width * kernel.width,
      channels: bias.shape[0])
    let laid = SlidingWindow(
      height: kernel.height, width: kernel.width, strideHeight: kernel.height,
      strideWidth: kernel.width, activation: window.activation)
    try add(
      step, .transposeConvolution(ConvolutionParameters(window: laid, weights: filter, bias: bias)),
      result,
      cells: kernel.height * kernel.width, depth: map.channels)
  }

  func maxPool(_ step: Step, _ window: WindowOptions) throws(ModelError) {
    let map = try map(step.inputs(1)[0])
    let laid = try lay(window, window.height, window.width, over: map)
    let cells = window.height * window.width
    guard cells > 1 else { throw ModelError("pools windows of a single cell") }
    try add(
      step, .maxPool(laid),
      MapShape(height: laid.rows, width: laid.columns, channels: map.channels),
      cells: cells, depth: 1)
  }

  /// The average over the whole map, which is all that the models ask for.
  func averagePool(_ step: Step, _ window: WindowOptions) throws(ModelError) {
    let map = try map(step.inputs(1)[0])
    guard window.height == map.height, window.width == map.width else {
      throw ModelError("is supported over the whole map only")
    }
    // With SAME padding a stride under the window's size would give more than one average.
    let laid = try lay(window, window.height, window.width, over: map)
    guard laid.rows == 1, laid.columns == 1, !laid.hasPadding else {
      throw ModelError("is supported for one average over the whole map only")
    }
    try globalAverage(step, map, window.activation)
  }

  func mean(_ step: Step) throws(ModelError) {
    let inputs = try step.inputs(2)
    let axes = try constants.integers(inputs[1]).map { $0 < 0 ? $0 + 4 : $0 }
    guard axes.sorted() == [1, 2] else {
      throw ModelError("is supported over height and width only, not axes \(axes)")
    }
    try globalAverage(step, map(inputs[0]), .none)
  }

  private func globalAverage(
    _ step: Step, _ map: MapShape, _ activation: FusedActivation
  ) throws(ModelError) {
    try add(
      step, .globalAverage(activation), [value(step.inputs[0])], shape: [1, 1, 1, map.channels])
  }
}
