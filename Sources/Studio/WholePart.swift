/// How much of a film's file that broke off can be played: the bytes from its beginning to the end of the last
/// piece that is there with all that it needs.
///
/// Such a file is written in pieces, so that those that are there are a film without what was to follow:
/// MP4 in fragments (ISO/IEC 14496-12, 8.8), Matroska and WebM in clusters of blocks (RFC 9559, 5.1.3).
package struct WholePart {
  /// Gives bytes of the file from a place on; fewer where it ends.
  package typealias Read = (_ place: Int, _ count: Int) -> [UInt8]

  private let size: Int
  private let read: Read

  /// Nil where nothing of the file can be played.
  ///
  /// `size`: of the file, in bytes.
  package static func length(size: Int, read: @escaping Read) -> Int? {
    let file = WholePart(size: size, read: read)
    let first = read(0, 8)
    guard first.count == 8 else { return nil }
    if Array(first[4...]) == Array("ftyp".utf8) { return file.fragments() }
    return first.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) ? file.clusters() : nil
  }

  // MARK: MP4

  /// Fragments are a box of samples and one that lists them, in either order; so many of these come before
  /// the film's own description, and from there on the two are even again wherever a fragment ends.
  private func fragments() -> Int? {
    var (place, end): (Int, Int?) = (0, nil)
    var (samples, lists) = (0, 0)
    var extra: Int?
    while let box = box(at: place), place + box.size <= size {
      place += box.size
      switch box.kind {
      case "moov": extra = samples - lists
      case "moof": lists += 1
      case "mdat": samples += 1
      // What fills up is not worth keeping.
      default: continue
      }
      if let extra, samples > 0, samples - lists == extra { end = place }
    }
    return end
  }

  private func box(at place: Int) -> (kind: String, size: Int)? {
    let head = read(place, 16)
    guard head.count >= 8 else { return nil }
    let kind = String(decoding: head[4..<8], as: UTF8.self)
    let short = Self.number(head[..<4])
    // One of size 0 goes on to the end of a file that is still being written.
    guard short == 1 else { return short >= 8 ? (kind, short) : nil }
    guard head.count == 16, head[8] == 0 else { return nil }
    let long = Self.number(head[8...])
    return long >= 16 && long < Int.max - size ? (kind, long) : nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  // MARK: Matroska

  private static let segment = 0x1853_8067, tracks = 0x1654_AE6B, cluster = 0x1F43_B675
  private static let blocks = [0xA0, 0xA3]

  /// Clusters lie in the segment; the one that is being written says no size, and ends with its last block.
  private func clusters() -> Int? {
    var (place, end): (Int, Int?) = (0, nil)
    var hasTracks = false
    while let item = item(at: place) {
      let isOpen = item.size == nil
      // What lies in these is looked at one by one.
      if item.id == Self.segment || item.id == Self.cluster && isOpen {
        place = item.inside
        continue
      }
      guard let length = item.size, length <= size - item.inside else { break }
      place = item.inside + length
      if item.id == Self.tracks { hasTracks = true }
      if hasTracks, item.id == Self.cluster || Self.blocks.contains(item.id) { end = place }
    }
    return end
  }

  /// An element's number, where it begins inside, and how long it is; nil is as long as it goes on.
  private func item(at place: Int) -> (id: Int, inside: Int, size: Int?)? {
    let head = read(place, 12)
    guard let first = head.first, first >= 0x10 else { return nil }
    let idLength = first.leadingZeroBitCount + 1
    guard head.count > idLength, head[idLength] != 0 else { return nil }
    let id = Self.number(head[..<idLength])
    let length = head[idLength].leadingZeroBitCount + 1
    guard head.count >= idLength + length else { return nil }
    let mask = 1 << (7 * length) - 1
    let value = Self.number(head[idLength..<idLength + length]) & mask
    return (id, place + idLength + length, value == mask ? nil : value)
  }
}
