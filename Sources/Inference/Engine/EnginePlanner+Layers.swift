extension EnginePlanner {
  /// Plans the step of a layer, or fuses it into the one before.
  func addLayer(_ layer: Layer) throws(ModelError) {
    switch layer.operation {
    case .convolution(let filter), .fullyConnected(let filter):
      try addConvolution(layer, filter, isDepthwise: false)
    case .depthwiseConvolution(let filter): try addConvolution(layer, filter, isDepthwise: true)
    case .transposeConvolution(let filter): try addTransposeConvolution(layer, filter)
    case .relu: try addActivation(layer, Activation(.relu))
    case .hardSwish: try addActivation(layer, Activation(.hardSwish))
    case .logistic: try addActivation(layer, Activation(.logistic))
    case .prelu(let slopes): try addActivation(layer, Activation(slopes: slopes.buffer))
    case .add(let limits): try addSum(layer, Activation(limits))
    case .multiply(let limits): try addProduct(layer, Activation(limits))
    case .globalAverage(let limits): try addGlobalAverage(layer, limits)
    case .pad(let before, let after): try addPadding(layer, before, after)
    case .reshape:
      var view = try view(of: layer.input)
      guard view.isUnpadded else { throw .unsupportedLayout }
      view.isReshaped = true
      views[layer.output] = view
    case .depthToSpace(let block):
      let map = try plainMap(of: layer.input)
      views[layer.output] = TensorView(map: map, block: (block, block))
    case .maxPool(let window):
      guard !window.hasPadding, window.strideWidth <= 2, window.height <= Self.maximumKernel,
        window.width <= Self.maximumKernel
      else { throw .unsupported("this window") }
      try addChannelwiseStep(layer, .maxPooled, window, Activation(window.activation))
    case .resize(let interpolation):
      try addChannelwiseStep(layer, .resized(interpolation), SlidingWindow(), .identity)
    }
  }

  /// A step that treats each channel by itself.
  private func addChannelwiseStep(
    _ layer: Layer, _ source: PlannedStep.Source, _ window: SlidingWindow, _ activation: Activation
  ) throws(ModelError) {
    let step = PlannedStep(
      source: source, input: try plainMap(of: layer.input), window: window,
      shape: try shape(of: layer.output), activation: activation)
    guard !step.shape.isPixel else { throw .unsupported("a result of one pixel") }
    pending[layer.output] = step
  }

  private func addPadding(_ layer: Layer, _ before: [Int], _ after: [Int]) throws(ModelError) {
    var view = TensorView(map: try plainMap(of: layer.input))
    _ = try shape(of: layer.output)
    guard before[0] + after[0] + before[3] == 0 else {
      throw .unsupported("padding of this dimension")
    }
    (view.top, view.bottom, view.left, view.right) = (before[1], after[1], before[2], after[2])
    view.channels = after[3]
    views[layer.output] = view
  }

  // MARK: Convolutions

  private func addConvolution(
    _ layer: Layer, _ filter: ConvolutionParameters, isDepthwise: Bool
  ) throws(ModelError) {
    let shape = try shape(of: layer.output)
    let activation = Activation(filter.window.activation)
    let isPointwise = filter.window.isPointwise
    if !isDepthwise, isPointwise, !filter.window.hasPadding, isReadOnce(layer.input),
      let step = pending[layer.input], let fused = fusePointwise(step, filter, shape, activation)
    {
      pending[layer.input] = nil
      pending[layer.output] = fused
      return
    }
    let view = try view(of: layer.input)
    guard view.channels == 0, view.hasOwnLayout else { throw .unsupportedLayout }
    let input = shapes[view.map]
    var padded = filter
    padded.window = filter.window.padded(view, over: input)
    let window = padded.window
    let halo = max(window.top, window.bottom, window.left, window.right)
    guard max(window.height, window.width) <= Self.maximumKernel,
      halo < window.height + window.width, halo < Self.maximumKernel
    else { throw .unsupported("this window") }
    if shape.isPixel {
      guard !isDepthwise, !isVector(view.map) || !window.hasPadding && isPointwise else {
        throw .unsupported("a result of one pixel")
      }
    } else {
      guard window.strideWidth <= 2, !isVector(view.map) else { throw .unsupported("this stride") }
      let isSameSize = (input.height, input.width) == (shape.height, shape.width)
      requireHalo(
        view.map, window,
        masks: isDepthwise && isSameSize && DepthwiseConvolution.canMask(window))
    }
    let readsMap = isPointwise && !window.hasPadding && !shape.isPixel
    pending[layer.output] = PlannedStep(
      source: isDepthwise ? .depthwise : readsMap ? .map : .im2Col, input: view.map,
      window: window, depthwise: isDepthwise ? padded : nil, filter: isDepthwise ? nil : padded,
      shape: shape, activation: activation)
  }

  /// A step with a pointwise convolution that alone reads its result; nil where that cannot be one
  /// step.
  private func fusePointwise(
    _ step: PlannedStep, _ filter: ConvolutionParameters, _ shape: MapShape,
    _ activation: Activation
  ) -> PlannedStep? {
    guard step.filter == nil, step.bias == nil, step.block == (1, 1) else { return nil }
    var fused = step
    (fused.filter, fused.shape, fused.activation) = (filter, shape, activation)
    fused.residual = nil
    switch step.source {
    case .depthwise where step.residual == nil: fused.depthwiseActivation = step.activation
    case .scaled where step.activation.isIdentity:
      if let residual = step.residual {
        guard shapes[residual].channels == step.shape.channels else { return nil }
        fused.scaledResidual = residual
        // One traversal goes through both.
        sameLayouts.append((step.input, residual))
      }
    case .resized where step.isBare:
      // Both are linear, and the weights of a resize sum to 1: the convolution comes first, on
      // fewer pixels.
      var small = shapes[step.input]
      small.channels = shape.channels
      fused.input = emit(PlannedStep(source: .map, input: step.input, filter: filter, shape: small))
      fused.filter = nil
    default: return nil
    }
    return fused
  }

  /// Computes each pixel's block as channels, with a pointwise convolution.
  private func addTransposeConvolution(
    _ layer: Layer, _ filter: ConvolutionParameters
  ) throws(ModelError) {
    let input = try plainMap(of: layer.input)
    let (window, shape) = (filter.window, shapes[input])
    let (outputs, cells) = (filter.bias.shape[0], window.height * window.width)
    guard outputs * cells <= Self.maximumChannels, window.height <= Self.maximumKernel,
      window.width <= Self.maximumKernel
    else { throw .unsupported("this size") }
    _ = try self.shape(of: layer.output)
    let weights = FloatBuffer(count: filter.weights.buffer.count)
    let bias = FloatBuffer(count: outputs * cells)
    let (from, to) = (FloatView(filter.weights.buffer), FloatView(weights))
    for output in 0..<outputs {
      for cell in 0..<cells {
        let row = cell * outputs + output
        FloatView(bias)[row] = FloatView(filter.bias.buffer)[output]
        for channel in 0..<shape.channels {
          to[row * shape.channels + channel] =
            from[(output * cells + cell) * shape.channels + channel]
        }
      }
    }
    let pointwise = ConvolutionParameters(
      window: SlidingWindow(rows: shape.height, columns: shape.width),
      weights: Constant(shape: [outputs * cells, 1, 1, shape.channels], buffer: weights),
      bias: Constant(shape: [outputs * cells], buffer: bias))
    pending[layer.output] = PlannedStep(
      source: .map, input: input, filter: pointwise,
      shape: MapShape(height: shape.height, width: shape.width, channels: outputs * cells),
      activation: Activation(window.activation),
      block: (window.height, window.width))
  }
}

extension SlidingWindow {
  /// Whether each window is a single pixel, and each pixel has one.
  fileprivate var isPointwise: Bool { height * width * strideHeight * strideWidth == 1 }

  /// The window over a map that is padded by layers before; what is padded on the right and at the
  /// bottom is what windows read there.
  fileprivate func padded(_ view: TensorView, over map: MapShape) -> SlidingWindow {
    var own = self
    own.top += view.top
    own.left += view.left
    own.bottom = max(0, (rows - 1) * strideHeight + height - own.top - map.height)
    own.right = max(0, (columns - 1) * strideWidth + width - own.left - map.width)
    return own
  }
}
