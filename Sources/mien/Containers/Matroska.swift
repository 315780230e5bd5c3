import Programs

/// Matroska and WebM: elements of an identifier, a size and contents.
extension Container {
  private static let segment = 0x1853_8067
  private static let cluster = 0x1F43_B675
  private static let top: Set<Int> = [
    0x114D_9B74, 0x1549_A966, 0x1654_AE6B, cluster, 0x1C53_BB6B, 0x1941_A469, 0x1043_A770,
    0x1254_C367,
  ]
  /// What may stand in a cluster: with padding and a checksum, which may stand anywhere.
  private static let inCluster: Set<Int> = [0xE7, 0xA3, 0xA0, 0xA7, 0xAB, 0x5854, 0xAF, 0xEC, 0xBF]

  @Sendable static func walkMatroska(_ file: ByteFile) throws(Damage) -> Contents {
    let size = file.size
    // Of the segment; of the cluster, where that is known.
    var (end, clusterEnd): (Int, Int?) = (size, nil)
    var isInCluster = false
    while file.place < min(end, size) {
      let place = file.place
      if place == clusterEnd { (isInCluster, clusterEnd) = (false, nil) }
      guard let name = try number(file, longest: 4, keepsMarker: true) else { throw .broken(place) }
      let length = try number(file, longest: 8, keepsMarker: false)
      let start = file.place
      // No file is longer than half of what a number can say.
      if let length, length > Int.max / 2 { throw .endMissing }
      if name == segment {
        if let length {
          end = start + length
          try Damage.checkEnd(end, size)
        }
        continue
      }
      if name == cluster, clusterEnd == nil {
        isInCluster = true
        clusterEnd = length.map { start + $0 }
        try Damage.checkEnd(clusterEnd ?? 0, size)
        continue
      }
      // A cluster of unknown size ends where the next part of the segment begins.
      if isInCluster, clusterEnd == nil, top.contains(name) { isInCluster = false }
      guard let length, !isInCluster || inCluster.contains(name) else { throw .broken(place) }
      if let clusterEnd, start + length > clusterEnd { throw .broken(place) }
      try Damage.checkEnd(start + length, size)
      file.place = start + length
    }
    return Contents()
  }

  /// A number of as many bytes as the zero bits before its first one say; nil for "unknown".
  private static func number(
    _ file: ByteFile, longest: Int, keepsMarker: Bool
  ) throws(Damage) -> Int? {
    let place = file.place
    let first = try file.need(1)[0]
    let length = first.leadingZeroBitCount + 1
    guard length <= longest else { throw .broken(place) }
    let rest = try file.need(length - 1)
    let value = ([first] + rest).bigEndian
    if keepsMarker { return value }
    let mask = (1 << (7 * length)) - 1
    return value & mask == mask ? nil : value & mask
  }
}
