/// The layers of a model, in the order of execution.
///
/// Back ends trust these shapes. Each is therefore computed from the operator's own rules, and must
/// equal the file's. Operators that no output needs are left out.
package final class NetworkDefinition {
  /// A tensor that is an output of the network, or a part of one.
  package struct OutputPart {
    package var tensor, output: Int
    /// The index in the output of the tensor's first number.
    package var offset: Int
  }

  typealias Operator = TFLiteModel.Operator

  let model: TFLiteModel
  var constants: ModelConstants
  let producers: [Int?]
  /// Each layer follows those whose results it reads.
  package private(set) var layers: [Layer] = []
  package private(set) var outputParts: [OutputPart] = []
  /// The shapes of all tensors that are computed.
  package private(set) var shapes: [Int: [Int]] = [:]
  /// The operator whose layer is being added.
  private var current = (number: 0, title: "")
  private var activationElements = 0, multiplications = 0

  init(_ model: TFLiteModel) throws(ModelError) {
    self.model = model
    producers = try Self.producers(of: model)
    constants = ModelConstants(model: model, producers: producers)
    try findOutputParts()
    try define(model.inputs[0], shape: model.tensors[model.inputs[0]].shape)
    for number in try order() {
      let op = model.operators[number]
      current = (number, op.title)
      do {
        try addLayer(op)
      } catch {
        throw ModelError("operator \(number) (\(op.title)): \(error)")
      }
    }
  }

  /// The tensor of the only input.
  package var input: Int { model.inputs[0] }
  package var inputShape: [Int] { model.tensors[input].shape }
  /// In the order of the model file.
  package var outputShapes: [[Int]] { model.outputs.map { model.tensors[$0].shape } }

  /// For each tensor the operator that computes it.
  private static func producers(of model: TFLiteModel) throws(ModelError) -> [Int?] {
    var producers = [Int?](repeating: nil, count: model.tensors.count)
    for (number, op) in model.operators.enumerated() {
      for output in op.outputs {
        guard producers[output] == nil, !model.tensors[output].isConstant,
          !model.inputs.contains(output)
        else {
          throw ModelError(
            "operator \(number) computes \(model.title(output)), which exists already")
        }
        producers[output] = number
      }
    }
    return producers
  }

  // MARK: Inputs and outputs

  /// Checks the input, and finds the tensors that the outputs consist of.
  private func findOutputParts() throws(ModelError) {
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
      for part in try parts(of: output) {
        guard part != input, !outputParts.contains(where: { $0.tensor == part }),
          !constants.isConstant(part), producers[part] != nil
        else { throw ModelError("\(model.title(part)) cannot be an output") }
        let count = try elements(of: part)
        guard count <= total - offset else {
          throw ModelError("\(model.title(output)) is smaller than its parts")
        }
        outputParts.append(OutputPart(tensor: part, output: number, offset: offset))
        offset += count
      }
      guard offset == total else {
        throw ModelError("\(model.title(output)) is larger than its parts")
      }
    }
  }

  /// The tensors that an output consists of, in order.
  ///
  /// A concatenation along the outermost dimension that is not 1 needs no layer: its inputs are stored
  /// one after another in the output.
  private func parts(of output: Int) throws(ModelError) -> [Int] {
    guard let producer = producers[output] else { return [output] }
    let op = model.operators[producer]
    guard case .concatenation(let axis) = op.kind else { return [output] }
    func problem(_ text: String) -> ModelError {
      ModelError("operator \(producer) (CONCATENATION): \(text)")
    }
    let shape = model.tensors[output].shape
    let position = axis < 0 ? axis + shape.count : axis
    guard shape.indices.contains(position), shape.prefix(position).allSatisfy({ $0 == 1 }) else {
      throw problem("axis \(axis) is not supported")
    }
    var length = 0
    for input in op.inputs {
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
      throw problem("the inputs have \(length) along axis \(axis), the output \(shape[position])")
    }
    return op.inputs
  }

  // MARK: Order

  /// The operators that the outputs need, each after those whose results it reads.
  private func order() throws(ModelError) -> [Int] {
    enum Mark { case new, open, done }
    var marks = [Mark](repeating: .new, count: model.operators.count)
    var order: [Int] = []
    // Depth first, without recursion: an untrusted file may hold a chain of any length.
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
    // The file's own order, where it is valid, is better for the caches.
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

  /// Adds a tensor that is computed, whose shape must be `shape`.
  private func define(_ tensor: Int, shape: [Int]) throws(ModelError) {
    guard model.tensors[tensor].shape == shape else {
      throw ModelError(
        "\(model.title(tensor)) has shape \(model.tensors[tensor].shape), but its operator computes \(shape)"
      )
    }
    activationElements += try elements(of: tensor)
    guard activationElements <= Limits.totalActivationElements else {
      throw ModelError("the network needs too much memory")
    }
    guard shapes.updateValue(shape, forKey: tensor) == nil else {
      throw ModelError("\(model.title(tensor)) is computed twice")
    }
  }

  /// Adds the layer of an operator that computes one tensor, of this shape.
  func add(
    _ op: Operator, _ operation: Layer.Operation, _ inputs: [Layer.Input], shape: [Int]
  ) throws(ModelError) {
    guard op.outputs.count == 1 else { throw ModelError("has \(op.outputs.count) outputs, not 1") }
    try define(op.outputs[0], shape: shape)
    layers.append(
      Layer(
        operation: operation, inputs: inputs, output: op.outputs[0], number: current.number,
        title: current.title))
  }

  /// The same for a map of which each number is a sum over windows of `cells` pixels and over `depth`
  /// channels of the operator's first input.
  func add(
    _ op: Operator, _ operation: Layer.Operation, _ result: MapShape, cells: Int, depth: Int
  ) throws(ModelError) {
    let input = try value(op.inputs[0])
    try add(op, operation, [input], shape: result.tensorShape)
    let pixels = result.height * result.width
    let (taps, tapsOverflow) = pixels.multipliedReportingOverflow(by: cells)
    guard !tapsOverflow, taps <= Limits.windowPixels else {
      throw ModelError("\(pixels) windows of \(cells) cells are too many")
    }
    // Pixels times cells, and channels, are below 2^23 here: only the last product can overflow.
    let (work, overflow) = (pixels * result.channels * cells).multipliedReportingOverflow(by: depth)
    guard !overflow, work <= Limits.multiplications - multiplications else {
      throw ModelError("the network needs too many multiplications")
    }
    multiplications += work
  }

  /// A computed tensor that an operator reads.
  func value(_ tensor: Int) throws(ModelError) -> Layer.Input {
    guard shapes[tensor] != nil else {
      throw ModelError("\(model.title(tensor)) is read, but nothing computes it")
    }
    return .value(tensor)
  }
}
