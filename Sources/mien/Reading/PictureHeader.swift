import Files

/// Sizes in the headers of picture files whose decoders fail on sizes that are refused.
enum PictureHeader {
  /// Why the picture must not be decoded; nil where its size is accepted or unknown.
  static func rejectionReason(_ path: FilePath) -> String? {
    guard case .file = FileKind(path), let file = try? UntrustedFile(path, limit: .max),
      let start = try? file.prefix(1 << 16)
    else { return nil }
    if let header = PNGHeader(start) {
      return FrameSizeLimit.violation(width: header.width, height: header.height)
    }
    guard let size = netpbmSize(start) ?? SVGRoot(start)?.drawingSize else { return nil }
    return FrameSizeLimit.violation(width: size.width, height: size.height)
  }

  /// The size of a Netpbm picture: a magic number, then width and height between white space and comments.
  ///
  /// Source: the Netpbm manual pages pbm(5), pgm(5) and ppm(5).
  private static func netpbmSize(_ start: [UInt8]) -> (width: Int, height: Int)? {
    guard start.count > 3, start[0] == UInt8(ascii: "P"),
      (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(start[1]), isSpace(start[2])
    else { return nil }
    var (numbers, offset): ([Int], Int) = ([], 2)
    while numbers.count < 2, offset < start.count {
      if isSpace(start[offset]) {
        offset += 1
      } else if start[offset] == UInt8(ascii: "#") {
        offset = start[offset...].firstIndex { $0 == 10 || $0 == 13 } ?? start.count
      } else {
        let digits = start[offset...].prefix { (48...57).contains($0) }
        guard !digits.isEmpty else { return nil }
        numbers.append(Int(String(decoding: digits, as: UTF8.self)) ?? .max)
        offset += digits.count
      }
    }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
