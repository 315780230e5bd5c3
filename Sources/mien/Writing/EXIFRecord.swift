/// The EXIF record of a photograph: a TIFF structure, which is not trusted.
///
/// Source: CIPA DC-008-2019, 4.5 and 4.6.
struct EXIFRecord {
  static let mark = Array("Exif".utf8) + [0, 0]
  /// The record with its mark.
  private var bytes: [UInt8]
  private let isLittle: Bool

  /// Nil where it is not a TIFF structure.
  init?(_ contents: [UInt8]) {
    bytes = contents
    let start = Self.mark.count
    guard contents.count >= start + 8 else { return nil }
    isLittle = contents[start] == UInt8(ascii: "I")
    guard contents[start..<start + 2].elementsEqual((isLittle ? "II" : "MM").utf8),
      number(at: start + 2, 2) == 42, first != nil
    else { return nil }
  }

  /// The orientation tag, 1 to 8; 1 without one.
  var orientation: Int {
    entryOffset(Self.orientationTag, in: first).flatMap { number(at: $0 + 8, 2) } ?? 1
  }

  /// The record for the upright picture of this size, without the thumbnail.
  ///
  /// Nil where a thumbnail may exist and cannot be removed.
  func upright(width: Int, height: Int) -> [UInt8]? {
    var copy = self
    if let place = entryOffset(Self.orientationTag, in: first) {
      copy.setNumber(1, at: place + 8, 2)
    }
    if let pointer = entryOffset(0x8769, in: first), let offset = number(at: pointer + 8, 4) {
      for (tag, value) in [(0xA002, width), (0xA003, height)] {
        guard let place = entryOffset(tag, in: directory(at: offset)) else { continue }
        copy.setNumber(value, at: place + 8, number(at: place + 2, 2) == 3 ? 2 : 4)
      }
    }
    return copy.eraseThumbnail() ? copy.bytes : nil
  }

  private mutating func eraseThumbnail() -> Bool {
    guard let first, let link = number(at: first.end, 4) else { return false }
    guard link != 0 else { return true }
    let second = directory(at: link)
    guard let place = entryOffset(0x0201, in: second), let length = entryOffset(0x0202, in: second),
      let start = number(at: place + 8, 4), let count = number(at: length + 8, 4),
      Self.mark.count + start + count <= bytes.count
    else { return false }
    for index in 0..<count { bytes[Self.mark.count + start + index] = 0 }
    setNumber(0, at: first.end, 4)
    return true
  }

  private static let orientationTag = 0x0112

  /// The offsets of a directory's entries of 12 bytes.
  private struct Directory {
    let start: Int
    let end: Int
  }

  private var first: Directory? { number(at: Self.mark.count + 4, 4).flatMap(directory) }

  /// `offset` counts from the end of the mark.
  private func directory(at offset: Int) -> Directory? {
    let start = Self.mark.count + offset
    guard let count = number(at: start, 2) else { return nil }
    let end = start + 2 + 12 * count
    return end <= bytes.count ? Directory(start: start + 2, end: end) : nil
  }

  /// The offset of a tag's entry.
  private func entryOffset(_ tag: Int, in directory: Directory?) -> Int? {
    guard let directory else { return nil }
    return stride(from: directory.start, to: directory.end, by: 12).first {
      number(at: $0, 2) == tag
    }
  }

  private func number(at offset: Int, _ size: Int) -> Int? {
    guard offset >= 0, offset + size <= bytes.count else { return nil }
    let part = bytes[offset..<offset + size]
    return isLittle ? part.littleEndian : part.bigEndian
  }

  private mutating func setNumber(_ value: Int, at offset: Int, _ size: Int) {
    guard number(at: offset, size) != nil else { return }
    for index in 0..<size {
      let shift = 8 * (isLittle ? index : size - 1 - index)
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }
}
