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
    case .add(let limits): try add(layer, Curve(limits))
    case .multiply(let limits): try multiply(layer, Curve(limits))
    case .pad(let before, let after): try pad(layer, before, after)
    case .reshape:
      var view = try close(layer.input)
      guard view.isWhole else { throw Declined(reason: "of padding") }
      view.isReshaped = true
      views[layer.output] = view
    case .depthToSpace(let block):
      let map = try plain(layer.input)
      views[layer.output] = View(map: map, block: (block, block))
    case .maxPool(let window):
      guard !window.hasPadding, window.strideWidth <= 2, window.height <= Self.widest,
        window.width <= Self.widest
      else { throw Declined(reason: "its window") }
      try put(layer, .pooled, window, Curve(window.activation))
    case .globalAverage(let limits): try average(layer, Curve(limits))
    case .resize: try put(layer, .resized, LaidWindow(), .none)
    }
  }

  /// A map as it is, of more than one pixel.
  private func plain(_ tensor: Int) throws(Declined) -> Int {
    let view = try close(tensor)
    guard view.isPlain, !isVector(view.map) else {
      throw Declined(reason: "its input is padded or of another layout")
    }
    return view.map
  }

  /// Begins a step that sees each channel by itself.
  private func put(
    _ layer: Layer, _ source: Source, _ window: LaidWindow, _ curve: Curve
  ) throws(Declined) {
    let own = Open(
      source: source, input: try plain(layer.input), window: window,
      shape: try map(layer.output), curve: curve)
    guard !own.isVector else { throw Declined(reason: "its result is a pixel") }
    open[layer.output] = own
  }

  private func pad(_ layer: Layer, _ before: [Int], _ after: [Int]) throws(Declined) {
    var view = View(map: try plain(layer.input))
    _ = try map(layer.output)
    guard before[0] + after[0] + before[3] == 0 else { throw Declined(reason: "where it pads") }
    (view.top, view.bottom, view.left, view.right) = (before[1], after[1], before[2], after[2])
    view.channels = after[3]
    views[layer.output] = view
  }

  // MARK: Convolutions

  private func convolve(
    _ layer: Layer, _ filter: LaidFilter, _ curve: Curve, isDepthwise: Bool = false
  ) throws(Declined) {
    let shape = try map(layer.output)
    let window = filter.window
    let isPoint = window.height * window.width * window.strideHeight * window.strideWidth == 1
    if !isDepthwise, isPoint, !window.hasPadding, readers[layer.input] == 1,
      let own = open[layer.input], let joined = join(own, filter, shape, curve)
    {
      open[layer.input] = nil
      open[layer.output] = joined
      return
    }
    let view = try close(layer.input)
    guard view.channels == 0, view.block == (1, 1), !view.isReshaped else {
      throw Declined(reason: "its input is of another layout")
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
    guard max(w.height, w.width) <= Self.widest, reach < w.height + w.width, reach < Self.widest
    else { throw Declined(reason: "its window") }
    if shape.height * shape.width == 1 {
      guard !isDepthwise, !isVector(view.map) || !w.hasPadding && isPoint else {
        throw Declined(reason: "its result is a pixel")
      }
    } else {
      guard w.strideWidth <= 2, !isVector(view.map) else { throw Declined(reason: "its stride") }
      let isSame = (own.height, own.width) == (shape.height, shape.width)
      surround(view.map, w, masks: isDepthwise && isSame && Windows.canMask(w))
    }
    let isWhole = isPoint && !w.hasPadding && shape.height * shape.width > 1
    open[layer.output] = Open(
      source: isDepthwise ? .windows : isWhole ? .map : .columns, input: view.map, window: w,
      first: isDepthwise ? padded : nil, filter: isDepthwise ? nil : padded, shape: shape,
      curve: curve)
  }

  /// A convolution of 1 x 1 that alone reads what is still open, as one step with it.
  private func join(_ own: Open, _ filter: LaidFilter, _ shape: Map, _ curve: Curve) -> Open? {
    guard own.filter == nil, own.bias == nil, own.block == (1, 1) else { return nil }
    var joined = own
    (joined.filter, joined.shape, joined.curve, joined.added) = (filter, shape, curve, nil)
    switch own.source {
    case .windows where own.added == nil: joined.firstCurve = own.curve
    case .gathered where own.curve.isNone && (own.more == nil || own.added == nil):
      if let added = own.added, shapes[added].channels != own.shape.channels { return nil }
      joined.more = own.more ?? own.added
    case .resized where own.isBare:
      // Both are linear, and a pixel's four weights make 1: fewer pixels first.
      var small = shapes[own.input]
      small.channels = shape.channels
      joined.input =
        emit(
          Open(source: .map, input: own.input, filter: filter, shape: small, curve: .none)
        ).map
      joined.filter = nil
    default: return nil
    }
    return joined
  }

  /// One pixel becomes a block: a convolution of 1 x 1 with a channel for each of the block's pixels.
  private func transpose(_ layer: Layer, _ filter: LaidFilter) throws(Declined) {
    let input = try plain(layer.input)
    let (window, own) = (filter.window, shapes[input])
    let (outputs, cells) = (filter.bias.shape[0], window.height * window.width)
    guard outputs * cells <= Self.mostChannels, window.height <= Self.widest,
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
    let point = LaidFilter(
      window: LaidWindow(rows: own.height, columns: own.width),
      weights: Constant(shape: [outputs * cells, 1, 1, own.channels], buffer: weights),
      bias: Constant(shape: [outputs * cells], buffer: bias))
    open[layer.output] = Open(
      source: .map, input: input, filter: point,
      shape: Map(height: own.height, width: own.width, channels: outputs * cells),
      curve: Curve(window.activation), block: (window.height, window.width))
  }

  // MARK: Number by number

  private func bend(_ layer: Layer, _ curve: Curve) throws(Declined) {
    if var own = open[layer.input], readers[layer.input] == 1, own.curve.isNone, !own.addsLast,
      curve.code != .slopes || own.block == (1, 1) && !own.isVector
    {
      own.curve = curve
      (open[layer.input], open[layer.output]) = (nil, own)
      return
    }
    let view = try close(layer.input)
    guard view.isWhole, !view.isReshaped,
      curve.code != .slopes || view.isPlain && !isVector(view.map)
    else { throw Declined(reason: "its input is of another layout") }
    open[layer.output] = Open(
      source: .map, input: view.map, shape: shapes[view.map], curve: curve, block: view.block)
  }

  /// The values that a layer reads, and its constant as a number for each channel.
  private func operands(
    _ layer: Layer, _ channels: Int
  ) throws(Declined) -> (tensors: [Int], constant: FloatBuffer?) {
    var (tensors, buffer): ([Int], FloatBuffer?) = ([], nil)
    for input in layer.inputs {
      switch input {
      case .value(let tensor): tensors.append(tensor)
      case .constant(let constant):
        let (numbers, own) = (Numbers(constant.buffer), FloatBuffer(count: channels))
        guard numbers.count == 1 || numbers.count == channels && constant.shape.last == channels
        else { throw Declined(reason: "its constant") }
        for index in 0..<channels {
          Numbers(own)[index] = numbers[numbers.count == 1 ? 0 : index]
        }
        buffer = own
      }
    }
    return (tensors, buffer)
  }

  private func add(_ layer: Layer, _ curve: Curve) throws(Declined) {
    let shape = try map(layer.output)
    let (tensors, constant) = try operands(layer, shape.channels)
    if tensors.count == 2 {
      // The later one, for the other is more likely to be of use elsewhere.
      for (own, other) in [(tensors[1], tensors[0]), (tensors[0], tensors[1])] where own != other {
        guard var sum = open[own], readers[own] == 1, sum.added == nil, sum.shape == shape,
          sum.block == (1, 1), !sum.isVector, sum.curve.isNone || curve.isNone,
          plan.shapes[other] == shape.shape
        else { continue }
        let view = try close(other)
        guard view.isUnpadded, view.block == (1, 1), !view.isReshaped,
          sum.curve.isNone || view.channels == 0
        else { throw Declined(reason: "its input is of another layout") }
        sum.added = view.map
        sum.addsLast = !sum.curve.isNone
        if curve.isNone == false { sum.curve = curve }
        (open[own], open[layer.output]) = (nil, sum)
        return
      }
    }
    var views: [View] = []
    for tensor in tensors { views.append(try close(tensor)) }
    // The one that is as large as the result comes first.
    guard let place = views.firstIndex(where: { shapes[$0.map] == shape && $0.isPlain }),
      !isVector(views[place].map)
    else { throw Declined(reason: "its inputs") }
    let main = views.remove(at: place).map
    var sum = Open(source: .map, input: main, bias: constant, shape: shape, curve: curve)
    if let other = views.first {
      let own = shapes[other.map]
      guard other.isUnpadded, other.block == (1, 1), !other.isReshaped,
        own.channels + other.channels == shape.channels,
        (own.height, own.width) == (shape.height, shape.width)
      else { throw Declined(reason: "its inputs") }
      sum.source = .gathered
      sum.added = other.map
    }
    open[layer.output] = sum
  }

  /// A factor for each channel, computed or known.
  private func multiply(_ layer: Layer, _ curve: Curve) throws(Declined) {
    let shape = try map(layer.output)
    let (tensors, constant) = try operands(layer, shape.channels)
    var maps: [Int] = []
    for tensor in tensors {
      let view = try close(tensor)
      guard view.isPlain else { throw Declined(reason: "its inputs") }
      maps.append(view.map)
    }
    guard let place = maps.firstIndex(where: { shapes[$0] == shape && !isVector($0) }) else {
      throw Declined(reason: "its inputs")
    }
    let main = maps.remove(at: place)
    var own = Open(source: .map, input: main, shape: shape, curve: curve)
    if let scale = maps.first {
      guard isVector(scale), shapes[scale].channels == shape.channels else {
        throw Declined(reason: "its inputs")
      }
      (own.source, own.scale) = (.gathered, scale)
    } else if let constant {
      // A window of one cell.
      let one = LaidFilter(
        window: LaidWindow(rows: shape.height, columns: shape.width),
        weights: Constant(shape: [1, 1, 1, shape.channels], buffer: constant),
        bias: Constant(shape: [shape.channels], buffer: FloatBuffer(count: shape.channels)))
      (own.source, own.first) = (.windows, one)
    }
    open[layer.output] = own
  }

  private func average(_ layer: Layer, _ curve: Curve) throws(Declined) {
    var (scale, more) = (Int?.none, Int?.none)
    let input: Int
    if let own = open[layer.input], readers[layer.input] == 1, own.curve.isNone, own.bias == nil,
      own.source == .gathered, own.more == nil, own.filter == nil,
      own.added.map({ shapes[$0].channels == own.shape.channels }) ?? true
    {
      (input, scale, more) = (own.input, own.scale, own.added)
      open[layer.input] = nil
    } else {
      input = try plain(layer.input)
    }
    let to = keep(try map(layer.output))
    views[layer.output] = View(map: to)
    items.append(
      Item(reads: [input] + [scale, more].compactMap { $0 }, writes: to) { planner in
        let source = Gathering(
          input: planner[input], scale: scale.map { planner[$0] }, more: more.map { planner[$0] })
        return AverageStep(source: source, output: planner[to], curve: curve)
      })
  }
}
