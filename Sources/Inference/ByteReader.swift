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

extension ByteReader {
  /// Writes the integers that start at `offset`, in order, to the elements `places` of `memory`.
  ///
  /// The integers must lie inside the file and the places inside the memory.
  @unsafe func scatter<T: FixedWidthInteger>(
    _ offset: Int, as _: T.Type, to places: [Int], in memory: UnsafeMutableRawPointer
  ) {
    let size = MemoryLayout<T>.size
    precondition(offset >= 0 && offset + places.count * size <= bytes.count)
    unsafe bytes.withUnsafeBytes { raw in
      for (index, place) in places.enumerated() {
        let value = unsafe raw.loadUnaligned(fromByteOffset: offset &+ index &* size, as: T.self)
        unsafe memory.storeBytes(of: value, toByteOffset: place &* size, as: T.self)
      }
    }
  }
}
