/// Width and height by the header of a PNG file (ISO/IEC 15948, 5.2 and 11.2.2).
struct PNGHeader {
  let width: Int
  let height: Int

  /// Bytes that it takes.
  static let length = 24

  /// Nil where the first bytes of a file are no such header.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.length,
      bytes[..<8].elementsEqual([137, 80, 78, 71, 13, 10, 26, 10]),
      bytes[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    width = number(16)
    height = number(20)
    // The standard's own limit; so the product of the two is a number too.
    let sides = 1...0x7fff_ffff
    guard sides.contains(width), sides.contains(height) else { return nil }
  }
}
