/// Turns layers into steps: activations, residuals, depthwise and pointwise convolutions are fused,
/// padding becomes the halo of a map, and maps that are no longer needed give their memory to
/// others.
final class EnginePlanner {
  let network: NetworkDefinition
  var shapes: [MapShape] = []
  /// The halo that windows need of each map, and pairs of maps that must have the same layout.
  var halos: [Int: Halo] = [:]
  var sameLayouts: [(Int, Int)] = []
  /// Tensors that are maps, and those whose step is not emitted yet.
  var views: [Int: TensorView] = [:]
  var pending: [Int: PlannedStep] = [:]
  /// How many layers and outputs read each tensor.
  private(set) var readers: [Int: Int] = [:]
  private(set) var planned: [PlannedStep] = []
  private(set) var outputs: [Range<Int>] = []
  var layouts: [MapLayout] = []
  /// The numbers of all maps together.
  var floatCount = 16

  /// Larger sizes are not those of networks that run in real time.
  static let (maximumSide, maximumChannels, maximumKernel) = (4096, 2048, 9)
  static let maximumFloats = 16 << 20

  init(_ network: NetworkDefinition) throws(ModelError) {
    self.network = network
    for layer in network.layers {
      for case .value(let tensor) in layer.inputs { readers[tensor, default: 0] += 1 }
    }
    // An output must be a map of its own: it counts as two readers, so that nothing is fused into
    // it.
    for part in network.outputParts { readers[part.tensor, default: 0] += 2 }
    views[network.input] = TensorView(map: addMap(try shape(of: network.input)))
    guard !isVector(0) else { throw .unsupported("an input of one pixel") }
    for layer in network.layers {
      do throws(ModelError) {
        try addLayer(layer)
      } catch {
        throw layer.addingLocation(to: error)
      }
    }
    try addOutputs()
    try assignMemory()
  }

  /// For each step a bit mask of the outputs that depend on it.
  var dependentOutputs: [UInt32] {
    var maps = [UInt32](repeating: 0, count: shapes.count)
    let steps = planned.reversed().map { step in
      var need = step.result.map { maps[$0] } ?? 0
      if case .output(let number, _, _) = step.source { need = 1 << UInt32(number) }
      for map in step.reads { maps[map] |= need }
      return need
    }
    return steps.reversed()
  }

  subscript(_ map: Int) -> MapLayout { layouts[map] }

  /// The tensor's shape as a map's; [1, channels] is one pixel.
  func shape(of tensor: Int) throws(ModelError) -> MapShape {
    var shape = network.shapes[tensor] ?? []
    if shape.count == 2 { shape.insert(contentsOf: [1, 1], at: 1) }
    guard shape.count == 4, shape[0] == 1, shape[1] <= Self.maximumSide,
      shape[2] <= Self.maximumSide, shape[3] <= Self.maximumChannels
    else { throw .unsupported("a tensor of shape \(network.shapes[tensor] ?? [])") }
    return MapShape(height: shape[1], width: shape[2], channels: shape[3])
  }

  private func addMap(_ shape: MapShape) -> Int {
    shapes.append(shape)
    return shapes.count - 1
  }

  func isVector(_ map: Int) -> Bool { shapes[map].isPixel }

  func isReadOnce(_ tensor: Int) -> Bool { readers[tensor] == 1 }

  /// The tensor as a map; emits the step that makes it, if that is still pending.
  func view(of tensor: Int) throws(ModelError) -> TensorView {
    if let step = pending.removeValue(forKey: tensor) {
      views[tensor] = TensorView(map: emit(step), block: step.block)
    }
    guard let view = views[tensor] else { throw .unsupported("this input") }
    return view
  }

  /// The map of a tensor that has more than one pixel and is not padded or laid out otherwise.
  func plainMap(of tensor: Int) throws(ModelError) -> Int {
    let view = try view(of: tensor)
    guard view.isPlain, !isVector(view.map) else { throw .unsupportedLayout }
    return view.map
  }

  /// Adds a step to the plan; returns the map that it writes.
  func emit(_ step: PlannedStep) -> Int {
    var step = step
    let result = addMap(step.shape)
    step.result = result
    // One traversal goes through both.
    if let other = step.residual, step.addsAfterActivation { sameLayouts.append((result, other)) }
    planned.append(step)
    return result
  }

  /// Adds the steps that store the network's outputs in the model's layout.
  private func addOutputs() throws(ModelError) {
    for shape in network.outputShapes {
      let size = shape.reduce(1, *)
      outputs.append(floatCount..<floatCount + size)
      floatCount += (size + 15) / 16 * 16 + 16
    }
    for part in network.outputParts {
      let view = try view(of: part.tensor)
      guard view.isUnpadded else { throw .unsupported("an output that is padded") }
      let start = outputs[part.output].lowerBound + part.offset
      let source = PlannedStep.Source.output(
        part.output, start: start, channels: part.channels)
      let shape = shapes[view.map]
      planned.append(PlannedStep(source: source, input: view.map, shape: shape, block: view.block))
    }
  }
}

extension ModelError {
  static func unsupported(_ what: String) -> ModelError {
    ModelError("the engine does not support \(what)")
  }

  static var unsupportedLayout: ModelError {
    .unsupported("an input that is padded or of another layout")
  }
}
