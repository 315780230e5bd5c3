/// Width and height by the header of a PNG file (ISO/IEC 15948, 5.2 and 11.2.2).
package struct PNGHeader: Sendable {
  /// As the file says, which may be more than any decoder takes, or 0.
  package let width: Int
  package let height: Int

  /// Bytes that it takes.
  package static let length = 24

  /// Nil where the first bytes of a file are no such header.
  package init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes.prefix(Self.length))
    guard bytes.count == Self.length,
      bytes[..<8].elementsEqual([137, 80, 78, 71, 13, 10, 26, 10]),
      bytes[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    width = number(16)
    height = number(20)
  }

  /// The product of the two, or the largest number where that is larger.
  package var pixels: Int { Int(clamping: UInt(width) * UInt(height)) }
}
