/// The bytes of a file, read as little-endian numbers with every offset checked.
struct ByteReader {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  /// The integer at `offset`, or nil where any of its bytes lies outside the file.
  func integer<T: FixedWidthInteger>(_: T.Type, at offset: Int) -> T? {
    let size = MemoryLayout<T>.size
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    let value = unsafe bytes.withUnsafeBytes { raw in
      unsafe raw.loadUnaligned(fromByteOffset: offset, as: T.self)
    }
    return T(littleEndian: value)
  }

  /// The bytes of `range` as text, at most 64 of them, with whatever cannot be shown replaced.
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

// Weights come in hundreds of thousands, so these two go by bytes: generic loads are slow where
// nothing is optimised, and the tests that read thousands of broken models run there.
extension ByteReader {
  /// How wide the integers of a vector are.
  enum Width: Int {
    case unsigned8 = 1
    case unsigned16 = 2
    case signed32 = 4
  }

  /// The `count` integers from `offset` on, all of which must lie inside the file.
  func integers(_ width: Width, at offset: Int, count: Int) -> [Int] {
    precondition(offset >= 0 && count >= 0 && offset + count * width.rawValue <= bytes.count)
    var values = [Int](repeating: 0, count: count)
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard var source = bytes.baseAddress else { return }
      unsafe source += offset
      var index = 0
      while index < count {
        switch width {
        case .unsigned8: values[index] = unsafe Int(source[index])
        case .unsigned16:
          values[index] = unsafe Int(source[index &* 2]) | Int(source[index &* 2 &+ 1]) &<< 8
        case .signed32:
          let low = unsafe Int(source[index &* 4]) | Int(source[index &* 4 &+ 1]) &<< 8
          let middle = unsafe Int(source[index &* 4 &+ 2]) &<< 16
          let high = unsafe Int(Int8(bitPattern: source[index &* 4 &+ 3])) &<< 24
          values[index] = low | middle | high
        }
        index &+= 1
      }
    }
    return values
  }

  /// Writes the values of `size` bytes that start at `offset`, in order, to the elements `places`
  /// of `memory`.
  ///
  /// The values must lie inside the file and the places inside the memory.
  @unsafe func scatter(
    _ offset: Int, size: Int, to places: [Int], in memory: UnsafeMutableRawPointer
  ) {
    precondition(offset >= 0 && size > 0 && offset + places.count * size <= bytes.count)
    unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      var source = unsafe base + offset
      var index = 0
      let count = places.count
      while index < count {
        unsafe (memory + places[index] &* size).copyMemory(from: source, byteCount: size)
        unsafe source += size
        index &+= 1
      }
    }
  }
}
