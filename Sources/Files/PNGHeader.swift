/// The size in the header of a PNG file (ISO/IEC 15948, 5.2 and 11.2.2).
package struct PNGHeader: Sendable {
  /// As the file states; possibly 0, or more than any decoder accepts.
  package let width: Int
  package let height: Int

  /// The bytes that are needed.
  package static let length = 24

  /// Nil if the first bytes of a file are not a PNG header.
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

  /// Width times height, saturated.
  package var pixels: Int { Int(clamping: UInt(width) * UInt(height)) }
}
