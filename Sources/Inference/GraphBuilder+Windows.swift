import CXNNPACK

/// Operators that slide a window over a map: convolutions and pooling.
extension GraphBuilder {
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
    guard count <= Ceiling.channels else { throw ModelError("has \(count) output channels") }
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

  /// How many windows of a size lie in a map, and what is added to the map at its edges.
  private struct Fit: Equatable {
    var rows = 1
    var columns = 1
    var (top, bottom, left, right): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
  }

  /// Lays a window over a map, as TensorFlow defines SAME and VALID.
  private func fit(
    _ window: Window, _ height: Int, _ width: Int, over map: Map
  ) throws(ModelError) -> Fit {
    func axis(
      _ input: Int, _ size: Int, _ stride: Int
    ) throws(ModelError) -> (count: Int, before: UInt32, after: UInt32) {
      switch window.padding {
      case .valid:
        guard size <= input else {
          throw ModelError("a window of \(size) does not fit into \(input)")
        }
        return ((input - size) / stride + 1, 0, 0)
      case .same:
        let count = (input + stride - 1) / stride
        let total = max(0, (count - 1) * stride + size - input)
        return (count, UInt32(total / 2), UInt32(total - total / 2))
      }
    }
    var fit = Fit()
    (fit.rows, fit.top, fit.bottom) = try axis(map.height, height, window.strideHeight)
    (fit.columns, fit.left, fit.right) = try axis(map.width, width, window.strideWidth)
    return fit
  }

  /// A convolution; depthwise, every channel has a filter of its own and sees no other.
  func convolution(_ step: Step, _ window: Window, isDepthwise: Bool) throws(ModelError) {
    let (filter, bias) = try weights(step, axis: isDepthwise ? 3 : 0)
    let map = try map(step.inputs[0])
    let (height, width) = (filter.shape[1], filter.shape[2])
    guard filter.shape[3] == map.channels, !isDepthwise || filter.shape[0] == 1 else {
      throw ModelError("a filter of shape \(filter.shape) does not fit \(map.channels) channels")
    }
    let fit = try fit(window, height, width, over: map)
    let result = Map(height: fit.rows, width: fit.columns, channels: bias.shape[0])
    let (input, output) = try define(
      step, result, cells: height * width, depth: isDepthwise ? 1 : map.channels)
    let (filterID, biasID) = (try define(filter), try define(bias))
    if isDepthwise {
      try XNNPACK.check(
        unsafe xnn_define_depthwise_convolution_2d(
          handle, fit.top, fit.right, fit.bottom, fit.left, UInt32(height), UInt32(width),
          UInt32(window.strideHeight), UInt32(window.strideWidth), 1, 1, 1,
          map.channels, window.activation.low, window.activation.high,
          input, filterID, biasID, output, 0),
        "xnn_define_depthwise_convolution_2d")
    } else {
      try XNNPACK.check(
        unsafe xnn_define_convolution_2d(
          handle, fit.top, fit.right, fit.bottom, fit.left, UInt32(height), UInt32(width),
          UInt32(window.strideHeight), UInt32(window.strideWidth), 1, 1, 1,
          map.channels, result.channels, window.activation.low, window.activation.high,
          input, filterID, biasID, output, 0),
        "xnn_define_convolution_2d")
    }
  }

  /// Every input pixel becomes a block of output pixels; blocks touch and do not overlap.
  func transposeConvolution(_ step: Step, _ window: Window) throws(ModelError) {
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
    let result = Map(
      height: map.height * kernel.height, width: map.width * kernel.width,
      channels: bias.shape[0])
    let (input, output) = try define(
      step, result, cells: kernel.height * kernel.width, depth: map.channels)
    let (filterID, biasID) = (try define(filter), try define(bias))
    try XNNPACK.check(
      unsafe xnn_define_deconvolution_2d(
        handle, 0, 0, 0, 0, 0, 0, UInt32(kernel.height), UInt32(kernel.width),
        UInt32(window.strideHeight), UInt32(window.strideWidth), 1, 1, 1,
        map.channels, result.channels, window.activation.low, window.activation.high,
        input, filterID, biasID, output, 0),
      "xnn_define_deconvolution_2d")
  }

  func maxPool(_ step: Step, _ window: Window) throws(ModelError) {
    let map = try map(step.inputs(1)[0])
    let fit = try fit(window, window.height, window.width, over: map)
    let cells = window.height * window.width
    guard cells > 1 else { throw ModelError("pools windows of a single cell") }
    let (input, output) = try define(
      step, Map(height: fit.rows, width: fit.columns, channels: map.channels), cells: cells,
      depth: 1)
    try XNNPACK.check(
      unsafe xnn_define_max_pooling_2d(
        handle, fit.top, fit.right, fit.bottom, fit.left,
        UInt32(window.height), UInt32(window.width), UInt32(window.strideHeight),
        UInt32(window.strideWidth), 1, 1, window.activation.low, window.activation.high,
        input, output, 0),
      "xnn_define_max_pooling_2d")
  }

  /// The average over the whole map, which is all that the models ask for.
  func averagePool(_ step: Step, _ window: Window) throws(ModelError) {
    let map = try map(step.inputs(1)[0])
    guard window.height == map.height, window.width == map.width else {
      throw ModelError("is supported over the whole map only")
    }
    // With SAME padding a stride under the window's size would give more than one average.
    guard try fit(window, window.height, window.width, over: map) == Fit() else {
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
    _ step: Step, _ map: Map, _ activation: Activation
  ) throws(ModelError) {
    let input = try value(step.inputs[0])
    let output = try define(step, shape: [1, 1, 1, map.channels])
    try XNNPACK.check(
      unsafe xnn_define_global_average_pooling_2d(
        handle, activation.low, activation.high, input, output, 0),
      "xnn_define_global_average_pooling_2d")
  }
}
