/// The network of a TFLite model: its operators as checked layers, in the order of execution.
///
/// The shape of each result is computed from the operator's own rules, and must equal the file's.
/// Operators that no output needs are left out.
final class TFLiteNetwork {
  typealias Operator = TFLiteModel.Operator

  let model: TFLiteModel
  let definition: NetworkDefinition
  var constants: TFLiteConstants
  let producers: [Int?]

  private init(_ model: TFLiteModel) throws(ModelError) {
    self.model = model
    producers = try Self.producers(of: model)
    constants = TFLiteConstants(model: model, producers: producers)
    guard model.inputs.count == 1 else {
      throw ModelError("the network has \(model.inputs.count) inputs, not 1")
    }
    let input = model.inputs[0]
    guard !model.tensors[input].isConstant else {
      throw ModelError("\(model.title(input)) is both an input and a constant")
    }
    guard (1...16).contains(model.outputs.count) else {
      throw ModelError("the network has \(model.outputs.count) outputs")
    }
    definition = try NetworkDefinition(
      input: input, shape: model.tensors[input].shape, title: model.title)
    _ = try elementCount(of: input)
    try findOutputParts()
    for number in try executionOrder() {
      let op = model.operators[number]
      do {
        definition.beginOperator(number, op.title)
        try addOperator(op)
      } catch {
        throw ModelError("operator \(number) (\(op.title)): \(error)")
      }
    }
  }

  /// The layers of `model`; throws where it is inconsistent, unsupported or too large.
  static func definition(of model: TFLiteModel) throws(ModelError) -> NetworkDefinition {
    try TFLiteNetwork(model).definition
  }

  /// For each tensor the operator that computes it.
  static func producers(of model: TFLiteModel) throws(ModelError) -> [Int?] {
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

  /// Finds the tensors that the outputs consist of.
  private func findOutputParts() throws(ModelError) {
    for output in model.outputs {
      let number = definition.addOutput(model.tensors[output].shape)
      let total = try elementCount(of: output)
      var offset = 0
      for part in try outputParts(of: output) {
        guard part != definition.input,
          !definition.outputParts.contains(where: { $0.tensor == part }),
          !constants.isConstant(part), producers[part] != nil
        else { throw ModelError("\(model.title(part)) cannot be an output") }
        let count = try elementCount(of: part)
        guard count <= total - offset else {
          throw ModelError("\(model.title(output)) is smaller than its parts")
        }
        definition.addOutputPart(.init(tensor: part, output: number, offset: offset))
        offset += count
      }
      guard offset == total else {
        throw ModelError("\(model.title(output)) is larger than its parts")
      }
    }
  }

  /// The tensors that an output consists of, in order.
  ///
  /// A concatenation along the outermost dimension that is not 1 needs no layer: its inputs are
  /// stored one after another in the output.
  private func outputParts(of output: Int) throws(ModelError) -> [Int] {
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
  private func executionOrder() throws(ModelError) -> [Int] {
    enum Mark { case new, open, done }
    var marks = [Mark](repeating: .new, count: model.operators.count)
    var order: [Int] = []
    // Depth first, without recursion: an untrusted file may hold a chain of any length.
    var stack = definition.outputParts.reversed().compactMap { producers[$0.tensor] }
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

  private func elementCount(of tensor: Int) throws(ModelError) -> Int {
    guard model.tensors[tensor].type == .float32 else {
      throw ModelError("\(model.title(tensor)) is not of type float32")
    }
    return try definition.elementCount(tensor, model.tensors[tensor].shape)
  }

  /// Adds the layer of an operator that computes one tensor, of this shape.
  func addLayer(
    _ op: Operator, _ operation: Layer.Operation, _ inputs: [Layer.Input], shape: [Int]
  ) throws(ModelError) {
    try definition.addLayer(operation, inputs, output: checkedOutput(of: op, shape), shape: shape)
  }

  /// Adds the layer of an operator that computes a map of which each number is a sum over windows
  /// of `cells` pixels and over `depth` channels of the operator's first input.
  ///
  /// `shape` is the tensor's, if it has fewer dimensions than the map.
  func addWindowedLayer(
    _ op: Operator, _ operation: Layer.Operation, _ result: MapShape, cells: Int, depth: Int,
    shape: [Int]? = nil
  ) throws(ModelError) {
    let (output, input) = (
      try checkedOutput(of: op, shape ?? result.tensorShape), try computedInput(op.inputs[0])
    )
    try definition.addWindowedLayer(
      operation, [input], output: output, result, cells: cells, depth: depth, shape: shape)
  }

  /// The tensor that an operator computes, whose shape in the file must be `shape`.
  private func checkedOutput(of op: Operator, _ shape: [Int]) throws(ModelError) -> Int {
    guard op.outputs.count == 1 else { throw ModelError("has \(op.outputs.count) outputs, not 1") }
    let output = op.outputs[0]
    guard model.tensors[output].shape == shape else {
      throw ModelError(
        "\(model.title(output)) has shape \(model.tensors[output].shape), but its operator computes \(shape)"
      )
    }
    _ = try elementCount(of: output)
    return output
  }

  /// A computed tensor that an operator reads.
  func computedInput(_ tensor: Int) throws(ModelError) -> Layer.Input {
    try definition.computedInput(tensor)
  }
}
