/// Turns a model into layers, checking that every step makes sense.
///
/// Who runs the layers trusts the shapes that are given, so a shape is worked out here from each operator's own
/// rules and compared with what the file says; only operators that an output needs are kept.
package final class NetworkDefinition {
  /// A tensor that lies in an output of the network, from a number on: all of it, or a piece.
  package struct OutputPart {
    package var tensor: Int
    package var output: Int
    package var offset: Int
  }

  typealias Step = TFLiteModel.Operator

  let model: TFLiteModel
  var constants: ModelConstants
  let producers: [Int?]
  /// The steps, each after those whose results it uses.
  package private(set) var layers: [Layer] = []
  package private(set) var outputParts: [OutputPart] = []
  /// The shapes of the tensors that were made so far.
  package private(set) var shapes: [Int: [Int]] = [:]
  /// The operator that is being read.
  private var current = (number: 0, title: "")
  private var activationElements = 0
  private var multiplications = 0

  /// Builds the whole network of `model`.
  init(_ model: TFLiteModel) throws(ModelError) {
    self.model = model
    producers = try Self.producers(of: model)
    constants = ModelConstants(model: model, producers: producers)
    try planOutputs()
    try define(model.inputs[0], shape: model.tensors[model.inputs[0]].shape)
    for number in try order() {
      let step = model.operators[number]
      current = (number, step.title)
      do {
        try build(step)
      } catch {
        throw ModelError("operator \(number) (\(step.title)): \(error)")
      }
    }
  }

  /// The network's one input.
  package var input: Int { model.inputs[0] }
  /// Its dimensions.
  package var inputShape: [Int] { model.tensors[input].shape }
  /// The dimensions of the outputs, in the order of the model file.
  package var outputShapes: [[Int]] { model.outputs.map { model.tensors[$0].shape } }

  /// For every tensor the one operator that makes it.
  private static func producers(of model: TFLiteModel) throws(ModelError) -> [Int?] {
    var producers = [Int?](repeating: nil, count: model.tensors.count)
    for (number, step) in model.operators.enumerated() {
      for output in step.outputs {
        guard producers[output] == nil, !model.tensors[output].isConstant,
          !model.inputs.contains(output)
        else {
          throw ModelError("operator \(number) makes \(model.title(output)), which exists already")
        }
        producers[output] = number
      }
    }
    return producers
  }

  // MARK: Inputs and outputs

  /// Checks the input, and finds which tensors the outputs are made of.
  private func planOutputs() throws(ModelError) {
    guard model.inputs.count == 1 else {
      throw ModelError("the network has \(model.inputs.count) inputs, not 1")
    }
    guard (1...16).contains(model.outputs.count) else {
      throw ModelError("the network has \(model.outputs.count) outputs")
    }
    guard !model.tensors[input].isConstant else {
      throw ModelError("\(model.title(input)) is both an input and a constant")
    }
    _ = try elements(of: input)
    for (number, output) in model.outputs.enumerated() {
      let total = try elements(of: output)
      var offset = 0
      for piece in try pieces(of: output) {
        guard piece != input, !outputParts.contains(where: { $0.tensor == piece }),
          !constants.isConstant(piece), producers[piece] != nil
        else { throw ModelError("\(model.title(piece)) cannot be an output") }
        let count = try elements(of: piece)
        guard count <= total - offset else {
          throw ModelError("\(model.title(output)) is smaller than its parts")
        }
        outputParts.append(OutputPart(tensor: piece, output: number, offset: offset))
        offset += count
      }
      guard offset == total else {
        throw ModelError("\(model.title(output)) is larger than its parts")
      }
    }
  }

  /// The tensors that lie one after another in the memory of an output.
  ///
  /// Where a concatenation makes an output and joins along the
  /// outermost dimension that is not 1, its inputs side by side in one memory are its result.
  private func pieces(of output: Int) throws(ModelError) -> [Int] {
    guard let producer = producers[output] else { return [output] }
    let step = model.operators[producer]
    guard case .concatenation(let axis) = step.kind else { return [output] }
    func problem(_ text: String) -> ModelError {
      ModelError("operator \(producer) (CONCATENATION): \(text)")
    }
    let shape = model.tensors[output].shape
    let position = axis < 0 ? axis + shape.count : axis
    guard shape.indices.contains(position), shape.prefix(position).allSatisfy({ $0 == 1 }) else {
      throw problem("axis \(axis) is not supported")
    }
    var length = 0
    for input in step.inputs {
      guard input >= 0, model.tensors[input].shape.count == shape.count else {
        throw problem("inputs do not fit")
      }
      let own = model.tensors[input].shape
      var expected = shape
      expected[position] = own[position]
      guard own == expected else {
        throw problem("\(model.title(input)) has shape \(own), the output \(shape)")
      }
      length += own[position]
    }
    guard length == shape[position] else {
      throw problem(
        "the inputs have \(length) along axis \(axis), the output \(shape[position])")
    }
    return step.inputs
  }

  // MARK: Order

  /// The operators that the outputs need, each after those whose results it uses.
  private func order() throws(ModelError) -> [Int] {
    enum Mark { case new, open, done }
    var marks = [Mark](repeating: .new, count: model.operators.count)
    var order: [Int] = []
    // Depth first, with a stack of our own: a hostile file may be a chain of any length.
    var stack = outputParts.reversed().compactMap { producers[$0.tensor] }
    while let number = stack.last {
      switch marks[number] {
      case .done: stack.removeLast()
      case .open:
        marks[number] = .done
        order.append(number)
        stack.removeLast()
      case .new:
        marks[number] = .open
        for input in model.operators[number].inputs.reversed() where input >= 0 {
          guard !constants.isConstant(input), let producer = producers[input] else { continue }
          guard marks[producer] != .open else {
            throw ModelError("operators \(producer) and \(number) need each other's results")
          }
          if marks[producer] == .new { stack.append(producer) }
        }
      }
    }
    // The file's own order is the better one for the caches wherever it is possible.
    return isOrdered(order.sorted()) ? order.sorted() : order
  }

  private func isOrdered(_ order: [Int]) -> Bool {
    order.allSatisfy { number in
      model.operators[number].inputs.allSatisfy { input in
        input < 0 || constants.isConstant(input) || (producers[input] ?? -1) < number
      }
    }
  }

  // MARK: Values

  private func elements(of tensor: Int) throws(ModelError) -> Int {
    let shape = model.tensors[tensor].shape
    guard let count = Limits.elements(shape, limit: Limits.activationElements), shape[0] == 1,
      model.tensors[tensor].type == .float32
    else {
      throw ModelError("\(model.title(tensor)) of shape \(shape) is not supported")
    }
    return count
  }

  /// Notes that a tensor is made, whose shape was worked out to be `shape`.
  private func define(_ tensor: Int, shape: [Int]) throws(ModelError) {
    guard model.tensors[tensor].shape == shape else {
      throw ModelError(
        "\(model.title(tensor)) has shape \(model.tensors[tensor].shape), but \(shape) comes out")
    }
    activationElements += try elements(of: tensor)
    guard activationElements <= Limits.totalActivationElements else {
      throw ModelError("the network needs too much memory")
    }
    guard shapes.updateValue(shape, forKey: tensor) == nil else {
      throw ModelError("\(model.title(tensor)) is made twice")
    }
  }

  /// Adds the layer of an operator that makes one tensor of this shape.
  func add(
    _ step: Step, _ operation: Layer.Operation, _ inputs: [Layer.Input], shape: [Int]
  ) throws(ModelError) {
    guard step.outputs.count == 1 else {
      throw ModelError("has \(step.outputs.count) outputs, not 1")
    }
    try define(step.outputs[0], shape: shape)
    layers.append(
      Layer(
        operation: operation, inputs: inputs, output: step.outputs[0], number: current.number,
        title: current.title))
  }

  /// The same for a map made of an operator's first input, each value of `cells` window positions
  /// over `depth` channels, which is counted as the layer's cost.
  func add(
    _ step: Step, _ operation: Layer.Operation, _ result: MapShape, cells: Int, depth: Int
  ) throws(ModelError) {
    let input = try value(step.inputs[0])
    try add(step, operation, [input], shape: result.shape)
    let pixels = result.height * result.width
    let (taps, tapsOverflow) = pixels.multipliedReportingOverflow(by: cells)
    guard !tapsOverflow, taps <= Limits.windowCells else {
      throw ModelError("\(pixels) windows of \(cells) cells are too many")
    }
    // Each factor is under 2^23 here, so the product of two fits; the third is checked.
    let (work, overflow) = (pixels * result.channels * cells).multipliedReportingOverflow(by: depth)
    guard !overflow, work <= Limits.multiplications - multiplications else {
      throw ModelError("the network needs too many multiplications")
    }
    multiplications += work
  }

  /// A computed tensor that an operator reads.
  func value(_ tensor: Int) throws(ModelError) -> Layer.Input {
    guard shapes[tensor] != nil else {
      throw ModelError("\(model.title(tensor)) is read, but nothing makes it")
    }
    return .value(tensor)
  }
}
