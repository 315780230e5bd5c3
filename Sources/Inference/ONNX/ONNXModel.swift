package import Files

/// The structure of an ONNX model file: its nodes and constants.
///
/// Reading checks that the file is well formed; `ONNXNetwork` checks the network. Field numbers are
/// those of onnx.proto (ONNX 1.16, IR version 3 to 10). External data, functions, subgraphs and
/// training information are not read.
package struct ONNXModel {
  /// A constant tensor.
  struct Initializer {
    var shape: [Int] = []
    var typeCode = 0
    /// Its numbers in the file, little-endian.
    var data = 0..<0

    /// Nil for a type that is not supported.
    var type: ElementType? { ElementType(rawValue: typeCode) }
  }

  /// The supported types, by their numbers in TensorProto.DataType.
  enum ElementType: Int {
    case float32 = 1
    case int64 = 7
  }

  enum Attribute {
    case integer(Int)
    case integers([Int])
    case text(String)
    case other
  }

  /// An operator; optional inputs that are absent have empty names.
  struct Node {
    var kind = ""
    var inputs: [String] = []
    var outputs: [String] = []
    var attributes: [String: Attribute] = [:]
  }

  /// The model's name in error messages: the path of its file, if it has one.
  package let name: String
  let file: ByteReader
  let nodes: [Node]
  let initializers: [String: Initializer]
  /// The names of the inputs that are not constants, and of the outputs.
  let inputs: [String]
  package let outputs: [String]

  /// More nodes or constants than any network that runs in real time has.
  private static let itemLimit = 16_384

  /// Reads the structure of a model.
  package init(bytes: [UInt8], name: String = "model") throws(ModelError) {
    self.name = name
    file = ByteReader(bytes: bytes)
    let model = ProtobufMessage(file: file, range: 0..<bytes.count, name: "the model")
    var graph: ProtobufMessage?
    for field in try model.fields() where field.number == 7 {
      guard graph == nil else { throw model.error("has two graphs") }
      graph = try model.message(field.value, "the graph")
    }
    guard let graph else { throw ModelError("not an ONNX model: it has no graph") }
    var nodes: [Node] = []
    var initializers: [String: Initializer] = [:]
    var (inputs, outputs) = ([String](), [String]())
    for field in try graph.fields() {
      switch field.number {
      case 1: nodes.append(try Self.readNode(graph.message(field.value, "a node")))
      case 5:
        let (name, tensor) = try Self.readInitializer(graph.message(field.value, "an initializer"))
        guard initializers.updateValue(tensor, forKey: name) == nil else {
          throw graph.error("has two initializers '\(Self.printable(name))'")
        }
      case 11: inputs.append(try Self.readValueName(graph.message(field.value, "an input")))
      case 12: outputs.append(try Self.readValueName(graph.message(field.value, "an output")))
      default: break
      }
      guard nodes.count <= Self.itemLimit, initializers.count <= Self.itemLimit,
        inputs.count <= Self.itemLimit, outputs.count <= 64
      else { throw graph.error("has too many items") }
    }
    (self.nodes, self.initializers, self.outputs) = (nodes, initializers, outputs)
    // Up to IR version 3 constants are inputs too.
    self.inputs = inputs.filter { initializers[$0] == nil }
  }

  /// Reads a model file; errors begin with its path.
  package init(path: FilePath) throws(ModelError) {
    self = try readModel(path) { (bytes) throws(ModelError) in
      try Self(bytes: bytes, name: path.description)
    }
  }

  private static func readNode(_ message: ProtobufMessage) throws(ModelError) -> Node {
    var node = Node()
    for field in try message.fields() {
      switch field.number {
      case 1: node.inputs.append(try message.text(field.value, "input"))
      case 2: node.outputs.append(try message.text(field.value, "output"))
      case 4: node.kind = try message.text(field.value, "op_type")
      case 5:
        let (name, attribute) = try Self.readAttribute(message.message(field.value, "an attribute"))
        node.attributes[name] = attribute
      default: break
      }
      guard node.inputs.count <= 64, node.outputs.count <= 64, node.attributes.count <= 64 else {
        throw message.error("has too many inputs, outputs or attributes")
      }
    }
    return node
  }

  private static func readAttribute(
    _ message: ProtobufMessage
  ) throws(ModelError) -> (name: String, Attribute) {
    var (name, value) = ("", Attribute.other)
    var list: [Int] = []
    for field in try message.fields() {
      switch field.number {
      case 1: name = try message.text(field.value, "name")
      case 3: value = .integer(try message.integer(field.value, "i"))
      case 4: value = .text(try message.text(field.value, "s"))
      case 8:
        list += try message.integers(field.value, "ints", limit: 64)
        guard list.count <= 64 else { throw message.error("has more than 64 numbers") }
        value = .integers(list)
      default: break
      }
    }
    return (name, value)
  }

  private static func readInitializer(
    _ message: ProtobufMessage
  ) throws(ModelError) -> (name: String, Initializer) {
    var (name, tensor) = ("", Initializer())
    for field in try message.fields() {
      switch field.number {
      case 1: tensor.shape += try message.integers(field.value, "dims", limit: 8)
      case 2: tensor.typeCode = try message.integer(field.value, "data_type")
      case 8: name = try message.text(field.value, "name")
      case 9: tensor.data = try message.bytes(field.value, "raw_data")
      default: break
      }
      guard tensor.shape.count <= 8 else { throw message.error("has more than 8 dimensions") }
    }
    return (name, tensor)
  }

  private static func readValueName(_ message: ProtobufMessage) throws(ModelError) -> String {
    for field in try message.fields() where field.number == 1 {
      return try message.text(field.value, "name")
    }
    throw message.error("has no name")
  }

  /// A name for error messages: its first 64 bytes, with question marks for control characters.
  static func printable(_ name: String) -> String {
    let bytes = Array(name.utf8)
    return ByteReader(bytes: bytes).printableText(0..<bytes.count)
  }
}
