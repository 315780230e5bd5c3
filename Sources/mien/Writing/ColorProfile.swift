/// The colorimetry of an ICC profile, without its descriptions, device names, dates and private tags.
///
/// Matrix and grey profiles are rewritten, as cameras, screens and phones have them. Profiles with
/// lookup tables, as of printers, are dropped.
///
/// Source: ICC.1:2010 (ISO 15076-1), 7.2 (header), 9 (tags), 10 (types); ICC.1:2001-04, 6.5.17 (a
/// description of version 2).
struct ColorProfile {
  private let version: UInt8
  /// "RGB " or "GRAY".
  private let space: [UInt8]
  private let intent: UInt8
  private var tags: [(name: String, contents: [UInt8])] = []

  /// Nil where it is not a matrix or grey profile.
  init?(_ profile: [UInt8]) {
    guard profile.count >= Self.headerLength + 4, [2, 4].contains(profile[8]),
      profile[36..<40].elementsEqual("acsp".utf8), profile[20..<24].elementsEqual("XYZ ".utf8)
    else { return nil }
    version = profile[8]
    space = Array(profile[16..<20])
    intent = profile[67] < 4 ? profile[67] : 0
    let isGrey = space.elementsEqual("GRAY".utf8)
    guard isGrey || space.elementsEqual("RGB ".utf8) else { return nil }
    let colours = ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
    for name in isGrey ? ["kTRC"] : colours {
      guard let contents = Self.readTag(name, in: profile) else { return nil }
      tags.append((name, contents))
    }
    for name in ["wtpt", "chad"] {
      if let contents = Self.readTag(name, in: profile) { tags.append((name, contents)) }
    }
  }

  /// The profile with the texts that the standard requires.
  var bytes: [UInt8] {
    let all: [(name: String, contents: [UInt8])] =
      [("desc", descriptionTag("Colours")), ("cprt", textTag("None"))] + self.tags
    var table = Self.bigEndianBytes(all.count, 4)
    var contents: [UInt8] = []
    let start = Self.headerLength + 4 + 12 * all.count
    var offsets: [[UInt8]: Int] = [:]
    for (name, tag) in all {
      // Equal curves are stored once.
      let offset = offsets[tag] ?? start + contents.count
      if offsets[tag] == nil {
        contents += tag
        contents += [UInt8](repeating: 0, count: (4 - tag.count % 4) % 4)
        offsets[tag] = offset
      }
      table += Array(name.utf8)
      table += Self.bigEndianBytes(offset, 4)
      table += Self.bigEndianBytes(tag.count, 4)
    }
    return header(size: start + contents.count) + table + contents
  }

  private func header(size: Int) -> [UInt8] {
    var header = Self.bigEndianBytes(size, 4)
    header += [0, 0, 0, 0, version, version == 4 ? 0x20 : 0x40, 0, 0]
    header += Array("mntr".utf8)
    header += space
    header += Array("XYZ ".utf8)
    // A fixed date, because the field is required.
    for number in [2000, 1, 1, 0, 0, 0] { header += Self.bigEndianBytes(number, 2) }
    header += Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 24)
    header += Self.bigEndianBytes(Int(intent), 4)
    // The illuminant of the profile connection space: D50.
    for number in [0xF6D6, 0x10000, 0xD32D] { header += Self.bigEndianBytes(number, 4) }
    return header + [UInt8](repeating: 0, count: Self.headerLength - header.count)
  }

  private static let headerLength = 128

  private static func bigEndianBytes(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func descriptionTag(_ string: String) -> [UInt8] {
    guard version == 2 else { return textTag(string) }
    let letters = Array(string.utf8) + [0]
    var tag = Self.tagHeader("desc") + Self.bigEndianBytes(letters.count, 4)
    tag += letters
    // No Unicode and no Macintosh description.
    tag += [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67)
    return tag
  }

  private func textTag(_ string: String) -> [UInt8] {
    guard version == 4 else { return Self.tagHeader("text") + Array(string.utf8) + [0] }
    // One record of 12 bytes, en-US; its UTF-16 text is at offset 28.
    var tag = Self.tagHeader("mluc") + Self.bigEndianBytes(1, 4) + Self.bigEndianBytes(12, 4)
    tag += Array("enUS".utf8)
    tag += Self.bigEndianBytes(2 * string.utf8.count, 4)
    tag += Self.bigEndianBytes(28, 4)
    for letter in string.utf8 { tag += [0, letter] }
    return tag
  }

  /// A tag's type and four reserved bytes.
  private static func tagHeader(_ type: String) -> [UInt8] { Array(type.utf8) + [0, 0, 0, 0] }

  /// A tag's contents; nil where their type or size is wrong.
  private static func readTag(_ name: String, in profile: [UInt8]) -> [UInt8]? {
    let count = min(profile[headerLength..<headerLength + 4].bigEndian, 100)
    for index in 0..<count {
      let entry = headerLength + 4 + 12 * index
      guard entry + 12 <= profile.count else { return nil }
      guard profile[entry..<entry + 4].elementsEqual(name.utf8) else { continue }
      let start = profile[entry + 4..<entry + 8].bigEndian
      let length = profile[entry + 8..<entry + 12].bigEndian
      guard length >= 12, start <= profile.count, length <= profile.count - start else {
        return nil
      }
      let contents = Array(profile[start..<start + length])
      switch name {
      case "chad": return readFixedNumbers(contents, "sf32", 9)
      case "rTRC", "gTRC", "bTRC", "kTRC": return readCurve(contents)
      default: return readFixedNumbers(contents, "XYZ ", 3)
      }
    }
    return nil
  }

  /// `count` s15Fixed16 numbers after the first `skipping` bytes.
  private static func readFixedNumbers(
    _ contents: [UInt8], _ type: String, _ count: Int, skipping: Int = 8
  ) -> [UInt8]? {
    guard contents.starts(with: type.utf8), contents.count >= skipping + 4 * count else {
      return nil
    }
    let numbers = contents[skipping..<skipping + 4 * count]
    // Colours have no larger values.
    let areSmall = stride(from: numbers.startIndex, to: numbers.endIndex, by: 4).allSatisfy {
      let whole = Int16(truncatingIfNeeded: numbers[$0..<$0 + 2].bigEndian)
      return (-16..<16).contains(whole)
    }
    guard areSmall else { return nil }
    return tagHeader(type) + Array(contents[8..<skipping]) + Array(numbers)
  }

  /// A parametric curve, or a monotonic table of at most 4096 entries.
  private static func readCurve(_ contents: [UInt8]) -> [UInt8]? {
    if contents.starts(with: "para".utf8) {
      let kind = contents[8..<10].bigEndian
      guard let count = [0: 1, 1: 3, 2: 4, 3: 5, 4: 7][kind] else { return nil }
      var contents = contents
      for reserved in 10..<12 { contents[reserved] = 0 }
      return readFixedNumbers(contents, "para", count, skipping: 12)
    }
    let count = contents[8..<12].bigEndian
    guard contents.starts(with: "curv".utf8), count <= 4096, contents.count >= 12 + 2 * count else {
      return nil
    }
    let table = contents[12..<12 + 2 * count]
    let entries = stride(from: 12, to: 12 + 2 * count, by: 2).map {
      contents[$0..<$0 + 2].bigEndian
    }
    guard zip(entries, entries.dropFirst()).allSatisfy({ $0 <= $1 }) else { return nil }
    return tagHeader("curv") + Array(contents[8..<12]) + Array(table)
  }
}
