import Programs

/// Ogg: pages with a number and a checksum each.
extension Container {
  @Sendable static func walkOgg(_ file: ByteFile) throws(Damage) -> Contents {
    let size = file.size
    var last: [Int: Int] = [:]
    var (place, hasEnded) = (0, false)
    while place < size {
      file.place = place
      let header = try file.need(27)
      guard header[..<4].elementsEqual("OggS".utf8) else { throw .broken(place) }
      let (flags, serial, page) = (
        header[5], header[14..<18].bigEndian, header[18..<22].littleEndian
      )
      let lengths = try file.need(Int(header[26]))
      let length = lengths.reduce(0) { $0 + Int($1) }
      let end = place + 27 + lengths.count + length
      try Damage.checkEnd(end, size)
      let body = try file.need(length)
      var sum = checksum(0, header[..<22])
      sum = checksum(sum, [0, 0, 0, 0])
      sum = checksum(checksum(checksum(sum, header[26...]), lengths), body)
      guard Int(sum) == header[22..<26].littleEndian else {
        throw Damage(text: "the page at byte \(place) does not have the checksum that it says")
      }
      if let before = last[serial], page != before + 1, flags & 2 == 0 {
        throw Damage(text: "pages are missing before byte \(place)")
      }
      last[serial] = page
      // Some muxers mark the end of but one of the streams. Another film may follow.
      hasEnded = flags & 2 == 0 && (hasEnded || flags & 4 != 0)
      place = end
    }
    guard hasEnded else { throw .endMissing }
    return Contents()
  }

  /// What each byte does to the checksum: CRC-32 with the polynomial 0x04c11db7, not mirrored.
  private static let steps: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { value, _ in
      value & 0x8000_0000 == 0 ? value << 1 : value << 1 ^ 0x04C1_1DB7
    }
  }

  private static func checksum(_ sum: UInt32, _ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(sum) { $0 << 8 ^ steps[Int(UInt8($0 >> 24) ^ $1)] }
  }
}
