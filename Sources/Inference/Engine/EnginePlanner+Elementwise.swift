/// Layers that treat each number, or each channel, by itself.
extension EnginePlanner {
  /// Applies an activation: in the step that computes its input, if that is possible.
  func addActivation(_ layer: Layer, _ activation: Activation) throws(ModelError) {
    let isPReLU = activation.function == .prelu
    if var step = pending[layer.input], isReadOnce(layer.input), step.activation.isIdentity,
      !step.addsAfterActivation, !isPReLU || step.block == (1, 1) && !step.shape.isPixel
    {
      step.activation = activation
      (pending[layer.input], pending[layer.output]) = (nil, step)
      return
    }
    let view = try view(of: layer.input)
    guard view.isUnpadded, !view.isReshaped, !isPReLU || view.isPlain && !isVector(view.map) else {
      throw .unsupportedLayout
    }
    pending[layer.output] = PlannedStep(
      source: .map, input: view.map, shape: shapes[view.map], activation: activation,
      block: view.block)
  }

  /// The tensors that a layer reads, and its constant as a number for each channel.
  private func operands(
    _ layer: Layer, _ channels: Int
  ) throws(ModelError) -> (tensors: [Int], constant: FloatBuffer?) {
    var (tensors, buffer): ([Int], FloatBuffer?) = ([], nil)
    for input in layer.inputs {
      switch input {
      case .value(let tensor): tensors.append(tensor)
      case .constant(let constant):
        let (from, to) = (FloatView(constant.buffer), FloatBuffer(count: channels))
        guard from.count == 1 || from.count == channels && constant.shape.last == channels else {
          throw .unsupported("a constant of shape \(constant.shape)")
        }
        for index in 0..<channels { FloatView(to)[index] = from[from.count == 1 ? 0 : index] }
        buffer = to
      }
    }
    return (tensors, buffer)
  }

  /// Adds two operands, of which one may be constant.
  func addSum(_ layer: Layer, _ activation: Activation) throws(ModelError) {
    let shape = try shape(of: layer.output)
    let (tensors, constant) = try operands(layer, shape.channels)
    if tensors.count == 2, try fuseAddition(layer, tensors, shape, activation) { return }
    var views: [TensorView] = []
    for tensor in tensors { views.append(try view(of: tensor)) }
    // The operand that is as large as the result comes first.
    guard let main = views.firstIndex(where: { shapes[$0.map] == shape && $0.isPlain }),
      !isVector(views[main].map)
    else { throw .unsupported("operands of these shapes") }
    var step = PlannedStep(
      source: .map, input: views.remove(at: main).map, bias: constant, shape: shape,
      activation: activation)
    if let other = views.first {
      let own = shapes[other.map]
      guard other.hasOwnSize, other.hasOwnLayout, own.channels + other.channels == shape.channels,
        (own.height, own.width) == (shape.height, shape.width)
      else { throw .unsupported("operands of these shapes") }
      (step.source, step.residual) = (.scaled, other.map)
    }
    pending[layer.output] = step
  }

  /// Makes one operand the residual of the step that computes the other, if that is possible.
  private func fuseAddition(
    _ layer: Layer, _ tensors: [Int], _ shape: MapShape, _ activation: Activation
  ) throws(ModelError) -> Bool {
    // The later operand is tried first: other layers are more likely to read the earlier one.
    for (own, other) in [(tensors[1], tensors[0]), (tensors[0], tensors[1])] where own != other {
      guard var step = pending[own], isReadOnce(own), step.residual == nil, step.shape == shape,
        step.block == (1, 1), !step.shape.isPixel,
        step.activation.isIdentity || activation.isIdentity,
        network.shapes[other] == shape.tensorShape
      else { continue }
      let view = try view(of: other)
      guard view.hasOwnSize, view.hasOwnLayout, step.activation.isIdentity || view.channels == 0
      else { throw .unsupportedLayout }
      step.residual = view.map
      step.addsAfterActivation = !step.activation.isIdentity
      if !activation.isIdentity { step.activation = activation }
      (pending[own], pending[layer.output]) = (nil, step)
      return true
    }
    return false
  }

  /// Multiplies each channel by a factor, computed or constant.
  func addProduct(_ layer: Layer, _ activation: Activation) throws(ModelError) {
    let shape = try shape(of: layer.output)
    let (tensors, constant) = try operands(layer, shape.channels)
    var maps: [Int] = []
    for tensor in tensors {
      let view = try view(of: tensor)
      guard view.isPlain else { throw .unsupportedLayout }
      maps.append(view.map)
    }
    guard let main = maps.firstIndex(where: { shapes[$0] == shape && !isVector($0) }) else {
      throw .unsupported("operands of these shapes")
    }
    var step = PlannedStep(
      source: .map, input: maps.remove(at: main), shape: shape, activation: activation)
    if let scale = maps.first {
      guard isVector(scale), shapes[scale].channels == shape.channels else {
        throw .unsupported("operands of these shapes")
      }
      (step.source, step.scale) = (.scaled, scale)
    } else if let constant {
      // A depthwise convolution with windows of one pixel.
      let zeros = FloatBuffer(count: shape.channels)
      step.source = .depthwise
      step.depthwise = ConvolutionParameters(
        window: SlidingWindow(rows: shape.height, columns: shape.width),
        weights: Constant(shape: [1, 1, 1, shape.channels], buffer: constant),
        bias: Constant(shape: [shape.channels], buffer: zeros))
    }
    pending[layer.output] = step
  }

  /// Averages over the whole map; a scaled input with a residual need not be stored for that.
  func addGlobalAverage(_ layer: Layer, _ limits: FusedActivation) throws(ModelError) {
    let source = PlannedStep.Source.globalAverage(limits)
    let shape = try shape(of: layer.output)
    var step: PlannedStep
    if let scaled = pending[layer.input], isReadOnce(layer.input), scaled.activation.isIdentity,
      scaled.bias == nil, scaled.source == .scaled, scaled.filter == nil,
      scaled.residual.map({ shapes[$0].channels == scaled.shape.channels }) ?? true
    {
      step = PlannedStep(source: source, input: scaled.input, scale: scaled.scale, shape: shape)
      step.scaledResidual = scaled.residual
      pending[layer.input] = nil
    } else {
      step = PlannedStep(source: source, input: try plainMap(of: layer.input), shape: shape)
    }
    views[layer.output] = TensorView(map: emit(step))
  }
}
