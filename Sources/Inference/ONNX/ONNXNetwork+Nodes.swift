extension ONNXNetwork {
  /// Adds the layers of one node.
  func addNode(_ node: Node, _ number: Int) throws(ModelError) {
    switch node.kind {
    case "Conv": try addConvolution(node, number)
    case "Relu":
      let input = try mapInput(node, 0)
      try addLayer(node, .relu, [.value(input.tensor)], input.shape)
    case "MaxPool": try addMaxPool(node)
    case "Add":
      let (one, other) = (try mapInput(node, 0), try mapInput(node, 1))
      guard one.shape == other.shape else {
        throw ModelError("has inputs of shapes \(one.shape) and \(other.shape)")
      }
      try addLayer(node, .add(.none), [.value(one.tensor), .value(other.tensor)], one.shape)
    case "Resize": try addResize(node)
    case "Sigmoid":
      var value = try inputValue(node, 0)
      guard model.outputs.contains(try outputName(node)), readers[try outputName(node)] == nil
      else {
        throw ModelError("is supported at an output only")
      }
      value.isLogit = true
      try define(outputName(node), value)
    case "Transpose": try addTranspose(node)
    case "Reshape": try addReshape(node)
    default: throw ModelError("is not supported")
    }
  }

  private func addLayer(
    _ node: Node, _ operation: Layer.Operation, _ inputs: [Layer.Input], _ shape: MapShape
  ) throws(ModelError) {
    let tensor = newTensor()
    try definition.addLayer(operation, inputs, output: tensor, shape: shape.tensorShape)
    try define(node, tensor: tensor, shape)
  }

  // MARK: Attributes

  /// An integer attribute; `standard` where it is absent.
  func integerAttribute(_ node: Node, _ name: String, _ standard: Int) throws(ModelError) -> Int {
    switch node.attributes[name] {
    case nil: return standard
    case .integer(let value): return value
    default: throw ModelError("\(name) is not an integer")
    }
  }

  /// `count` integers of an attribute, each in `range`; `standard` each where it is absent.
  func integerAttributes(
    _ node: Node, _ name: String, _ count: Int, in range: ClosedRange<Int>, _ standard: Int
  ) throws(ModelError) -> [Int] {
    switch node.attributes[name] {
    case nil: return [Int](repeating: standard, count: count)
    case .integers(let list) where list.count == count && list.allSatisfy(range.contains):
      return list
    default: throw ModelError("\(name) does not consist of \(count) integers in \(range)")
    }
  }

  /// Throws unless a text attribute has this value, or is absent where that is its default.
  private func expectAttribute(
    _ node: Node, _ name: String, _ expected: String, isDefault: Bool = false
  ) throws(ModelError) {
    switch node.attributes[name] {
    case nil where isDefault: return
    case .text(expected): return
    default: throw ModelError("\(name) is not \(expected)")
    }
  }

  /// The windows of a convolution or pooling over a map.
  func slidingWindow(
    _ node: Node, _ height: Int, _ width: Int, over map: MapShape
  ) throws(ModelError) -> SlidingWindow {
    try expectAttribute(node, "auto_pad", "NOTSET", isDefault: true)
    guard try integerAttributes(node, "dilations", 2, in: 1...1, 1) == [1, 1] else {
      throw ModelError("has dilations")
    }
    let strides = try integerAttributes(node, "strides", 2, in: 1...1024, 1)
    let pads = try integerAttributes(node, "pads", 4, in: 0...1024, 0)
    guard pads[0] < height, pads[2] < height, pads[1] < width, pads[3] < width,
      height <= map.height + pads[0] + pads[2], width <= map.width + pads[1] + pads[3]
    else { throw ModelError("has windows of \(width) x \(height) and pads \(pads)") }
    var window = SlidingWindow(
      height: height, width: width, strideHeight: strides[0], strideWidth: strides[1])
    window.rows = (map.height + pads[0] + pads[2] - height) / strides[0] + 1
    window.columns = (map.width + pads[1] + pads[3] - width) / strides[1] + 1
    (window.top, window.left, window.bottom, window.right) = (pads[0], pads[1], pads[2], pads[3])
    return window
  }

  // MARK: Maps

  private func addMaxPool(_ node: Node) throws(ModelError) {
    let input = try mapInput(node, 0)
    let size = try integerAttributes(node, "kernel_shape", 2, in: 1...1024, 0)
    let window = try slidingWindow(node, size[0], size[1], over: input.shape)
    guard size[0] * size[1] > 1, !window.hasPadding,
      try integerAttribute(node, "ceil_mode", 0) == 0,
      try integerAttribute(node, "storage_order", 0) == 0
    else { throw ModelError("has options that are not supported") }
    let tensor = newTensor()
    let shape = MapShape(
      height: window.rows, width: window.columns, channels: input.shape.channels)
    try definition.addWindowedLayer(
      .maxPool(window), [.value(input.tensor)], output: tensor, shape, cells: size[0] * size[1],
      depth: 1)
    try define(node, tensor: tensor, shape)
  }

  /// Each pixel becomes a block of equal ones; as older files have it, its inputs are data, an
  /// empty region of interest and a factor for each dimension.
  private func addResize(_ node: Node) throws(ModelError) {
    let input = try mapInput(node, 0)
    try expectAttribute(node, "mode", "nearest", isDefault: true)
    try expectAttribute(node, "coordinate_transformation_mode", "asymmetric")
    try expectAttribute(node, "nearest_mode", "floor")
    guard node.inputs.count == 3 else { throw ModelError("has \(node.inputs.count) inputs, not 3") }
    var constants = constants
    let factors = try constants.floats(node.inputs[2], rank: 1)
    let view = FloatView(factors.buffer)
    guard view.count == 4, view[0] == 1, view[1] == 1, view[2] == view[3],
      let factor = Int(exactly: view[2]), (2...16).contains(factor)
    else { throw ModelError("has factors that are not supported") }
    let tensor = newTensor()
    let shape = MapShape(
      height: input.shape.height * factor, width: input.shape.width * factor,
      channels: input.shape.channels)
    try definition.addWindowedLayer(
      .resize(.nearest), [.value(input.tensor)], output: tensor, shape, cells: 1, depth: 1)
    try define(node, tensor: tensor, shape)
  }

  // MARK: Order of numbers

  private func addTranspose(_ node: Node) throws(ModelError) {
    var value = try inputValue(node, 0)
    guard value.shape.count == 4, !value.isChannelsLast,
      case .integers([0, 2, 3, 1]) = node.attributes["perm"]
    else {
      throw ModelError("is supported from [1, channels, height, width] to channels last only")
    }
    value.shape = [1, value.shape[2], value.shape[3], value.shape[1]]
    value.isChannelsLast = true
    try define(outputName(node), value)
  }

  private func addReshape(_ node: Node) throws(ModelError) {
    var value = try inputValue(node, 0)
    guard value.isChannelsLast, node.inputs.count == 2,
      try integerAttribute(node, "allowzero", 0) == 0
    else { throw ModelError("is supported after a transposition to channels last only") }
    var wanted = try constants.integers(node.inputs[1])
    for (index, size) in wanted.enumerated() where size == 0 && index < value.shape.count {
      wanted[index] = value.shape[index]
    }
    let shape = try Limits.reshape(value.shape, to: wanted)
    guard shape[0] == 1 else { throw ModelError("\(value.shape) cannot become \(shape)") }
    value.shape = shape
    try define(outputName(node), value)
  }
}
