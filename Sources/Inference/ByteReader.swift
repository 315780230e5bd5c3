/// The bytes of a file, read as little-endian numbers; each offset is checked.
struct ByteReader {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  /// The integer at `offset`; nil where any of its bytes lies outside the file.
  func integer<T: FixedWidthInteger>(_: T.Type, at offset: Int) -> T? {
    let size = MemoryLayout<T>.size
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    let value = unsafe bytes.withUnsafeBytes { raw in
      unsafe raw.loadUnaligned(fromByteOffset: offset, as: T.self)
    }
    return T(littleEndian: value)
  }

  /// The first 64 bytes of `range` as text, with question marks for control characters.
  func text(_ range: Range<Int>) -> String {
    let safe = range.clamped(to: 0..<bytes.count).prefix(64)
    let printable = safe.map { bytes[$0] < 0x20 || bytes[$0] == 0x7f ? 0x3f : bytes[$0] }
    return String(decoding: printable, as: UTF8.self)
  }

  /// Copies `range`, which must lie inside the file, to the start of `memory`.
  @unsafe func copy(_ range: Range<Int>, to memory: UnsafeMutableRawPointer) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    unsafe bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress, !range.isEmpty else { return }
      unsafe memory.copyMemory(from: base + range.lowerBound, byteCount: range.count)
    }
  }
}

extension ByteReader {
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

  /// Copies values of `size` bytes, which begin at `offset`, to the elements `indices` of `memory`.
  ///
  /// The values must lie inside the file and the elements inside the memory.
  @unsafe func scatter(
    _ offset: Int, size: Int, to indices: [Int], in memory: UnsafeMutableRawPointer
  ) {
    precondition(offset >= 0 && size > 0 && offset + indices.count * size <= bytes.count)
    unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      for (number, index) in indices.enumerated() {
        unsafe (memory + index &* size).copyMemory(
          from: base + offset + number &* size, byteCount: size)
      }
    }
  }
}
