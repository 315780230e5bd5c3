/// Layers that treat each number, or each channel, by itself.
extension EnginePlanner {
  func activate(_ layer: Layer, _ activation: Activation) throws(UnsupportedOperator) {
    if var own = open[layer.input], readers[layer.input] == 1, own.activation.isIdentity,
      !own.addsAfterActivation,
      activation.code != .prelu || own.block == (1, 1) && !own.isVector
    {
      own.activation = activation
      (open[layer.input], open[layer.output]) = (nil, own)
      return
    }
    let view = try close(layer.input)
    guard view.isWhole, !view.isReshaped,
      activation.code != .prelu || view.isPlain && !isVector(view.map)
    else { throw UnsupportedOperator(reason: "its input is of another layout") }
    open[layer.output] = PendingStep(
      source: .map, input: view.map, shape: shapes[view.map], activation: activation,
      block: view.block)
  }

  /// The values that a layer reads, and its constant as a number for each channel.
  private func operands(
    _ layer: Layer, _ channels: Int
  ) throws(UnsupportedOperator) -> (tensors: [Int], constant: FloatBuffer?) {
    var (tensors, buffer): ([Int], FloatBuffer?) = ([], nil)
    for input in layer.inputs {
      switch input {
      case .value(let tensor): tensors.append(tensor)
      case .constant(let constant):
        let (numbers, own) = (FloatView(constant.buffer), FloatBuffer(count: channels))
        guard numbers.count == 1 || numbers.count == channels && constant.shape.last == channels
        else { throw UnsupportedOperator(reason: "its constant") }
        for index in 0..<channels {
          FloatView(own)[index] = numbers[numbers.count == 1 ? 0 : index]
        }
        buffer = own
      }
    }
    return (tensors, buffer)
  }

  func add(_ layer: Layer, _ activation: Activation) throws(UnsupportedOperator) {
    let shape = try map(layer.output)
    let (tensors, constant) = try operands(layer, shape.channels)
    if tensors.count == 2 {
      // The later one, for the other is more likely to be of use elsewhere.
      for (own, other) in [(tensors[1], tensors[0]), (tensors[0], tensors[1])] where own != other {
        guard var sum = open[own], readers[own] == 1, sum.added == nil, sum.shape == shape,
          sum.block == (1, 1), !sum.isVector, sum.activation.isIdentity || activation.isIdentity,
          plan.shapes[other] == shape.shape
        else { continue }
        let view = try close(other)
        guard view.isUnpadded, view.block == (1, 1), !view.isReshaped,
          sum.activation.isIdentity || view.channels == 0
        else { throw UnsupportedOperator(reason: "its input is of another layout") }
        sum.added = view.map
        sum.addsAfterActivation = !sum.activation.isIdentity
        if activation.isIdentity == false { sum.activation = activation }
        (open[own], open[layer.output]) = (nil, sum)
        return
      }
    }
    var views: [TensorView] = []
    for tensor in tensors { views.append(try close(tensor)) }
    // The one that is as large as the result comes first.
    guard let place = views.firstIndex(where: { shapes[$0.map] == shape && $0.isPlain }),
      !isVector(views[place].map)
    else { throw UnsupportedOperator(reason: "its inputs") }
    let main = views.remove(at: place).map
    var sum = PendingStep(
      source: .map, input: main, bias: constant, shape: shape, activation: activation)
    if let other = views.first {
      let own = shapes[other.map]
      guard other.isUnpadded, other.block == (1, 1), !other.isReshaped,
        own.channels + other.channels == shape.channels,
        (own.height, own.width) == (shape.height, shape.width)
      else { throw UnsupportedOperator(reason: "its inputs") }
      sum.source = .gathered
      sum.added = other.map
    }
    open[layer.output] = sum
  }

  /// A factor for each channel, computed or known.
  func multiply(_ layer: Layer, _ activation: Activation) throws(UnsupportedOperator) {
    let shape = try map(layer.output)
    let (tensors, constant) = try operands(layer, shape.channels)
    var maps: [Int] = []
    for tensor in tensors {
      let view = try close(tensor)
      guard view.isPlain else { throw UnsupportedOperator(reason: "its inputs") }
      maps.append(view.map)
    }
    guard let place = maps.firstIndex(where: { shapes[$0] == shape && !isVector($0) }) else {
      throw UnsupportedOperator(reason: "its inputs")
    }
    let main = maps.remove(at: place)
    var own = PendingStep(source: .map, input: main, shape: shape, activation: activation)
    if let scale = maps.first {
      guard isVector(scale), shapes[scale].channels == shape.channels else {
        throw UnsupportedOperator(reason: "its inputs")
      }
      (own.source, own.scale) = (.gathered, scale)
    } else if let constant {
      // A window of one cell.
      let one = ConvolutionParameters(
        window: SlidingWindow(rows: shape.height, columns: shape.width),
        weights: Constant(shape: [1, 1, 1, shape.channels], buffer: constant),
        bias: Constant(shape: [shape.channels], buffer: FloatBuffer(count: shape.channels)))
      (own.source, own.first) = (.windows, one)
    }
    open[layer.output] = own
  }

  func average(_ layer: Layer, _ activation: Activation) throws(UnsupportedOperator) {
    var (scale, more) = (Int?.none, Int?.none)
    let input: Int
    if let own = open[layer.input], readers[layer.input] == 1, own.activation.isIdentity,
      own.bias == nil,
      own.source == .gathered, own.more == nil, own.filter == nil,
      own.added.map({ shapes[$0].channels == own.shape.channels }) ?? true
    {
      (input, scale, more) = (own.input, own.scale, own.added)
      open[layer.input] = nil
    } else {
      input = try plain(layer.input)
    }
    let to = keep(try map(layer.output))
    views[layer.output] = TensorView(map: to)
    items.append(
      Item(reads: [input] + [scale, more].compactMap { $0 }, writes: to) { planner in
        let source = ScaleAndResidual(
          input: planner[input], scale: scale.map { planner[$0] }, more: more.map { planner[$0] })
        return GlobalAverageStep(source: source, output: planner[to], activation: activation)
      })
  }
}
