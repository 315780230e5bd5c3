/// The playable part of an incomplete film: the bytes up to the end of the last complete fragment or
/// block.
///
/// Source: MP4 fragments in ISO/IEC 14496-12, 8.8; Matroska and WebM clusters in RFC 9559, 5.1.3.
package struct PlayablePrefix {
  /// Returns bytes of the file at an offset; fewer at its end.
  package typealias Read = (_ offset: Int, _ count: Int) -> [UInt8]

  private let size: Int
  private let read: Read

  /// The length of the playable part; nil where nothing is playable.
  ///
  /// `size`: the size of the file in bytes.
  package static func length(size: Int, read: @escaping Read) -> Int? {
    let file = PlayablePrefix(size: size, read: read)
    let first = read(0, 8)
    guard first.count == 8 else { return nil }
    if Array(first[4...]) == Array("ftyp".utf8) { return file.endOfLastFragment() }
    return first.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) ? file.endOfLastBlock() : nil
  }

  // MARK: MP4

  /// A fragment is a box of samples (mdat) and one that lists them (moof), in either order.
  ///
  /// `extra` is the number of mdat without moof before the moov; after it the difference is the
  /// same at the end of each fragment.
  private func endOfLastFragment() -> Int? {
    var (offset, end): (Int, Int?) = (0, nil)
    var (samples, lists) = (0, 0)
    var extra: Int?
    while let box = boxHeader(at: offset), offset + box.size <= size {
      offset += box.size
      switch box.kind {
      case "moov": extra = samples - lists
      case "moof": lists += 1
      case "mdat": samples += 1
      // Padding alone is not worth keeping.
      default: continue
      }
      if let extra, samples > 0, samples - lists == extra { end = offset }
    }
    return end
  }

  private func boxHeader(at offset: Int) -> (kind: String, size: Int)? {
    let head = read(offset, 16)
    guard head.count >= 8 else { return nil }
    let kind = String(decoding: head[4..<8], as: UTF8.self)
    let short = Self.bigEndian(head[..<4])
    // Size 0: up to the end of a file that is still being written.
    guard short == 1 else { return short >= 8 ? (kind, short) : nil }
    guard head.count == 16, head[8] == 0 else { return nil }
    let long = Self.bigEndian(head[8...])
    return long >= 16 && long < Int.max - size ? (kind, long) : nil
  }

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  // MARK: Matroska

  private static let segment = 0x1853_8067, tracks = 0x1654_AE6B, cluster = 0x1F43_B675
  private static let blocks = [0xA0, 0xA3]

  /// Clusters are in the segment.
  ///
  /// The last one has no size yet, and ends with its last block.
  private func endOfLastBlock() -> Int? {
    var (offset, end): (Int, Int?) = (0, nil)
    var hasTracks = false
    while let item = ebmlElement(at: offset) {
      let isOpen = item.size == nil
      // The children of these are visited.
      if item.id == Self.segment || item.id == Self.cluster && isOpen {
        offset = item.contents
        continue
      }
      guard let length = item.size, length <= size - item.contents else { break }
      offset = item.contents + length
      if item.id == Self.tracks { hasTracks = true }
      if hasTracks, item.id == Self.cluster || Self.blocks.contains(item.id) { end = offset }
    }
    return end
  }

  /// An element's ID, the offset of its contents, and their size; nil for an unknown size.
  private func ebmlElement(at offset: Int) -> (id: Int, contents: Int, size: Int?)? {
    let head = read(offset, 12)
    guard let first = head.first, first >= 0x10 else { return nil }
    let idLength = first.leadingZeroBitCount + 1
    guard head.count > idLength, head[idLength] != 0 else { return nil }
    let id = Self.bigEndian(head[..<idLength])
    let length = head[idLength].leadingZeroBitCount + 1
    guard head.count >= idLength + length else { return nil }
    let mask = 1 << (7 * length) - 1
    let value = Self.bigEndian(head[idLength..<idLength + length]) & mask
    return (id, offset + idLength + length, value == mask ? nil : value)
  }
}
