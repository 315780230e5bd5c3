extension EnginePlanner {
  func take(_ layer: Layer) throws(UnsupportedOperator) {
    switch layer.operation {
    case .convolution(let filter):
      try convolve(layer, filter, Activation(filter.window.activation))
    case .depthwiseConvolution(let filter):
      try convolve(layer, filter, Activation(filter.window.activation), isDepthwise: true)
    case .transposeConvolution(let filter): try transpose(layer, filter)
    case .relu: try activate(layer, Activation(FusedActivation(low: 0)))
    case .hardSwish: try activate(layer, Activation(.hardSwish))
    case .logistic: try activate(layer, Activation(.logistic))
    case .prelu(let slopes): try activate(layer, Activation(slopes: slopes.buffer))
    case .add(let limits): try add(layer, Activation(limits))
    case .multiply(let limits): try multiply(layer, Activation(limits))
    case .pad(let before, let after): try pad(layer, before, after)
    case .reshape:
      var view = try close(layer.input)
      guard view.isWhole else { throw UnsupportedOperator(reason: "of padding") }
      view.isReshaped = true
      views[layer.output] = view
    case .depthToSpace(let block):
      let map = try plain(layer.input)
      views[layer.output] = TensorView(map: map, block: (block, block))
    case .maxPool(let window):
      guard !window.hasPadding, window.strideWidth <= 2, window.height <= Self.maximumKernel,
        window.width <= Self.maximumKernel
      else { throw UnsupportedOperator(reason: "its window") }
      try put(layer, .pooled, window, Activation(window.activation))
    case .globalAverage(let limits): try average(layer, Activation(limits))
    case .resize: try put(layer, .resized, SlidingWindow(), .identity)
    }
  }

  /// A map as it is, of more than one pixel.
  func plain(_ tensor: Int) throws(UnsupportedOperator) -> Int {
    let view = try close(tensor)
    guard view.isPlain, !isVector(view.map) else {
      throw UnsupportedOperator(reason: "its input is padded or of another layout")
    }
    return view.map
  }

  /// Begins a step that sees each channel by itself.
  private func put(
    _ layer: Layer, _ source: Source, _ window: SlidingWindow, _ activation: Activation
  ) throws(UnsupportedOperator) {
    let own = PendingStep(
      source: source, input: try plain(layer.input), window: window,
      shape: try map(layer.output), activation: activation)
    guard !own.isVector else { throw UnsupportedOperator(reason: "its result is a pixel") }
    open[layer.output] = own
  }

  private func pad(_ layer: Layer, _ before: [Int], _ after: [Int]) throws(UnsupportedOperator) {
    var view = TensorView(map: try plain(layer.input))
    _ = try map(layer.output)
    guard before[0] + after[0] + before[3] == 0 else {
      throw UnsupportedOperator(reason: "where it pads")
    }
    (view.top, view.bottom, view.left, view.right) = (before[1], after[1], before[2], after[2])
    view.channels = after[3]
    views[layer.output] = view
  }

  // MARK: Convolutions

  private func convolve(
    _ layer: Layer, _ filter: ConvolutionParameters, _ activation: Activation,
    isDepthwise: Bool = false
  ) throws(UnsupportedOperator) {
    let shape = try map(layer.output)
    let window = filter.window
    let isPoint = window.height * window.width * window.strideHeight * window.strideWidth == 1
    if !isDepthwise, isPoint, !window.hasPadding, readers[layer.input] == 1,
      let own = open[layer.input], let joined = join(own, filter, shape, activation)
    {
      open[layer.input] = nil
      open[layer.output] = joined
      return
    }
    let view = try close(layer.input)
    guard view.channels == 0, view.block == (1, 1), !view.isReshaped else {
      throw UnsupportedOperator(reason: "its input is of another layout")
    }
    var padded = filter
    let (own, size) = (shapes[view.map], window)
    padded.window.top += view.top
    padded.window.left += view.left
    let rows = (size.rows - 1) * size.strideHeight + size.height
    let columns = (size.columns - 1) * size.strideWidth + size.width
    padded.window.bottom = max(0, rows - padded.window.top - own.height)
    padded.window.right = max(0, columns - padded.window.left - own.width)
    let w = padded.window
    let reach = max(w.top, w.bottom, w.left, w.right)
    guard max(w.height, w.width) <= Self.maximumKernel, reach < w.height + w.width,
      reach < Self.maximumKernel
    else { throw UnsupportedOperator(reason: "its window") }
    if shape.height * shape.width == 1 {
      guard !isDepthwise, !isVector(view.map) || !w.hasPadding && isPoint else {
        throw UnsupportedOperator(reason: "its result is a pixel")
      }
    } else {
      guard w.strideWidth <= 2, !isVector(view.map) else {
        throw UnsupportedOperator(reason: "its stride")
      }
      let isSame = (own.height, own.width) == (shape.height, shape.width)
      requireHalo(view.map, w, masks: isDepthwise && isSame && DepthwiseConvolution.canMask(w))
    }
    let isWhole = isPoint && !w.hasPadding && shape.height * shape.width > 1
    open[layer.output] = PendingStep(
      source: isDepthwise ? .windows : isWhole ? .map : .columns, input: view.map, window: w,
      first: isDepthwise ? padded : nil, filter: isDepthwise ? nil : padded, shape: shape,
      activation: activation)
  }

  /// A convolution of 1 x 1 that alone reads what is still open, as one step with it.
  private func join(
    _ own: PendingStep, _ filter: ConvolutionParameters, _ shape: MapShape, _ activation: Activation
  ) -> PendingStep? {
    guard own.filter == nil, own.bias == nil, own.block == (1, 1) else { return nil }
    var joined = own
    (joined.filter, joined.shape, joined.activation, joined.added) = (
      filter, shape, activation, nil
    )
    switch own.source {
    case .windows where own.added == nil: joined.firstActivation = own.activation
    case .gathered where own.activation.isIdentity && (own.more == nil || own.added == nil):
      if let added = own.added, shapes[added].channels != own.shape.channels { return nil }
      joined.more = own.more ?? own.added
    case .resized where own.isBare:
      // Both are linear, and a pixel's four weights make 1: fewer pixels first.
      var small = shapes[own.input]
      small.channels = shape.channels
      joined.input =
        emit(
          PendingStep(
            source: .map, input: own.input, filter: filter, shape: small, activation: .identity)
        ).map
      joined.filter = nil
    default: return nil
    }
    return joined
  }

  /// One pixel becomes a block: a convolution of 1 x 1 with a channel for each of the block's pixels.
  private func transpose(_ layer: Layer, _ filter: ConvolutionParameters)
    throws(UnsupportedOperator)
  {
    let input = try plain(layer.input)
    let (window, own) = (filter.window, shapes[input])
    let (outputs, cells) = (filter.bias.shape[0], window.height * window.width)
    guard outputs * cells <= Self.maximumChannels, window.height <= Self.maximumKernel,
      window.width <= Self.maximumKernel
    else { throw UnsupportedOperator(reason: "its size") }
    _ = try map(layer.output)
    let weights = FloatBuffer(count: filter.weights.buffer.count)
    let bias = FloatBuffer(count: outputs * cells)
    let (from, to) = (FloatView(filter.weights.buffer), FloatView(weights))
    for output in 0..<outputs {
      for cell in 0..<cells {
        let row = cell * outputs + output
        FloatView(bias)[row] = FloatView(filter.bias.buffer)[output]
        for channel in 0..<own.channels {
          to[row * own.channels + channel] = from[(output * cells + cell) * own.channels + channel]
        }
      }
    }
    let point = ConvolutionParameters(
      window: SlidingWindow(rows: own.height, columns: own.width),
      weights: Constant(shape: [outputs * cells, 1, 1, own.channels], buffer: weights),
      bias: Constant(shape: [outputs * cells], buffer: bias))
    open[layer.output] = PendingStep(
      source: .map, input: input, filter: point,
      shape: MapShape(height: own.height, width: own.width, channels: outputs * cells),
      activation: Activation(window.activation), block: (window.height, window.width))
  }
}
