import Programs

/// AVI: chunks of a name, a length and contents, some of them lists of chunks.
extension Container {
  @Sendable static func walkAVI(_ file: ByteFile) throws(Damage) -> Contents {
    let size = file.size
    var (place, riffEnd, dataEnd) = (0, 0, 0)
    var (streams, promised, counted, empty) = (0, 0, 0, 0)
    // The first two letters of the picture's chunks.
    var video: ArraySlice<UInt8>?
    while place + 8 <= size {
      file.place = place
      let header = try file.need(8)
      let (name, length) = (header[..<4], header[4...].littleEndian)
      // What follows the film is nobody's business.
      if place >= riffEnd, riffEnd > 0, !name.elementsEqual("RIFF".utf8) { break }
      let end = place + 8 + length
      let isRIFF = name.elementsEqual("RIFF".utf8)
      if isRIFF || name.elementsEqual("LIST".utf8) {
        let kind = file.read(4)
        try Damage.checkEnd(end, size)
        if isRIFF { riffEnd = end }
        if kind.elementsEqual("movi".utf8) { dataEnd = end }
        // Lists are entered, save those of words about the film.
        let isSkipped = kind.elementsEqual("INFO".utf8) || kind.elementsEqual("odml".utf8)
        place = isSkipped ? end + length % 2 : place + 12
        continue
      }
      guard place < dataEnd ? isData(name) : name.allSatisfy({ (32...126).contains($0) }) else {
        throw .broken(place)
      }
      if name.elementsEqual("strh".utf8) {
        let header = try file.need(36)
        if header[..<4].elementsEqual("vids".utf8), video == nil {
          video = [48 + UInt8(streams / 10 % 10), 48 + UInt8(streams % 10)]
          promised = header[32...].littleEndian
        }
        streams += 1
      } else if place < dataEnd, let video, name.prefix(2).elementsEqual(video),
        name.suffix(2).elementsEqual("dc".utf8) || name.suffix(2).elementsEqual("db".utf8)
      {
        counted += 1
        // The frame before stays.
        if length == 0 { empty += 1 }
      }
      try Damage.checkEnd(end, size)
      place = end + length % 2
    }
    if counted < promised {
      throw Damage(text: "its header counts \(promised) frames, and \(counted) are there")
    }
    return Contents(frames: counted - empty)
  }

  /// What a film is made of, by stream, as "00dc"; an index; padding.
  private static func isData(_ name: ArraySlice<UInt8>) -> Bool {
    func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
    let n = Array(name)
    if ["JUNK", "junk", "idx1"].contains(where: { n.elementsEqual($0.utf8) }) { return true }
    if n[..<2].elementsEqual("ix".utf8) { return isDigit(n[2]) && isDigit(n[3]) }
    return isDigit(n[0]) && isDigit(n[1]) && isLetter(n[2]) && isLetter(n[3])
  }
}
