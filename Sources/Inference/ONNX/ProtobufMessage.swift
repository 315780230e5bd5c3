/// A message of a protocol buffers file (protobuf encoding, proto3), read from untrusted bytes.
struct ProtobufMessage {
  let file: ByteReader
  let range: Range<Int>
  /// The message's name in errors.
  let name: StaticString

  /// The value of a field, by its wire type.
  enum Value {
    case integer(UInt64)
    /// Text, bytes, a packed list or a message.
    case bytes(Range<Int>)
    /// 4 or 8 bytes of a number.
    case fixed(Range<Int>)
  }

  struct Field {
    let number: Int
    let value: Value
  }

  /// The fields in the order of the file; throws where one does not lie inside the message.
  func fields() throws(ModelError) -> [Field] {
    var fields: [Field] = []
    var position = range.lowerBound
    while position < range.upperBound {
      let key = try varint(at: &position)
      let value: Value
      switch key & 7 {
      case 0: value = .integer(try varint(at: &position))
      case 1: value = .fixed(try takeBytes(8, at: &position))
      case 2:
        let length = try varint(at: &position)
        value = .bytes(try takeBytes(Int(min(length, UInt64(Int32.max))), at: &position))
      case 5: value = .fixed(try takeBytes(4, at: &position))
      default: throw error("has a field of wire type \(key & 7), not supported")
      }
      guard key >> 3 >= 1, key >> 3 < 1 << 29 else {
        throw error("has a field with the number \(key >> 3)")
      }
      fields.append(Field(number: Int(key >> 3), value: value))
    }
    return fields
  }

  /// A little-endian number in groups of seven bits; at most ten bytes.
  private func varint(at position: inout Int) throws(ModelError) -> UInt64 {
    var value: UInt64 = 0
    for group in 0..<10 {
      guard position < range.upperBound else { throw error("is cut off") }
      let byte = file.bytes[position]
      position += 1
      value |= UInt64(byte & 127) << UInt64(7 * group)
      if byte < 128 { return value }
    }
    throw error("has a number of more than ten bytes")
  }

  private func takeBytes(_ length: Int, at position: inout Int) throws(ModelError) -> Range<Int> {
    guard length <= range.upperBound - position else { throw error("is cut off") }
    defer { position += length }
    return position..<position + length
  }

  // MARK: Values

  /// The message in a field.
  func message(_ value: Value, _ name: StaticString) throws(ModelError) -> ProtobufMessage {
    ProtobufMessage(file: file, range: try bytes(value, name), name: name)
  }

  func bytes(_ value: Value, _ field: StaticString) throws(ModelError) -> Range<Int> {
    guard case .bytes(let range) = value else { throw error("\(field) has another wire type") }
    return range
  }

  /// A text of at most 1024 bytes.
  func text(_ value: Value, _ field: StaticString) throws(ModelError) -> String {
    let range = try bytes(value, field)
    guard range.count <= 1024 else { throw error("\(field) is longer than 1024 bytes") }
    return String(decoding: file.bytes[range], as: UTF8.self)
  }

  func integer(_ value: Value, _ field: StaticString) throws(ModelError) -> Int {
    guard case .integer(let bits) = value else { throw error("\(field) has another wire type") }
    return Int(Int64(bitPattern: bits))
  }

  /// The integers of one element of a repeated field, which holds one of them, or all packed.
  func integers(
    _ value: Value, _ field: StaticString, limit: Int
  ) throws(ModelError) -> [Int] {
    guard case .bytes(let range) = value else { return [try integer(value, field)] }
    let packed = ProtobufMessage(file: file, range: range, name: name)
    var (integers, position) = ([Int](), range.lowerBound)
    while position < range.upperBound {
      guard integers.count < limit else { throw error("\(field) has more than \(limit) numbers") }
      integers.append(Int(Int64(bitPattern: try packed.varint(at: &position))))
    }
    return integers
  }

  func error(_ reason: String) -> ModelError { ModelError("\(name) \(reason)") }
}
