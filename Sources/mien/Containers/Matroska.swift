/// Matroska and WebM: elements of an identifier, a size and contents.
extension Container {
  private static let segment = 0x1853_8067
  private static let cluster = 0x1F43_B675
  private static let top: Set<Int> = [
    0x114D_9B74, 0x1549_A966, 0x1654_AE6B, cluster, 0x1C53_BB6B, 0x1941_A469, 0x1043_A770,
    0x1254_C367,
  ]
  /// Elements of a cluster, with padding and checksums.
  private static let inCluster: Set<Int> = [0xE7, 0xA3, 0xA0, 0xA7, 0xAB, 0x5854, 0xAF, 0xEC, 0xBF]

  @Sendable static func walkMatroska(_ file: FileReader) throws(ContainerError) -> Contents {
    let size = file.size
    // The ends of the segment and of the cluster; nil where the cluster's size is unknown.
    var (end, clusterEnd): (Int, Int?) = (size, nil)
    var isInCluster = false
    while file.offset < min(end, size) {
      let offset = file.offset
      if offset == clusterEnd { (isInCluster, clusterEnd) = (false, nil) }
      guard let name = try readVariableInteger(file, longest: 4, keepsMarker: true) else {
        throw .broken(offset)
      }
      let length = try readVariableInteger(file, longest: 8, keepsMarker: false)
      let start = file.offset
      // Larger sizes would overflow below.
      if let length, length > Int.max / 2 { throw .truncated }
      if name == segment {
        if let length {
          end = start + length
          try ContainerError.checkEnd(end, size)
        }
        continue
      }
      if name == cluster, clusterEnd == nil {
        isInCluster = true
        clusterEnd = length.map { start + $0 }
        try ContainerError.checkEnd(clusterEnd ?? 0, size)
        continue
      }
      // A cluster of unknown size ends where the next part of the segment begins.
      if isInCluster, clusterEnd == nil, top.contains(name) { isInCluster = false }
      guard let length, !isInCluster || inCluster.contains(name) else { throw .broken(offset) }
      if let clusterEnd, start + length > clusterEnd { throw .broken(offset) }
      try ContainerError.checkEnd(start + length, size)
      file.offset = start + length
    }
    return Contents()
  }

  /// A variable-size integer, whose leading zero bits give its length; nil for "unknown".
  private static func readVariableInteger(
    _ file: FileReader, longest: Int, keepsMarker: Bool
  ) throws(ContainerError) -> Int? {
    let offset = file.offset
    let first = try file.readExactly(1)[0]
    let length = first.leadingZeroBitCount + 1
    guard length <= longest else { throw .broken(offset) }
    let rest = try file.readExactly(length - 1)
    let value = ([first] + rest).bigEndian
    if keepsMarker { return value }
    let mask = (1 << (7 * length)) - 1
    return value & mask == mask ? nil : value & mask
  }
}
