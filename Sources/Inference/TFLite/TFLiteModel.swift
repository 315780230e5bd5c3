package import Files

/// Why a model file was rejected; the text names the part of the file that is wrong.
package struct ModelError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// The structure of a TFLite model file: its tensors and operators.
///
/// Reading checks that the file is well formed: all data lies in the file, and all references name
/// something that exists. `NetworkDefinition` checks the network.
///
/// Slot numbers are those of the TensorFlow Lite schema (schema.fbs, version 3).
package struct TFLiteModel {
  /// A constant of the file, or a value that is computed.
  struct Tensor {
    var shape: [Int]
    /// Nil for a type that is not supported.
    var type: ElementType?
    /// The constant's position in the file; empty for a computed tensor.
    var data: Range<Int>
    var name: Range<Int>
    /// The encoding of a sparse constant, which is read later.
    var sparsity: FlatTable?

    var isConstant: Bool { !data.isEmpty }
  }

  /// An operator; its `inputs` are -1 where an optional one is absent.
  struct Operator {
    var kind: OperatorKind
    /// Its name in the TFLite schema.
    var title: String
    var inputs: [Int]
    var outputs: [Int]

    /// The tensors that it reads; throws unless there are `count`.
    func inputs(_ count: Int) throws(ModelError) -> [Int] {
      guard inputs.count == count, inputs.allSatisfy({ $0 >= 0 }) else {
        throw ModelError("has inputs \(inputs), not \(count) of them")
      }
      return inputs
    }
  }

  /// The supported types, by their numbers in the schema's TensorType.
  enum ElementType: Int8 { case float32, float16, int32 }

  /// The model's name in error messages: the path of its file, if it has one.
  package let name: String
  let file: ByteReader
  let tensors: [Tensor]
  let operators: [Operator]
  let inputs: [Int]
  let outputs: [Int]

  /// More tensors or operators than any network that runs in real time has.
  private static let itemLimit = 16_384

  /// Reads the structure of a model.
  package init(bytes: [UInt8], name: String = "model") throws(ModelError) {
    self.name = name
    file = ByteReader(bytes: bytes)
    guard file.integer(UInt32.self, at: 4) == 0x334c_4654 else {
      throw ModelError("not a TFLite model: the identifier \"TFL3\" is missing at byte 4")
    }
    let model = try FlatTable(rootOf: file, kind: "model")
    let version = try model.scalar(0, "version", default: UInt32(0))
    guard version == 3 else { throw model.error("version", "is \(version), not 3") }

    let buffers = try Self.readBuffers(of: model)
    let codes = try Self.readOperatorCodes(of: model)
    let graphs = try model.tables(2, "subgraphs", kind: "subgraph", limit: Self.itemLimit)
    guard let graph = graphs.first else { throw model.error("subgraphs", "is empty") }

    let tables = try graph.tables(0, "tensors", kind: "tensor", limit: Self.itemLimit)
    let tensors = try tables.map { (table) throws(ModelError) in
      try Self.readTensor(table, buffers: buffers)
    }
    self.tensors = tensors

    func tensorIndices(
      _ table: FlatTable, _ slot: Int, _ field: StaticString, absentAllowed: Bool = false
    ) throws(ModelError) -> [Int] {
      let list = try table.integers(slot, field, limit: 64) ?? []
      for tensor in list where !tensors.indices.contains(tensor) {
        if absentAllowed && tensor == -1 { continue }
        throw table.error(field, "names tensor \(tensor), but there are \(tensors.count)")
      }
      return list
    }

    inputs = try tensorIndices(graph, 1, "inputs")
    outputs = try tensorIndices(graph, 2, "outputs")
    let operatorTables = try graph.tables(3, "operators", kind: "operator", limit: Self.itemLimit)
    operators = try operatorTables.map { (table) throws(ModelError) in
      let code = try table.scalar(0, "opcode_index", default: UInt32(0))
      guard codes.indices.contains(Int(code)) else {
        throw table.error("opcode_index", "is \(code), but there are \(codes.count) codes")
      }
      return Operator(
        kind: try OperatorKind(table, code: codes[Int(code)]), title: codes[Int(code)].title,
        inputs: try tensorIndices(table, 1, "inputs", absentAllowed: true),
        outputs: try tensorIndices(table, 2, "outputs"))
    }
  }

  /// Reads a model file; errors begin with its path.
  package init(path: FilePath) throws(ModelError) {
    self = try readModel(path) { (bytes) throws(ModelError) in
      try Self(bytes: bytes, name: path.description)
    }
  }

  private static func readBuffers(of model: FlatTable) throws(ModelError) -> [Range<Int>] {
    let tables = try model.tables(4, "buffers", kind: "buffer", limit: itemLimit)
    return try tables.map { (table) throws(ModelError) in
      guard try table.scalar(1, "offset", default: UInt64(0)) <= 1 else {
        throw table.error("offset", "says that the data lies outside the model, not supported")
      }
      return try table.bytes(0, "data")
    }
  }

  private static func readOperatorCodes(of model: FlatTable) throws(ModelError) -> [OperatorCode] {
    let tables = try model.tables(1, "operator_codes", kind: "operator code", limit: 1024)
    return try tables.map { (table) throws(ModelError) in
      // Older files have only the 8-bit code, newer ones both; the larger one is valid.
      let old = try table.scalar(0, "deprecated_builtin_code", default: Int8(0))
      let new = try table.scalar(3, "builtin_code", default: Int32(0))
      let custom = try table.bytes(1, "custom_code")
      return OperatorCode(
        builtin: max(Int(old), Int(new)), custom: table.file.printableText(custom))
    }
  }

  private static func readTensor(
    _ table: FlatTable, buffers: [Range<Int>]
  ) throws(ModelError) -> Tensor {
    let shape = try table.integers(0, "shape", limit: 8) ?? []
    guard shape.allSatisfy({ $0 >= 0 }) else { throw table.error("shape", "is \(shape)") }
    let buffer = try table.scalar(2, "buffer", default: UInt32(0))
    guard buffers.indices.contains(Int(buffer)) else {
      throw table.error("buffer", "is \(buffer), but there are \(buffers.count)")
    }
    return Tensor(
      shape: shape,
      type: ElementType(rawValue: try table.scalar(1, "type", default: 0)),
      data: buffers[Int(buffer)],
      name: try table.bytes(3, "name"),
      sparsity: try table.table(6, "sparsity", kind: "sparsity of tensor"))
  }

  /// A tensor's name in error messages.
  func title(_ tensor: Int) -> String {
    "tensor \(tensor) '\(file.printableText(tensors[tensor].name))'"
  }
}
