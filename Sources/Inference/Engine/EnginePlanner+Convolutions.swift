extension EnginePlanner {
  func take(_ layer: Layer) throws(Declined) {
    switch layer.operation {
    case .convolution(let filter):
      try convolve(layer, filter, Curve(filter.window.activation))
    case .depthwiseConvolution(let filter):
      try convolve(layer, filter, Curve(filter.window.activation), isDepthwise: true)
    case .transposeConvolution(let filter): try transpose(layer, filter)
    case .relu: try bend(layer, Curve(Activation(low: 0)))
    case .hardSwish: try bend(layer, Curve(.hardSwish))
    case .logistic: try bend(layer, Curve(.logistic))
    case .prelu(let slopes): try bend(layer, Curve(slopes: slopes.buffer))
    case .add(let limits): try combine(layer, limits, isProduct: false)
    case .multiply(let limits): try combine(layer, limits, isProduct: true)
    case .pad(let before, let after): try pad(layer, before, after)
    case .reshape:
      var view = try close(layer.input)
      guard view.isWhole else { throw Declined(reason: "of padding") }
      view.isReshaped = true
      views[layer.output] = view
    case .depthToSpace(let block):
      var view = try plain(layer.input)
      guard !isVector(view.map) else { throw Declined(reason: "of a vector") }
      view.block = (block, block)
      views[layer.output] = view
    case .maxPool(let window):
      let (view, to) = (try plain(layer.input), try keep(map(layer.output)))
      guard !window.hasPadding, window.strideWidth <= 2, window.height <= Self.widest,
        window.width <= Self.widest, !isVector(view.map), !isVector(to)
      else { throw Declined(reason: "its window") }
      add(layer, to, [view.map]) {
        MaxPoolStep($0.rows(view.map), $0.rows(to), window)
      }
    case .globalAverage(let limits):
      let (view, to) = (try plain(layer.input), try keep(map(layer.output)))
      guard !isVector(view.map) else { throw Declined(reason: "of a vector") }
      add(layer, to, [view.map]) {
        AverageStep(input: $0.rows(view.map), output: $0.rows(to), curve: Curve(limits))
      }
    case .resize:
      let (view, to) = (try plain(layer.input), try keep(map(layer.output)))
      guard !isVector(view.map), !isVector(to) else { throw Declined(reason: "of a vector") }
      add(layer, to, [view.map]) { ResizeStep($0.rows(view.map), $0.rows(to)) }
    }
  }

  func isVector(_ map: Int) -> Bool { maps[map].shape.height * maps[map].shape.width == 1 }

  func add(
    _ layer: Layer, _ to: Int, _ reads: [Int], _ step: @escaping (EnginePlanner) -> any EngineStep
  ) {
    views[layer.output] = View(map: to)
    items.append(Item(reads: reads, writes: to, step: step))
  }

  func plain(_ tensor: Int) throws(Declined) -> View {
    let view = try close(tensor)
    guard view.isPlain else { throw Declined(reason: "its input is padded or of another layout") }
    return view
  }

  func pad(_ layer: Layer, _ before: [Int], _ after: [Int]) throws(Declined) {
    var view = try close(layer.input)
    _ = try map(layer.output)
    guard view.isPlain, !isVector(view.map), before[0] + after[0] + before[3] == 0 else {
      throw Declined(reason: "where it pads")
    }
    (view.top, view.bottom, view.left, view.right) = (before[1], after[1], before[2], after[2])
    view.channels = after[3]
    views[layer.output] = view
  }

  func convolve(
    _ layer: Layer, _ filter: Filter, _ curve: Curve, isDepthwise: Bool = false
  ) throws(Declined) {
    let shape = try map(layer.output)
    let window = filter.window
    let isPoint = window.height * window.width * window.strideHeight * window.strideWidth == 1
    if !isDepthwise, isPoint, !window.hasPadding, readers[layer.input] == 1,
      let first = open[layer.input], first.isDepthwise, first.first == nil, first.added == nil
    {
      open[layer.input] = nil
      open[layer.output] = Open(
        first: first.filter, firstCurve: first.curve, filter: filter, input: first.input,
        shape: shape, curve: curve)
      return
    }
    let view = try close(layer.input)
    guard view.channels == 0, view.block == (1, 1), !view.isReshaped else {
      throw Declined(reason: "its input is of another layout")
    }
    var padded = filter
    let (own, size) = (maps[view.map].shape, window)
    padded.window.top += view.top
    padded.window.left += view.left
    let rows = (size.rows - 1) * size.strideHeight + size.height
    let columns = (size.columns - 1) * size.strideWidth + size.width
    padded.window.bottom = max(0, rows - padded.window.top - own.height)
    padded.window.right = max(0, columns - padded.window.left - own.width)
    let w = padded.window
    guard max(w.height, w.width) <= Self.widest,
      max(w.top, w.bottom, w.left, w.right) < w.height + w.width,
      max(w.top, w.bottom, w.left, w.right) < Self.widest
    else { throw Declined(reason: "its window") }
    let isVector = shape.height * shape.width == 1
    if isVector {
      guard !isDepthwise, !self.isVector(view.map) || !w.hasPadding && isPoint else {
        throw Declined(reason: "its result is a pixel")
      }
    } else {
      guard w.strideWidth <= 2, !self.isVector(view.map) else {
        throw Declined(reason: "its stride")
      }
      maps[view.map].top = max(maps[view.map].top, w.top)
      maps[view.map].bottom = max(maps[view.map].bottom, w.bottom)
      maps[view.map].gap = max(maps[view.map].gap, w.left, w.right)
    }
    open[layer.output] = Open(
      filter: padded, input: view, shape: shape, curve: curve, isDepthwise: isDepthwise)
  }

  /// One pixel becomes a block: a convolution of 1 x 1 with a channel for each of the block's pixels.
  func transpose(_ layer: Layer, _ filter: Filter) throws(Declined) {
    let view = try plain(layer.input)
    let (window, own) = (filter.window, maps[view.map].shape)
    let (outputs, cells) = (filter.bias.shape[0], window.height * window.width)
    guard !isVector(view.map), outputs * cells <= Self.mostChannels, window.height <= Self.widest,
      window.width <= Self.widest
    else { throw Declined(reason: "its size") }
    _ = try map(layer.output)
    let weights = FloatBuffer(count: filter.weights.buffer.count)
    let bias = FloatBuffer(count: outputs * cells)
    let (from, to) = (Numbers(filter.weights.buffer), Numbers(weights))
    for output in 0..<outputs {
      for cell in 0..<cells {
        let row = cell * outputs + output
        Numbers(bias)[row] = Numbers(filter.bias.buffer)[output]
        for channel in 0..<own.channels {
          to[row * own.channels + channel] = from[(output * cells + cell) * own.channels + channel]
        }
      }
    }
    let point = Filter(
      window: LaidWindow(rows: own.height, columns: own.width),
      weights: Constant(shape: [outputs * cells, 1, 1, own.channels], buffer: weights),
      bias: Constant(shape: [outputs * cells], buffer: bias))
    open[layer.output] = Open(
      filter: point, input: view,
      shape: Map(height: own.height, width: own.width, channels: outputs * cells),
      curve: Curve(window.activation), block: (window.height, window.width))
  }
}
