/// Ogg: numbered pages with checksums.
extension Container {
  @Sendable static func walkOgg(_ file: FileReader) throws(ContainerError) -> Contents {
    let size = file.size
    var last: [Int: Int] = [:]
    var (offset, hasEnded) = (0, false)
    while offset < size {
      file.offset = offset
      let header = try file.readExactly(27)
      guard header[..<4].elementsEqual("OggS".utf8) else { throw .broken(offset) }
      let (flags, serial, page) = (
        header[5], header[14..<18].bigEndian, header[18..<22].littleEndian
      )
      let lengths = try file.readExactly(Int(header[26]))
      let length = lengths.reduce(0) { $0 + Int($1) }
      let end = offset + 27 + lengths.count + length
      try ContainerError.checkEnd(end, size)
      let body = try file.readExactly(length)
      var sum = updatedCRC(0, header[..<22])
      sum = updatedCRC(sum, [0, 0, 0, 0])
      sum = updatedCRC(updatedCRC(updatedCRC(sum, header[26...]), lengths), body)
      guard Int(sum) == header[22..<26].littleEndian else {
        throw ContainerError(
          text: "the page at byte \(offset) does not have the checksum that it says")
      }
      if let before = last[serial], page != before + 1, flags & 2 == 0 {
        throw ContainerError(text: "pages are missing before byte \(offset)")
      }
      last[serial] = page
      // Some muxers mark the end of one stream alone. Another film may follow.
      hasEnded = flags & 2 == 0 && (hasEnded || flags & 4 != 0)
      offset = end
    }
    guard hasEnded else { throw .truncated }
    return Contents()
  }

  /// The table of CRC-32 with the polynomial 0x04c11db7, not reflected.
  private static let steps: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { value, _ in
      value & 0x8000_0000 == 0 ? value << 1 : value << 1 ^ 0x04C1_1DB7
    }
  }

  private static func updatedCRC(_ sum: UInt32, _ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(sum) { $0 << 8 ^ steps[Int(UInt8($0 >> 24) ^ $1)] }
  }
}
