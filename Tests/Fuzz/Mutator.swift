import Support

/// Mutates inputs, as libFuzzer does.
struct Mutator {
  var random: SplitMix
  let dictionary: [[UInt8]]
  let maximumLength: Int
  /// If set, seven of eight mutations keep the length.
  let prefersFixedLength: Bool

  /// Integers at and near the limits of their types.
  private static let edgeCases: [Int64] = [
    0, 1, -1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128, 255, 256, 1000, 1024, 4096,
    16383, 16384, 16385, 32767, 32768, 65535, 65536, 0xff_ffff, 0x7fff_ffff, 0x8000_0000,
    0xffff_ffff, 0x1_0000_0000, .max, .min, .max - 1, .min + 1,
  ]

  /// Applies one to eight mutations to `input`; `other` is the source of spliced pieces.
  mutating func mutate(_ input: [UInt8], with other: [UInt8]) -> [UInt8] {
    var bytes = input
    if prefersFixedLength, !input.isEmpty, random.below(8) > 0 {
      for _ in 0...random.below(4) { overwriteNumber(&bytes) }
      return bytes
    }
    for _ in 0...random.below(random.below(3) == 0 ? 8 : 2) { mutateOnce(&bytes, other) }
    if bytes.count > maximumLength { bytes.removeLast(bytes.count - maximumLength) }
    return bytes
  }

  /// Changes one number and keeps the length.
  private mutating func overwriteNumber(_ bytes: inout [UInt8]) {
    let place = random.below(bytes.count)
    // Most numbers lie at multiples of four.
    let aligned = place & ~3
    switch random.below(6) {
    case 0: bytes[place] ^= 1 << UInt8(random.below(8))
    case 1: bytes[place] = UInt8(random.below(256))
    case 2: bytes[aligned] &+= UInt8(truncatingIfNeeded: random.below(9) - 4)
    case 3: write(Self.edgeCases[random.below(Self.edgeCases.count)], at: aligned, in: &bytes)
    case 4: write(Int64(random.below(40)), at: aligned, in: &bytes)
    default: addToInteger(at: aligned, in: &bytes)
    }
  }

  private mutating func mutateOnce(_ bytes: inout [UInt8], _ other: [UInt8]) {
    guard !bytes.isEmpty else {
      bytes = (0..<random.below(64)).map { _ in UInt8(random.below(256)) }
      return
    }
    let place = random.below(bytes.count)
    switch random.below(12) {
    case 0: bytes[place] ^= 1 << UInt8(random.below(8))
    case 1: bytes[place] = UInt8(random.below(256))
    case 2: bytes[place] &+= UInt8(truncatingIfNeeded: random.below(9) - 4)
    case 3: write(Self.edgeCases[random.below(Self.edgeCases.count)], at: place, in: &bytes)
    case 4: addToInteger(at: place, in: &bytes)
    case 5: bytes.removeSubrange(place..<min(bytes.count, place + 1 + pieceLength()))
    case 6: bytes.removeLast(bytes.count - place)
    case 7:
      let piece = bytes[place..<min(bytes.count, place + 1 + pieceLength())]
      bytes.insert(contentsOf: piece, at: random.below(bytes.count + 1))
    case 8:
      let noise = (0...random.below(8)).map { _ in UInt8(random.below(256)) }
      bytes.insert(contentsOf: noise, at: place)
    case 9:
      guard !other.isEmpty else { return }
      let start = random.below(other.count)
      let piece = other[start..<min(other.count, start + 1 + pieceLength())]
      let end = min(bytes.count, place + (random.below(2) == 0 ? 0 : piece.count))
      bytes.replaceSubrange(place..<end, with: piece)
    case 10:
      guard !dictionary.isEmpty else { return }
      let word = dictionary[random.below(dictionary.count)]
      let end = min(bytes.count, place + (random.below(2) == 0 ? 0 : word.count))
      bytes.replaceSubrange(place..<end, with: word)
    default: rewriteNumber(near: place, in: &bytes)
    }
  }

  /// A random piece length, mostly short.
  private mutating func pieceLength() -> Int { random.below(1 << (1 + random.below(9))) }

  /// Writes an integer of one to eight bytes, little- or big-endian.
  private mutating func write(_ value: Int64, at place: Int, in bytes: inout [UInt8]) {
    let count = min(1 << random.below(4), bytes.count - place)
    let isBig = random.below(4) == 0
    for index in 0..<count {
      let shift = 8 * (isBig ? count - 1 - index : index)
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> Int64(shift))
    }
  }

  /// Adds -35...35 to an integer of two or four bytes.
  private mutating func addToInteger(at place: Int, in bytes: inout [UInt8]) {
    let count = min(2 << random.below(2), bytes.count - place)
    var value: Int64 = 0
    for index in 0..<count { value |= Int64(bytes[place + index]) << Int64(8 * index) }
    value += Int64(random.below(71) - 35)
    for index in 0..<count {
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> Int64(8 * index))
    }
  }

  /// Replaces the next decimal number in the text.
  private mutating func rewriteNumber(near place: Int, in bytes: inout [UInt8]) {
    func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    guard let start = bytes[place...].firstIndex(where: isDigit) else { return }
    let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
    let texts = ["-1", "1e308", "1e-308", "0.5", "-0", "1e999", "9223372036854775808", "nan"]
    let text =
      random.below(3) == 0
      ? texts[random.below(texts.count)]
      : String(Self.edgeCases[random.below(Self.edgeCases.count)])
    bytes.replaceSubrange(start..<end, with: Array(text.utf8))
  }
}
