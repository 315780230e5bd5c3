/// Writes small ONNX models; the numbers of fields are those of onnx.proto.
package enum ONNXBytes {
  /// An operator that reads the result of the one before it, or the network's input.
  package struct Node {
    package var kind: String
    /// Its further inputs: constants, or results of operators by their names, "t0" for the first.
    package var inputs: [Input] = []
    package var attributes: [String: ProtobufBytes.Value] = [:]

    package init(
      _ kind: String, _ inputs: [Input] = [], _ attributes: [String: ProtobufBytes.Value] = [:]
    ) {
      (self.kind, self.inputs, self.attributes) = (kind, inputs, attributes)
    }
  }

  package enum Input {
    case name(String)
    case floats([Int], [Float])
    case integers([Int])
  }

  /// A model whose operators form a chain, followed by a transposition to channels last and a reshape to
  /// [1, pixels, `channels`].
  package static func model(_ nodes: [Node], channels: Int) -> [UInt8] {
    let chain =
      nodes + [
        Node("Transpose", [], ["perm": .packed([0, 2, 3, 1])]),
        Node("Reshape", [.integers([1, -1, channels])]),
      ]
    var graph: ProtobufBytes.Fields = []
    for (number, node) in chain.enumerated() {
      var fields: ProtobufBytes.Fields = [(1, .text(number == 0 ? "input" : "t\(number - 1)"))]
      for (place, input) in node.inputs.enumerated() {
        var name = "c\(number).\(place)"
        switch input {
        case .name(let other): name = other
        case .floats(let shape, let values):
          graph.append((5, .message(constant(name, shape, type: 1, values.flatMap(bytes)))))
        case .integers(let values):
          graph.append(
            (5, .message(constant(name, [values.count], type: 7, values.flatMap(bytes)))))
        }
        fields.append((1, .text(name)))
      }
      fields += [(2, .text("t\(number)")), (4, .text(node.kind))]
      for (name, value) in node.attributes.sorted(by: { $0.key < $1.key }) {
        fields.append((5, .message([(1, .text(name)), (field(of: value), value)])))
      }
      graph.append((1, .message(fields)))
    }
    graph.append((11, .message([(1, .text("input"))])))
    graph.append((12, .message([(1, .text("t\(chain.count - 1)"))])))
    return ProtobufBytes.message([(1, .integer(6)), (7, .message(graph))])
  }

  private static func field(of value: ProtobufBytes.Value) -> Int {
    switch value {
    case .integer: 3
    case .packed: 8
    default: 4
    }
  }

  private static func constant(
    _ name: String, _ shape: [Int], type: Int, _ bytes: [UInt8]
  ) -> ProtobufBytes.Fields {
    [(1, .packed(shape)), (2, .integer(type)), (8, .text(name)), (9, .bytes(bytes))]
  }

  private static func bytes(_ value: Float) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
  }

  private static func bytes(_ value: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
