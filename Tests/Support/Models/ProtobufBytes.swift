/// Writes small messages in the protobuf encoding.
package enum ProtobufBytes {
  /// The value of a field.
  package indirect enum Value {
    case integer(Int)
    case bytes([UInt8])
    case text(String)
    /// A repeated field of integers as one value.
    case packed([Int])
    case message([(number: Int, value: Value)])
  }

  package typealias Fields = [(number: Int, value: Value)]

  /// The bytes of a message with these fields, in this order.
  package static func message(_ fields: Fields) -> [UInt8] {
    fields.flatMap { number, value -> [UInt8] in
      switch value {
      case .integer(let integer): varint(number << 3) + varint(integer)
      case .bytes(let bytes): varint(number << 3 | 2) + varint(bytes.count) + bytes
      case .text(let text): message([(number, .bytes(Array(text.utf8)))])
      case .packed(let integers): message([(number, .bytes(integers.flatMap(varint)))])
      case .message(let fields): message([(number, .bytes(message(fields)))])
      }
    }
  }

  private static func varint(_ integer: Int) -> [UInt8] {
    var (rest, bytes) = (UInt64(bitPattern: Int64(integer)), [UInt8]())
    while rest > 127 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
