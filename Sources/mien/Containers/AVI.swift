/// AVI: chunks of a name, a length and contents, some of them lists of chunks.
extension Container {
  @Sendable static func walkAVI(_ file: FileReader) throws(ContainerError) -> Contents {
    let size = file.size
    var (offset, riffEnd, dataEnd) = (0, 0, 0)
    var (streams, promised, counted, empty) = (0, 0, 0, 0)
    // The first two characters of the video chunks' names.
    var video: ArraySlice<UInt8>?
    while offset + 8 <= size {
      file.offset = offset
      let header = try file.readExactly(8)
      let (name, length) = (header[..<4], header[4...].littleEndian)
      // Data after the film is not checked.
      if offset >= riffEnd, riffEnd > 0, !name.elementsEqual("RIFF".utf8) { break }
      let end = offset + 8 + length
      let isRIFF = name.elementsEqual("RIFF".utf8)
      if isRIFF || name.elementsEqual("LIST".utf8) {
        let kind = file.read(4)
        try ContainerError.checkEnd(end, size)
        if isRIFF { riffEnd = end }
        if kind.elementsEqual("movi".utf8) { dataEnd = end }
        // Lists are entered, except those of metadata.
        let isSkipped = kind.elementsEqual("INFO".utf8) || kind.elementsEqual("odml".utf8)
        offset = isSkipped ? end + length % 2 : offset + 12
        continue
      }
      guard offset < dataEnd ? isDataChunk(name) : name.allSatisfy({ (32...126).contains($0) })
      else {
        throw .broken(offset)
      }
      if name.elementsEqual("strh".utf8) {
        let header = try file.readExactly(36)
        if header[..<4].elementsEqual("vids".utf8), video == nil {
          video = [48 + UInt8(streams / 10 % 10), 48 + UInt8(streams % 10)]
          promised = header[32...].littleEndian
        }
        streams += 1
      } else if offset < dataEnd, let video, name.prefix(2).elementsEqual(video),
        name.suffix(2).elementsEqual("dc".utf8) || name.suffix(2).elementsEqual("db".utf8)
      {
        counted += 1
        // An empty chunk repeats the frame before.
        if length == 0 { empty += 1 }
      }
      try ContainerError.checkEnd(end, size)
      offset = end + length % 2
    }
    if counted < promised {
      throw ContainerError(text: "its header counts \(promised) frames, and \(counted) are there")
    }
    return Contents(frames: counted - empty)
  }

  /// Whether a name is that of stream data, as "00dc", an index or padding.
  private static func isDataChunk(_ name: ArraySlice<UInt8>) -> Bool {
    func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
    let n = Array(name)
    if ["JUNK", "junk", "idx1"].contains(where: { n.elementsEqual($0.utf8) }) { return true }
    if n[..<2].elementsEqual("ix".utf8) { return isDigit(n[2]) && isDigit(n[3]) }
    return isDigit(n[0]) && isDigit(n[1]) && isLetter(n[2]) && isLetter(n[3])
  }
}
