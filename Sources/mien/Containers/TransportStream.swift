/// MPEG transport streams: packets of one length, numbered from 0 to 15 by stream.
extension Container {
  @Sendable static func walkTransportStream(_ file: FileReader) throws(ContainerError) -> Contents {
    let step = try packetLength(file)
    let start = step == 192 ? 4 : 0
    // By stream: the number of its last packet; the missing bytes of its last unit.
    var (last, owed): ([Int: Int], [Int: Int]) = ([:], [:])
    var offset = start
    while offset < file.size {
      file.offset = offset
      let block = Array(file.read(step * 4096))
      if block.isEmpty { break }
      for at in stride(from: 0, to: block.count - 187, by: step) {
        let (flags, control) = (block[at + 1], block[at + 3])
        guard block[at] == 0x47, flags & 0x80 == 0 else { throw .broken(offset + at) }
        let name = Int(flags & 0x1F) << 8 | Int(block[at + 2])
        if name == 0x1FFF || control & 0x10 == 0 { continue }
        let (count, before) = (Int(control & 15), last[name])
        if count == before { continue }  // A packet may come twice.
        let extra = control & 0x20 != 0 ? 1 + Int(block[at + 4]) : 0
        let jumps = extra > 1 && block[at + 5] & 0x80 != 0
        if let before, count != (before + 1) & 15, !jumps {
          throw ContainerError(text: "packets are missing before byte \(offset + at)")
        }
        last[name] = count
        let data = at + 4 + extra
        if flags & 0x40 != 0 {
          guard data + 5 < block.count else { throw .truncated }
          let length = Int(block[data + 4]) << 8 | Int(block[data + 5])
          let isUnit = block[data..<data + 3].elementsEqual([0, 0, 1])
          owed[name] = length > 0 && isUnit ? length + 6 : 0
        }
        owed[name] = max(0, (owed[name] ?? 0) - (at + 188 - data))
      }
      offset += block.count
    }
    let rest = (file.size - start) % step
    guard rest == 0 || rest == 188, !owed.values.contains(where: { $0 > 0 }) else {
      throw .truncated
    }
    return Contents()
  }

  /// The distance of packets; throws where the file does not begin with one.
  private static func packetLength(_ file: FileReader) throws(ContainerError) -> Int {
    let head = Array(file.read(204 * 64))
    for start in 0..<204 {
      for step in [188, 192, 204] where start + 4 * step < head.count {
        if (0..<5).allSatisfy({ head[start + $0 * step] == 0x47 }) {
          guard start == (step == 192 ? 4 : 0) else { throw .broken(0) }
          return step
        }
      }
    }
    throw .broken(0)
  }
}
