import Programs

/// MP4 and QuickTime: boxes of a length, a name and contents.
///
/// Source: ISO/IEC 14496-12, 4.2 and 8.
extension Container {
  /// Throws where the boxes reach beyond the end; reads how long each track is shown.
  ///
  /// What the boxes hold is not checked: the tables of a broken one say nothing, and the demuxer sees
  /// the same.
  @Sendable static func walkMP4(_ file: ByteFile) throws(Damage) -> Contents {
    var movie = MP4Movie()
    var place = 0
    while place + 8 <= file.size {
      file.place = place
      let header = try file.need(8)
      var (length, start) = (header[..<4].bigEndian, place + 8)
      if length == 1 {
        length = try file.need(8).bigEndian
        start += 8
      }
      // To the end of the file; or padding, as some cameras write.
      if length == 0 || !header[4...].allSatisfy({ (32...126).contains($0) || $0 == 0xA9 }) {
        return movie.contents
      }
      guard length > 0, place < Int.max - max(length, 8) else { throw .endMissing }
      place += max(length, 8)
      if place <= file.size, start < place {
        let isMovie = header[4...].elementsEqual("moov".utf8)
        if isMovie || header[4...].elementsEqual("moof".utf8) {
          movie.read(MP4Box(file, start..<place), isFragment: !isMovie)
        }
      }
    }
    try Damage.checkEnd(place, file.size)
    return movie.contents
  }
}

/// The contents of one box.
struct MP4Box {
  /// No table of a film is larger; what is, is not read.
  private static let largest = 64 << 20

  let range: Range<Int>
  private let file: ByteFile

  init(_ file: ByteFile, _ range: Range<Int>) {
    self.file = file
    self.range = range
  }

  /// The boxes in it, by name, as far as they are whole; the first `skipped` bytes are none.
  func boxes(skipping skipped: Int = 0) -> [(name: String, box: MP4Box)] {
    var boxes: [(name: String, box: MP4Box)] = []
    var place = range.lowerBound + skipped
    while place + 8 <= range.upperBound {
      file.place = place
      let header = Array(file.read(8))
      guard header.count == 8 else { break }
      let length = header[..<4].bigEndian
      guard length >= 8, length <= range.upperBound - place else { break }
      boxes.append(
        (
          String(decoding: header[4...], as: UTF8.self), MP4Box(file, place + 8..<place + length)
        ))
      place += length
    }
    return boxes
  }

  /// The first box of this name in it.
  subscript(name: String) -> MP4Box? { boxes().first { $0.name == name }?.box }

  var bytes: [UInt8] {
    guard range.count <= Self.largest else { return [] }
    file.place = range.lowerBound
    return Array(file.read(range.count))
  }
}

extension [UInt8] {
  /// The number in `count` bytes from `place` on; nil where they are not all there.
  func number(_ place: Int, _ count: Int = 4) -> Int? {
    guard place >= 0, place + count <= self.count else { return nil }
    return self[place..<place + count].bigEndian
  }
}
