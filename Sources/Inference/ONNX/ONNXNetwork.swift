/// The network of an ONNX model for an input of a chosen size, as checked layers.
///
/// Supported are convolutions (plain and depthwise), ReLU, max pooling, addition, nearest resizing
/// by a whole factor, and, at the outputs, transposition to channels last, reshaping and the
/// sigmoid. Maps of the file are [1, channels, height, width], those of the layers [1, height,
/// width, channels]: a transposition to channels last and a reshape after it change no number's
/// position.
///
/// A sigmoid that computes an output is left out: that output is the logit.
final class ONNXNetwork {
  typealias Node = ONNXModel.Node

  /// A tensor of the file.
  struct Value {
    /// The tensor that holds it among the layers, and the channels of that which it is; nil for
    /// all.
    var tensor: Int
    var channels: Range<Int>?
    /// Its shape in the file.
    var shape: [Int]
    /// Whether its numbers are in the order of the layers: all channels of a pixel together.
    var isChannelsLast = false
    var isLogit = false
  }

  let model: ONNXModel
  let definition: NetworkDefinition
  var constants: ONNXConstants
  private(set) var values: [String: Value] = [:]
  /// The nodes that read each tensor.
  private(set) var readers: [String: [Int]] = [:]
  /// The convolutions that were added with another.
  var joined: Set<Int> = []
  private var tensorCount = 1

  private init(_ model: ONNXModel, height: Int, width: Int) throws(ModelError) {
    self.model = model
    constants = ONNXConstants(model)
    guard model.inputs.count == 1 else {
      throw ModelError("the network has \(model.inputs.count) inputs, not 1")
    }
    guard (1...16).contains(model.outputs.count) else {
      throw ModelError("the network has \(model.outputs.count) outputs")
    }
    for (number, node) in model.nodes.enumerated() {
      for input in node.inputs where !input.isEmpty { readers[input, default: []].append(number) }
    }
    definition = try NetworkDefinition(
      input: 0, shape: [1, height, width, 3], title: { "tensor \($0)" })
    values[model.inputs[0]] = Value(tensor: 0, shape: [1, 3, height, width])
    let needed = neededNodes()
    for (number, node) in model.nodes.enumerated() where needed.contains(number) {
      definition.beginOperator(number, ONNXModel.printable(node.kind))
      do throws(ModelError) {
        try addNode(node, number)
      } catch {
        throw ModelError("node \(number) (\(ONNXModel.printable(node.kind))): \(error)")
      }
    }
    for name in model.outputs { try addOutput(name) }
  }

  /// The layers of `model`; throws where it is inconsistent, unsupported or too large.
  static func definition(
    of model: ONNXModel, height: Int, width: Int
  ) throws(ModelError) -> NetworkDefinition {
    try ONNXNetwork(model, height: height, width: width).definition
  }

  /// The nodes that the outputs depend on; ONNX requires that each node follows those it reads.
  private func neededNodes() -> Set<Int> {
    var (names, nodes) = (Set(model.outputs), Set<Int>())
    for (number, node) in model.nodes.enumerated().reversed()
    where node.outputs.contains(where: names.contains) {
      nodes.insert(number)
      names.formUnion(node.inputs)
    }
    return nodes
  }

  private func addOutput(_ name: String) throws(ModelError) {
    guard let value = values[name], value.tensor != 0 else {
      throw ModelError("output '\(ONNXModel.printable(name))' is not computed")
    }
    guard value.isChannelsLast else {
      throw ModelError(
        "output '\(ONNXModel.printable(name))' has its channels first, not supported")
    }
    let output = definition.addOutput(value.shape)
    definition.addOutputPart(
      .init(tensor: value.tensor, output: output, offset: 0, channels: value.channels))
  }

  // MARK: Values

  /// A new tensor of the layers.
  func newTensor() -> Int {
    defer { tensorCount += 1 }
    return tensorCount
  }

  func define(_ name: String, _ value: Value) throws(ModelError) {
    guard !constants.isConstant(name), values.updateValue(value, forKey: name) == nil else {
      throw ModelError("computes '\(ONNXModel.printable(name))', which exists already")
    }
  }

  /// An input that was computed before.
  func inputValue(_ node: Node, _ number: Int) throws(ModelError) -> Value {
    guard node.inputs.indices.contains(number), let value = values[node.inputs[number]] else {
      throw ModelError("reads an input that no node before it computes")
    }
    return value
  }

  /// The same as a whole map, channels first.
  func mapInput(_ node: Node, _ number: Int) throws(ModelError) -> (tensor: Int, shape: MapShape) {
    let value = try inputValue(node, number)
    guard value.channels == nil, !value.isChannelsLast, !value.isLogit, value.shape.count == 4,
      value.shape[1] <= Limits.channels
    else { throw ModelError("reads a tensor of shape \(value.shape) that is not a map") }
    return (
      value.tensor,
      MapShape(height: value.shape[2], width: value.shape[3], channels: value.shape[1])
    )
  }

  /// The name of the only output.
  func outputName(_ node: Node) throws(ModelError) -> String {
    guard node.outputs.count == 1 else {
      throw ModelError("has \(node.outputs.count) outputs, not 1")
    }
    return node.outputs[0]
  }

  /// Defines the only output as a whole map.
  func define(_ node: Node, tensor: Int, _ shape: MapShape) throws(ModelError) {
    try define(
      outputName(node),
      Value(tensor: tensor, shape: [1, shape.channels, shape.height, shape.width]))
  }
}
