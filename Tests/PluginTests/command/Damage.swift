import Support

/// Kinds of damage to the bytes of a file, independent of its format.
enum Damage: String, CaseIterable, Sendable {
  case cutToAQuarter, cutToAHalf, cutByATenth, cutByAHundredth, cutBy100Bytes, headless
  case hundredthZeroed, twentiethZeroed, fifthZeroed, endZeroed, firstBytesZeroed, headerZeroed
  case filledWithOnes, bitFlipped, tenBitsFlipped, manyBitsFlipped, headerBitsFlipped, burst
  case blocksSwapped, blockDoubled, blockRemoved, blockReversed, garbageInserted, byteInserted
  case indexErased, garbageAppended, emptied

  /// Whether the damage is detectable in every film.
  var mustBeFound: Bool {
    switch self {
    case .cutToAQuarter, .cutToAHalf, .cutByATenth, .emptied: true
    default: false
    }
  }

  /// Returns damaged `bytes`; the positions are random with `seed`.
  func done(to bytes: [UInt8], seed: UInt64) -> [UInt8] {
    var random = SplitMix(seed)
    let count = bytes.count
    let block = min(4096, count / 16)
    func draw(_ range: Range<Int>) -> Int {
      range.lowerBound + Int(random.next() % UInt64(max(1, range.count)))
    }
    func filled(_ place: Int, _ length: Int, _ value: UInt8) -> [UInt8] {
      replaced(bytes, place..<min(count, place + length)) { _ in value }
    }
    func flipped(_ times: Int, _ range: Range<Int>) -> [UInt8] {
      var result = bytes
      for _ in 0..<times where count > 0 {
        result[min(draw(range), count - 1)] ^= 1 << UInt8(draw(0..<8))
      }
      return result
    }
    func garbage() -> ArraySlice<UInt8> { (0..<block).map { _ in UInt8(draw(0..<256)) }[...] }
    let (head, most) = (0..<min(600, count), count / 10..<count * 9 / 10)
    let middle = draw(count / 4..<count * 3 / 4)
    switch self {
    case .cutToAQuarter: return Array(bytes.prefix(count / 4))
    case .cutToAHalf: return Array(bytes.prefix(count / 2))
    case .cutByATenth: return Array(bytes.prefix(count * 9 / 10))
    case .cutByAHundredth: return Array(bytes.prefix(count * 99 / 100))
    case .cutBy100Bytes: return Array(bytes.dropLast(100))
    case .headless: return Array(bytes.dropFirst(count / 10))
    case .hundredthZeroed: return filled(middle, count / 100, 0)
    case .twentiethZeroed: return filled(middle, count / 20, 0)
    case .fifthZeroed: return filled(middle, count / 5, 0)
    case .endZeroed: return filled(count - count / 10, count / 10, 0)
    case .firstBytesZeroed: return filled(0, 64, 0)
    case .headerZeroed: return filled(200, 300, 0)
    case .filledWithOnes: return filled(middle, count / 50, 0xff)
    case .bitFlipped: return flipped(1, most)
    case .tenBitsFlipped: return flipped(10, most)
    case .manyBitsFlipped: return flipped(200, most)
    case .headerBitsFlipped: return flipped(8, head)
    case .burst:
      return replaced(bytes, middle..<min(count, middle + 64)) { _ in UInt8(draw(0..<256)) }
    case .blocksSwapped:
      let other = draw(count / 8..<count / 4 - block)
      return joined([
        bytes[..<other], bytes[middle..<middle + block], bytes[(other + block)..<middle],
        bytes[other..<other + block], bytes[(middle + block)...],
      ])
    case .blockDoubled: return joined([bytes[..<middle], bytes[(middle - block)...]])
    case .blockRemoved: return joined([bytes[..<middle], bytes[(middle + block)...]])
    case .blockReversed:
      let reversed = Array(bytes[middle..<middle + block].reversed())
      return joined([bytes[..<middle], reversed[...], bytes[(middle + block)...]])
    case .garbageInserted: return joined([bytes[..<middle], garbage(), bytes[middle...]])
    case .byteInserted: return joined([bytes[..<middle], [0], bytes[middle...]])
    case .indexErased: return withoutIndex(bytes)
    case .garbageAppended: return joined([bytes[...], garbage()])
    case .emptied: return []
    }
  }

  private func joined(_ parts: [ArraySlice<UInt8>]) -> [UInt8] {
    var result: [UInt8] = []
    for part in parts { result += part }
    return result
  }

  private func replaced(
    _ bytes: [UInt8], _ range: Range<Int>, _ value: (UInt8) -> UInt8
  ) -> [UInt8] {
    var result = bytes
    for place in range { result[place] = value(result[place]) }
    return result
  }

  /// Overwrites the ID of the last index of Matroska, AVI or MP4; other files are unchanged.
  private func withoutIndex(_ bytes: [UInt8]) -> [UInt8] {
    let names: [[UInt8]] = [[0x1c, 0x53, 0xbb, 0x6b], Array("idx1".utf8), Array("moov".utf8)]
    for (name, place) in product(names, (0..<max(0, bytes.count - 4)).reversed())
    where bytes[place] == name[0] && Array(bytes[place..<place + 4]) == name {
      return replaced(bytes, place..<place + 4) { _ in 0 }
    }
    return bytes
  }
}
