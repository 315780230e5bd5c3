/// The pictures that an SVG document holds in its own text, as far as it takes to know how much memory
/// they need (RFC 2397; W3C SVG 2, 8.9 and 12).
///
/// Who draws the document decodes them as large as they say they are, however small they are shown.
package enum SVGPictures {
  /// Bytes of a picture that are read: more than what stands before the size in most of them.
  private static let header = 1 << 20

  /// Pixels of all of them; nil where a reference is of a kind whose size cannot be known.
  package static func pixels(_ bytes: [UInt8]) -> Int? {
    var sum = 0
    var at = 0
    let name = Array("href".utf8)
    while at + name.count < bytes.count {
      guard bytes[at] == name[0], bytes[at..<at + name.count].elementsEqual(name) else {
        at += 1
        continue
      }
      at += name.count
      guard let value = value(bytes, &at) else { continue }
      let start = value.prefix(5)
      // What is written as a number could be anything.
      if start.contains(UInt8(ascii: "&")) { return nil }
      guard lowercase(start).elementsEqual("data:".utf8) else { continue }
      guard let picture = decoded(value.dropFirst(5)), let header = RasterHeader(picture) else {
        return nil
      }
      let (total, isTooLarge) = sum.addingReportingOverflow(header.pixels)
      sum = isTooLarge ? .max : total
    }
    return sum
  }

  /// What stands in quotes after an equals sign, without the spaces before it.
  private static func value(_ bytes: [UInt8], _ at: inout Int) -> ArraySlice<UInt8>? {
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

  /// The first bytes of what follows "data:"; nil where it is not in base 64 (RFC 4648, 4).
  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard let comma = text.firstIndex(of: UInt8(ascii: ",")),
      lowercase(text[..<comma].suffix(7)).elementsEqual(";base64".utf8)
    else { return nil }
    var bytes: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for letter in text[(comma + 1)...] {
      if isSpace(letter) { continue }
      guard let six = six(letter), bytes.count < header else { break }
      bits = bits << 6 | six
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    return bytes
  }

  private static func six(_ letter: UInt8) -> UInt32? {
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

  private static func lowercase(_ text: ArraySlice<UInt8>) -> [UInt8] {
    text.map { (65...90).contains($0) ? $0 + 32 : $0 }
  }
}
