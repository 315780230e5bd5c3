import CXNNPACK

/// Operators that slide a window over a map: convolutions and pooling.
extension GraphBuilder {
  /// The filter and bias of a convolution with `outputs` output channels.
  private func weights(
    _ step: Step, outputs: (Constant) -> Int
  ) throws(ModelError) -> (filter: Constant, bias: Constant) {
    guard (2...3).contains(step.inputs.count), step.inputs[0] >= 0, step.inputs[1] >= 0 else {
      throw ModelError("has inputs \(step.inputs), not data, filter and bias")
    }
    let filter = try constants.floats(step.inputs[1])
    guard filter.shape.count == 4 else {
      throw ModelError("has a filter of shape \(filter.shape)")
    }
    let count = outputs(filter)
    guard count <= Ceiling.channels else { throw ModelError("has \(count) output channels") }
    guard step.inputs.count == 3, step.inputs[2] >= 0 else {
      return (filter, constants.zeros(count))
    }
    let bias = try constants.floats(step.inputs[2])
    guard bias.shape == [count] else {
      throw ModelError("has a bias of shape \(bias.shape), not [\(count)]")
    }
    return (filter, bias)
  }

  func convolution(_ step: Step, _ window: Window) throws(ModelError) {
    let (filter, bias) = try weights(step) { $0.shape[0] }
    let map = try map(step.inputs[0])
    let kernel = (height: filter.shape[1], width: filter.shape[2])
    guard filter.shape[3] == map.channels else {
      throw ModelError("a filter of shape \(filter.shape) does not fit \(map.channels) channels")
    }
    let rows = try fit(
      window.padding, input: map.height, window: kernel.height, stride: window.strideHeight)
    let columns = try fit(
      window.padding, input: map.width, window: kernel.width, stride: window.strideWidth)
    let result = Map(height: rows.output, width: columns.output, channels: filter.shape[0])
    let input = try value(step.inputs[0])
    let output = try define(step.output, shape: result.shape)
    try spend(
      outputs: result.height * result.width * result.channels,
      cells: kernel.height * kernel.width, pixels: result.height * result.width,
      channels: map.channels)
    let filterID = try define(filter, shape: filter.shape)
    let biasID = try define(bias, shape: bias.shape)
    try XNNPACK.check(
      unsafe xnn_define_convolution_2d(
        handle, rows.before, columns.after, rows.after, columns.before,
        UInt32(kernel.height), UInt32(kernel.width),
        UInt32(window.strideHeight), UInt32(window.strideWidth), 1, 1, 1,
        map.channels, result.channels, window.activation.low, window.activation.high,
        input, filterID, biasID, output, 0),
      "xnn_define_convolution_2d")
  }

  func depthwiseConvolution(_ step: Step, _ window: Window) throws(ModelError) {
    let (filter, bias) = try weights(step) { $0.shape[3] }
    let map = try map(step.inputs[0])
    let kernel = (height: filter.shape[1], width: filter.shape[2])
    guard filter.shape[0] == 1, filter.shape[3] == map.channels else {
      throw ModelError("a filter of shape \(filter.shape) does not fit \(map.channels) channels")
    }
    let rows = try fit(
      window.padding, input: map.height, window: kernel.height, stride: window.strideHeight)
    let columns = try fit(
      window.padding, input: map.width, window: kernel.width, stride: window.strideWidth)
    let result = Map(height: rows.output, width: columns.output, channels: map.channels)
    let input = try value(step.inputs[0])
    let output = try define(step.output, shape: result.shape)
    try spend(
      outputs: result.height * result.width * result.channels,
      cells: kernel.height * kernel.width, pixels: result.height * result.width, channels: 1)
    let filterID = try define(filter, shape: filter.shape)
    let biasID = try define(bias, shape: bias.shape)
    try XNNPACK.check(
      unsafe xnn_define_depthwise_convolution_2d(
        handle, rows.before, columns.after, rows.after, columns.before,
        UInt32(kernel.height), UInt32(kernel.width),
        UInt32(window.strideHeight), UInt32(window.strideWidth), 1, 1, 1,
        map.channels, window.activation.low, window.activation.high,
        input, filterID, biasID, output, 0),
      "xnn_define_depthwise_convolution_2d")
  }

  /// Every input pixel becomes a block of output pixels; blocks touch and do not overlap.
  func transposeConvolution(_ step: Step, _ window: Window) throws(ModelError) {
    let (filter, bias) = try weights(step) { $0.shape[0] }
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
      channels: filter.shape[0])
    let input = try value(step.inputs[0])
    let output = try define(step.output, shape: result.shape)
    try spend(
      outputs: result.height * result.width * result.channels, cells: kernel.height * kernel.width,
      pixels: result.height * result.width, channels: map.channels)
    let filterID = try define(filter, shape: filter.shape)
    let biasID = try define(bias, shape: bias.shape)
    try XNNPACK.check(
      unsafe xnn_define_deconvolution_2d(
        handle, 0, 0, 0, 0, 0, 0, UInt32(kernel.height), UInt32(kernel.width),
        UInt32(window.strideHeight), UInt32(window.strideWidth), 1, 1, 1,
        map.channels, result.channels, window.activation.low, window.activation.high,
        input, filterID, biasID, output, 0),
      "xnn_define_deconvolution_2d")
  }

  func maxPool(
    _ step: Step, _ window: Window, height: Int, width: Int
  ) throws(ModelError) {
    let inputs = try step.inputs(1)
    let map = try map(inputs[0])
    let rows = try fit(
      window.padding, input: map.height, window: height, stride: window.strideHeight)
    let columns = try fit(
      window.padding, input: map.width, window: width, stride: window.strideWidth)
    guard height * width > 1 else { throw ModelError("pools windows of a single cell") }
    let result = Map(height: rows.output, width: columns.output, channels: map.channels)
    let input = try value(inputs[0])
    let output = try define(step.output, shape: result.shape)
    try spend(
      outputs: result.height * result.width * result.channels, cells: height * width,
      pixels: result.height * result.width, channels: 1)
    try XNNPACK.check(
      unsafe xnn_define_max_pooling_2d(
        handle, rows.before, columns.after, rows.after, columns.before,
        UInt32(height), UInt32(width), UInt32(window.strideHeight), UInt32(window.strideWidth),
        1, 1, window.activation.low, window.activation.high, input, output, 0),
      "xnn_define_max_pooling_2d")
  }

  /// The average over the whole map, which is all that the models ask for.
  func averagePool(
    _ step: Step, _ window: Window, height: Int, width: Int
  ) throws(ModelError) {
    let inputs = try step.inputs(1)
    let map = try map(inputs[0])
    guard height == map.height, width == map.width else {
      throw ModelError("is supported over the whole map only")
    }
    // With SAME padding a stride under the window's size would give more than one average.
    guard
      try fit(window.padding, input: height, window: height, stride: window.strideHeight)
        == (1, 0, 0),
      try fit(window.padding, input: width, window: width, stride: window.strideWidth) == (1, 0, 0)
    else { throw ModelError("is supported for one average over the whole map only") }
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
    let output = try define(step.output, shape: [1, 1, 1, map.channels])
    try XNNPACK.check(
      unsafe xnn_define_global_average_pooling_2d(
        handle, activation.low, activation.high, input, output, 0),
      "xnn_define_global_average_pooling_2d")
  }
}
