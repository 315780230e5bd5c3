/// Reads the constants of a model, and folds the operators that unpack them.
///
/// Weights are float32, or float16 with a DEQUANTIZE after them; either may be sparse, with a
/// DENSIFY after it. Each constant is unpacked once.
struct TFLiteConstants {
  private let model: TFLiteModel
  /// For each tensor the operator that computes it.
  private let producers: [Int?]
  private var unpacked: [Int: Constant] = [:]
  private var elements = 0

  init(model: TFLiteModel, producers: [Int?]) {
    self.model = model
    self.producers = producers
  }

  /// Whether a tensor does not depend on the input.
  func isConstant(_ tensor: Int) -> Bool {
    if model.tensors[tensor].isConstant { return true }
    guard let producer = producers[tensor] else { return false }
    return [.dequantize, .densify].contains(model.operators[producer].kind)
  }

  /// The numbers of a constant float tensor.
  mutating func floats(_ tensor: Int) throws(ModelError) -> Constant {
    if let constant = unpacked[tensor] { return constant }
    let shape = model.tensors[tensor].shape
    guard model.tensors[tensor].type == .float32 else {
      throw ModelError("\(model.title(tensor)) is not of type float32")
    }
    var source = tensor
    if let input = try self.unpackedInput(of: tensor, through: .dequantize) {
      source = input
      guard model.tensors[source].type == .float16 else {
        throw ModelError("\(model.title(source)) is unpacked by DEQUANTIZE but is not float16")
      }
    }
    let isHalf = source != tensor
    if let input = try self.unpackedInput(of: source, through: .densify) {
      guard model.tensors[input].type == model.tensors[source].type else {
        throw ModelError("\(model.title(input)) changes its type in DENSIFY")
      }
      source = input
    }
    guard model.tensors[source].isConstant else {
      throw ModelError("\(model.title(source)) is unpacked like a constant but has no data")
    }
    guard model.tensors[source].shape == shape else {
      throw ModelError("\(model.title(tensor)) differs in shape from \(model.title(source))")
    }
    let buffer = FloatBuffer(count: try checkedElementCount(tensor, shape))
    try unpack(source, isHalf: isHalf, into: FloatView(buffer))
    let constant = Constant(shape: shape, buffer: buffer)
    unpacked[tensor] = constant
    return constant
  }

  /// The numbers of a constant int32 tensor of at most 64 elements: shapes, sizes, axes.
  func integers(_ tensor: Int) throws(ModelError) -> [Int] {
    let value = model.tensors[tensor]
    guard value.type == .int32, value.isConstant, value.sparsity == nil else {
      throw ModelError("\(model.title(tensor)) is not a constant of type int32")
    }
    guard let count = Limits.elementCount(of: value.shape, limit: 64), value.data.count == count * 4
    else {
      throw ModelError(
        "\(model.title(tensor)) of shape \(value.shape) has \(value.data.count) bytes")
    }
    return model.file.integers(.signed32, at: value.data.lowerBound, count: count)
  }

  /// The input of the operator that unpacks `tensor`; nil where none does.
  private func unpackedInput(of tensor: Int, through unpacking: OperatorKind) throws(ModelError)
    -> Int?
  {
    guard !model.tensors[tensor].isConstant, let producer = producers[tensor],
      model.operators[producer].kind == unpacking
    else { return nil }
    let op = model.operators[producer]
    guard op.inputs.count == 1, op.inputs[0] >= 0 else {
      throw ModelError("operator \(producer) (\(op.title)) does not have one input")
    }
    return op.inputs[0]
  }

  /// Checks a new constant against the limits; returns its number of elements.
  private mutating func checkedElementCount(_ tensor: Int, _ shape: [Int]) throws(ModelError) -> Int
  {
    guard let count = Limits.elementCount(of: shape, limit: Limits.constantElements) else {
      throw ModelError("\(model.title(tensor)): a constant of shape \(shape) is not supported")
    }
    elements += count
    guard elements <= Limits.weightElements else {
      throw ModelError("\(model.title(tensor)): the weights take more than 64 MB")
    }
    return count
  }

  /// Writes the numbers of a constant to zeroed memory.
  private func unpack(_ tensor: Int, isHalf: Bool, into values: FloatView) throws(ModelError) {
    let (value, size) = (model.tensors[tensor], isHalf ? 2 : 4)
    let (count, rest) = value.data.count.quotientAndRemainder(dividingBy: size)
    guard rest == 0 else {
      throw ModelError("\(model.title(tensor)) has \(value.data.count) bytes")
    }
    func number(_ index: Int) -> Float {
      model.file.float(at: value.data.lowerBound + index * size, isHalf: isHalf)
    }
    guard let table = value.sparsity else {
      guard count == values.count else {
        throw ModelError(
          "\(model.title(tensor)) of shape \(value.shape) has \(value.data.count) bytes of data")
      }
      for index in 0..<count { values[index] = number(index) }
      return
    }
    do {
      let sparsity = try Sparsity(table, elements: values.count)
      let indices = try sparsity.denseIndices(shape: value.shape, count: count)
      for (stored, index) in indices.enumerated() { values[index] = number(stored) }
    } catch {
      throw ModelError("\(model.title(tensor)): \(error)")
    }
  }
}
