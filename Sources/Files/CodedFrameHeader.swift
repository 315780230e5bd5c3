/// Width and height by the header of a film's compressed frame, of the kinds that no parser reads
/// before the decoder does: what the container says of them may be untrue.
package enum CodedFrameHeader {
  /// Bytes that it takes.
  package static let length = 10

  /// Of VP8 (RFC 6386, 9.1); nil of what is no key frame.
  package static func vp8(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= length, bytes[0] & 1 == 0, bytes[3..<6].elementsEqual([0x9D, 1, 0x2A])
    else {
      return nil
    }
    func number(_ at: Int) -> Int { (Int(bytes[at]) | Int(bytes[at + 1]) << 8) & 0x3FFF }
    return (number(6), number(8))
  }

  /// Of Sorenson H.263 (SWF file format specification 19, "H.263 packet"); nil of one of the sizes
  /// that have names, which are small.
  package static func flash(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= length else { return nil }
    /// So many bits from a place on, the highest first.
    func bits(_ at: Int, _ count: Int) -> Int {
      (at..<at + count).reduce(0) { $0 << 1 | Int(bytes[$1 / 8] >> (7 - UInt8($1 % 8)) & 1) }
    }
    guard bits(0, 17) == 1 else { return nil }
    switch bits(30, 3) {
    case 0: return (bits(33, 8), bits(41, 8))
    case 1: return (bits(33, 16), bits(49, 16))
    default: return nil
    }
  }
}
