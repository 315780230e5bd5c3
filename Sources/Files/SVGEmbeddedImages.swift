/// The images embedded in an SVG document as data URLs (RFC 2397; W3C SVG 2, 8.9 and 12), to
/// estimate their memory.
///
/// A renderer decodes them at the size in their headers, however small they are drawn.
package enum SVGEmbeddedImages {
  /// The maximum number of bytes decoded of an image to find its size.
  private static let maximumHeaderBytes = 1 << 20

  /// The pixels of all embedded images; nil if the size of one cannot be determined.
  package static func pixelCount(_ bytes: [UInt8]) -> Int? {
    var sum = 0
    var at = 0
    let name = Array("href".utf8)
    while at + name.count < bytes.count {
      guard bytes[at] == name[0], bytes[at..<at + name.count].elementsEqual(name) else {
        at += 1
        continue
      }
      at += name.count
      guard let value = quotedValue(bytes, &at) else { continue }
      let start = value.prefix(5)
      // A character reference could encode any URL.
      if start.contains(UInt8(ascii: "&")) { return nil }
      guard lowercased(start).elementsEqual("data:".utf8) else { continue }
      guard let picture = decodeBase64(value.dropFirst(5)), let header = RasterHeader(picture)
      else {
        return nil
      }
      let (total, isTooLarge) = sum.addingReportingOverflow(header.pixels)
      sum = isTooLarge ? .max : total
    }
    return sum
  }

  /// The quoted attribute value after an equals sign, without leading spaces.
  private static func quotedValue(_ bytes: [UInt8], _ at: inout Int) -> ArraySlice<UInt8>? {
    func skipSpace() {
      while at < bytes.count, isSpace(bytes[at]) { at += 1 }
    }
    skipSpace()
    guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else { return nil }
    at += 1
    skipSpace()
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else {
      return nil
    }
    let quote = bytes[at]
    at += 1
    skipSpace()
    let end = bytes[at...].firstIndex(of: quote) ?? bytes.count
    defer { at = end }
    return bytes[at..<end]
  }

  /// The first bytes of a data URL after "data:"; nil unless it is in base 64 (RFC 4648, 4).
  private static func decodeBase64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard let comma = text.firstIndex(of: UInt8(ascii: ",")),
      lowercased(text[..<comma].suffix(7)).elementsEqual(";base64".utf8)
    else { return nil }
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for letter in text[(comma + 1)...] {
      if isSpace(letter) { continue }
      guard let digit = base64Digit(letter), bytes.count < maximumHeaderBytes else { break }
      bits = bits << 6 | digit
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    return bytes
  }

  private static func base64Digit(_ letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter) - 97 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter) - 48 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }

  private static func lowercased(_ text: ArraySlice<UInt8>) -> [UInt8] {
    text.map { (65...90).contains($0) ? $0 + 32 : $0 }
  }
}
