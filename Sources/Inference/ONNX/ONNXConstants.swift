/// Reads the constants of an ONNX model, within the limits of all constants together.
struct ONNXConstants {
  private let model: ONNXModel
  private var elements = 0

  init(_ model: ONNXModel) { self.model = model }

  func isConstant(_ name: String) -> Bool { model.initializers[name] != nil }

  /// The numbers of a float32 constant of `rank` dimensions.
  mutating func floats(_ name: String, rank: Int) throws(ModelError) -> Constant {
    let tensor = try initializer(name, .float32, size: 4, limit: Limits.constantElements)
    guard tensor.shape.count == rank else {
      throw ModelError("constant '\(ONNXModel.printable(name))' has shape \(tensor.shape)")
    }
    let count = tensor.data.count / 4
    elements += count
    guard elements <= Limits.weightElements else {
      throw ModelError("the weights take more than 64 MB")
    }
    let buffer = FloatBuffer(count: count)
    let values = FloatView(buffer)
    for index in 0..<count {
      values[index] = model.file.float(at: tensor.data.lowerBound + 4 * index, isHalf: false)
    }
    return Constant(shape: tensor.shape, buffer: buffer)
  }

  /// The numbers of an int64 constant of one dimension and at most 8 elements.
  func integers(_ name: String) throws(ModelError) -> [Int] {
    let tensor = try initializer(name, .int64, size: 8, limit: 8)
    return (0..<tensor.data.count / 8).compactMap {
      model.file.integer(Int64.self, at: tensor.data.lowerBound + 8 * $0).map { Int($0) }
    }
  }

  private func initializer(
    _ name: String, _ type: ONNXModel.ElementType, size: Int, limit: Int
  ) throws(ModelError) -> ONNXModel.Initializer {
    guard let tensor = model.initializers[name] else {
      throw ModelError("'\(ONNXModel.printable(name))' is not a constant")
    }
    guard tensor.type == type, let count = Limits.elementCount(of: tensor.shape, limit: limit),
      tensor.data.count == count * size
    else {
      throw ModelError(
        "constant '\(ONNXModel.printable(name))' of shape \(tensor.shape) and type \(tensor.typeCode) "
          + "with \(tensor.data.count) bytes is not supported")
    }
    return tensor
  }
}
