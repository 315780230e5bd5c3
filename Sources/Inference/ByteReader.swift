/// The bytes of a file, read as little-endian numbers; each offset is checked.
struct ByteReader {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  /// The integer at `offset`; nil where any of its bytes lies outside the file.
  func integer<T: FixedWidthInteger>(_: T.Type, at offset: Int) -> T? {
    let size = MemoryLayout<T>.size
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    return (0..<size).reduce(0) { value, byte in
      value | T(truncatingIfNeeded: bytes[offset + byte]) << (8 * byte)
    }
  }

  /// The first 64 bytes of `range` as text, with question marks for control characters.
  func printableText(_ range: Range<Int>) -> String {
    let safe = range.clamped(to: 0..<bytes.count).prefix(64)
    let printable = safe.map { bytes[$0] < 0x20 || bytes[$0] == 0x7f ? 0x3f : bytes[$0] }
    return String(decoding: printable, as: UTF8.self)
  }

  /// The float16 or float32 number at `offset`, which must lie inside the file.
  func float(at offset: Int, isHalf: Bool) -> Float {
    let low = UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
    guard !isHalf else { return Float(Float16(bitPattern: low)) }
    let high = UInt16(bytes[offset + 2]) | UInt16(bytes[offset + 3]) << 8
    return Float(bitPattern: UInt32(low) | UInt32(high) << 16)
  }

  /// The size of a vector's integers.
  enum Width: Int {
    case unsigned8 = 1
    case unsigned16 = 2
    case signed32 = 4
  }

  /// The `count` integers from `offset` on, all of which must lie inside the file.
  func integers(_ width: Width, at offset: Int, count: Int) -> [Int] {
    precondition(offset >= 0 && count >= 0 && offset + count * width.rawValue <= bytes.count)
    return (0..<count).map { index in
      let position = offset + index * width.rawValue
      return switch width {
      case .unsigned8: Int(bytes[position])
      case .unsigned16: Int(bytes[position]) | Int(bytes[position + 1]) << 8
      case .signed32: Int(integer(Int32.self, at: position) ?? 0)
      }
    }
  }
}
