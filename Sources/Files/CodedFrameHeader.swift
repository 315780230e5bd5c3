/// The size in the header of a compressed video frame, for codecs that GStreamer has no parser for:
/// the size that the container states may be wrong.
package enum CodedFrameHeader {
  /// The bytes that are needed.
  package static let length = 10

  /// The size of a VP8 key frame (RFC 6386, 9.1); nil for other frames.
  package static func vp8Size(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= length, bytes[0] & 1 == 0, bytes[3..<6].elementsEqual([0x9D, 1, 0x2A])
    else {
      return nil
    }
    func number(_ at: Int) -> Int { (Int(bytes[at]) | Int(bytes[at + 1]) << 8) & 0x3FFF }
    return (number(6), number(8))
  }

  /// The size of a Sorenson H.263 frame (SWF file format specification 19, "H.263 packet"); nil for
  /// the predefined sizes, which are small.
  package static func flashVideoSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.count >= length else { return nil }
    /// `count` bits from bit `at` on, most significant first.
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
