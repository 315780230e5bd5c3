import CXNNPACK

/// Turns a model into an XNNPACK subgraph, checking that every step makes sense first.
///
/// XNNPACK trusts the shapes it is given, so a shape is worked out here from each operator's own
/// rules and compared with what the file says; only operators that an output needs are built.
@safe final class GraphBuilder {
  /// A value of the network that the caller's memory holds: the input, or a piece of an output.
  struct External {
    var id: UInt32
    var tensor: Int
    var buffer: FloatBuffer
    var offset: Int
  }

  typealias Step = TFLiteModel.Operator

  let model: TFLiteModel
  var constants: ModelConstants
  let producers: [Int?]
  private(set) var handle: xnn_subgraph_t?
  private(set) var externals: [External] = []
  private(set) var outputs: [FloatBuffer] = []
  /// Constants that the running network reads.
  private(set) var retained: [FloatBuffer] = []
  /// XNNPACK's numbers of the tensors that have one.
  private var values: [Int: UInt32] = [:]
  private var activationElements = 0
  private var multiplications = 0

  /// Builds the whole network of `model`.
  init(_ model: TFLiteModel) throws(ModelError) {
    try XNNPACK.start()
    self.model = model
    producers = try Self.producers(of: model)
    constants = ModelConstants(model: model, producers: producers)
    try planExternals()
    try XNNPACK.check(
      unsafe xnn_create_subgraph(UInt32(externals.count), 0, &handle), "xnn_create_subgraph")
    try define(model.inputs[0], shape: model.tensors[model.inputs[0]].shape)
    for number in try order() {
      let step = model.operators[number]
      do {
        try build(step)
      } catch {
        throw ModelError("operator \(number) (\(step.title)): \(error)")
      }
    }
  }

  deinit {
    if let handle = unsafe handle { unsafe xnn_delete_subgraph(handle) }
  }

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

  /// Gives the input and the outputs memory, and numbers that XNNPACK knows them by.
  private func planExternals() throws(ModelError) {
    guard model.inputs.count == 1 else {
      throw ModelError("the network has \(model.inputs.count) inputs, not 1")
    }
    guard (1...16).contains(model.outputs.count) else {
      throw ModelError("the network has \(model.outputs.count) outputs")
    }
    let input = model.inputs[0]
    guard !model.tensors[input].isConstant else {
      throw ModelError("\(model.title(input)) is both an input and a constant")
    }
    add(external: input, buffer: FloatBuffer(count: try elements(of: input)), offset: 0)
    for output in model.outputs {
      let buffer = FloatBuffer(count: try elements(of: output))
      outputs.append(buffer)
      var offset = 0
      for piece in try pieces(of: output) {
        guard !externals.contains(where: { $0.tensor == piece }), !constants.isConstant(piece),
          producers[piece] != nil
        else { throw ModelError("\(model.title(piece)) cannot be an output") }
        let count = try elements(of: piece)
        guard count <= buffer.count - offset else {
          throw ModelError("\(model.title(output)) is smaller than its parts")
        }
        add(external: piece, buffer: buffer, offset: offset)
        offset += count
      }
      guard offset == buffer.count else {
        throw ModelError("\(model.title(output)) is larger than its parts")
      }
    }
  }

  private func add(external tensor: Int, buffer: FloatBuffer, offset: Int) {
    externals.append(
      External(id: UInt32(externals.count), tensor: tensor, buffer: buffer, offset: offset))
  }

  /// The tensors that lie one after another in the memory of an output.
  ///
  /// XNNPACK of 2022 has no concatenation. Where one makes an output and joins along the
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
    var stack = externals.dropFirst().reversed().compactMap { producers[$0.tensor] }
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
    guard let count = Ceiling.elements(shape, limit: Ceiling.activationElements), shape[0] == 1,
      model.tensors[tensor].type == .float32
    else {
      throw ModelError("\(model.title(tensor)) of shape \(shape) is not supported")
    }
    return count
  }

  /// Tells XNNPACK of a computed tensor whose shape was worked out to be `shape`.
  @discardableResult
  func define(_ tensor: Int, shape: [Int]) throws(ModelError) -> UInt32 {
    guard model.tensors[tensor].shape == shape else {
      throw ModelError(
        "\(model.title(tensor)) has shape \(model.tensors[tensor].shape), but \(shape) comes out")
    }
    activationElements += try elements(of: tensor)
    guard activationElements <= Ceiling.totalActivationElements else {
      throw ModelError("the network needs too much memory")
    }
    guard values[tensor] == nil else {
      throw ModelError("\(model.title(tensor)) is made twice")
    }
    let external = externals.first { $0.tensor == tensor }
    let flags =
      external.map {
        UInt32($0.id == 0 ? XNN_VALUE_FLAG_EXTERNAL_INPUT : XNN_VALUE_FLAG_EXTERNAL_OUTPUT)
      } ?? 0
    let id = try unsafe define(shape, data: nil, external: external?.id, flags)
    values[tensor] = id
    return id
  }

  /// The same of the one tensor that an operator makes.
  func define(_ step: Step, shape: [Int]) throws(ModelError) -> UInt32 {
    guard step.outputs.count == 1 else {
      throw ModelError("has \(step.outputs.count) outputs, not 1")
    }
    return try define(step.outputs[0], shape: shape)
  }

  /// The same of a map made of an operator's first input, each value of `cells` window positions
  /// over `depth` channels, which is counted as the layer's cost.
  func define(
    _ step: Step, _ result: Map, cells: Int, depth: Int
  ) throws(ModelError) -> (input: UInt32, output: UInt32) {
    let input = try value(step.inputs[0])
    let output = try define(step, shape: result.shape)
    let pixels = result.height * result.width
    let (taps, tapsOverflow) = pixels.multipliedReportingOverflow(by: cells)
    guard !tapsOverflow, taps <= Ceiling.windowCells else {
      throw ModelError("\(pixels) windows of \(cells) cells are too many")
    }
    // Each factor is under 2^23 here, so the product of two fits; the third is checked.
    let (work, overflow) = (pixels * result.channels * cells).multipliedReportingOverflow(by: depth)
    guard !overflow, work <= Ceiling.multiplications - multiplications else {
      throw ModelError("the network needs too many multiplications")
    }
    multiplications += work
    return (input, output)
  }

  /// Tells XNNPACK of a constant and keeps its memory.
  func define(_ constant: Constant) throws(ModelError) -> UInt32 {
    precondition(constant.shape.reduce(1, *) == constant.buffer.count)
    retained.append(constant.buffer)
    return try unsafe define(constant.shape, data: constant.buffer.address(), external: nil, 0)
  }

  @unsafe private func define(
    _ shape: [Int], data: UnsafeRawPointer?, external: UInt32?, _ flags: UInt32
  ) throws(ModelError) -> UInt32 {
    var id: UInt32 = 0
    try XNNPACK.check(
      unsafe xnn_define_tensor_value(
        handle, xnn_datatype_fp32, shape.count, shape, data, external ?? UInt32.max, flags, &id),
      "xnn_define_tensor_value")
    return id
  }

  /// XNNPACK's number of a computed tensor that an operator reads.
  func value(_ tensor: Int) throws(ModelError) -> UInt32 {
    guard let id = values[tensor] else {
      throw ModelError("\(model.title(tensor)) is read, but nothing makes it")
    }
    return id
  }
}
