/// MP4 and QuickTime: boxes of a length, a name and contents.
///
/// Source: ISO/IEC 14496-12, 4.2 and 8.
extension Container {
  /// Throws where boxes end beyond the file; returns the tracks' times.
  ///
  /// The contents of boxes are not checked: broken tables give no times, and the demuxer reads the same.
  @Sendable static func walkMP4(_ file: FileReader) throws(ContainerError) -> Contents {
    var movie = MP4Movie()
    var offset = 0
    while offset + 8 <= file.size {
      file.offset = offset
      let header = try file.readExactly(8)
      var (length, start) = (header[..<4].bigEndian, offset + 8)
      if length == 1 {
        length = try file.readExactly(8).bigEndian
        start += 8
      }
      // A box up to the end of the file, or padding that some cameras write.
      if length == 0 || !header[4...].allSatisfy({ (32...126).contains($0) || $0 == 0xA9 }) {
        return movie.contents
      }
      guard length > 0, offset < Int.max - max(length, 8) else { throw .truncated }
      offset += max(length, 8)
      if offset <= file.size, start < offset {
        let isMovie = header[4...].elementsEqual("moov".utf8)
        if isMovie || header[4...].elementsEqual("moof".utf8) {
          movie.readTimes(MP4Box(file, start..<offset), isFragment: !isMovie)
        }
      }
    }
    try ContainerError.checkEnd(offset, file.size)
    return movie.contents
  }
}

/// The contents of one box.
struct MP4Box {
  /// The largest table that is read.
  private static let largest = 64 << 20

  let range: Range<Int>
  private let file: FileReader

  init(_ file: FileReader, _ range: Range<Int>) {
    self.file = file
    self.range = range
  }

  /// The complete boxes inside, after the first `skipped` bytes.
  func boxes(skipping skipped: Int = 0) -> [(name: String, box: MP4Box)] {
    var boxes: [(name: String, box: MP4Box)] = []
    var offset = range.lowerBound + skipped
    while offset + 8 <= range.upperBound {
      file.offset = offset
      let header = Array(file.read(8))
      guard header.count == 8 else { break }
      let length = header[..<4].bigEndian
      guard length >= 8, length <= range.upperBound - offset else { break }
      boxes.append(
        (
          String(decoding: header[4...], as: UTF8.self), MP4Box(file, offset + 8..<offset + length)
        ))
      offset += length
    }
    return boxes
  }

  /// The first box of this name inside.
  subscript(name: String) -> MP4Box? { boxes().first { $0.name == name }?.box }

  var bytes: [UInt8] {
    guard range.count <= Self.largest else { return [] }
    file.offset = range.lowerBound
    return Array(file.read(range.count))
  }
}

extension [UInt8] {
  /// The big-endian number in `count` bytes at `offset`; nil beyond the end.
  func bigEndian(at offset: Int, _ count: Int = 4) -> Int? {
    guard offset >= 0, offset + count <= self.count else { return nil }
    return self[offset..<offset + count].bigEndian
  }
}
