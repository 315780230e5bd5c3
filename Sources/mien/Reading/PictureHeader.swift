import Files

/// Sizes that stand at the beginning of a picture's file, where the decoder itself would fail of them.
enum PictureHeader {
  /// Why the picture is not to be decoded; nil where nothing speaks against it.
  static func refusal(_ path: FilePath) -> String? {
    guard case .file = FileKind(path), let file = try? UntrustedFile(path, limit: .max),
      let start = try? file.first(1 << 16)
    else { return nil }
    if let header = PNGHeader(start) {
      return FrameSizes.reason(width: header.width, height: header.height)
    }
    guard let size = anymapSize(start) ?? SVGRoot(start)?.drawingSize else { return nil }
    return FrameSizes.reason(width: size.width, height: size.height)
  }

  /// The size of a Netpbm picture: a magic number, and two more between white space and comments.
  ///
  /// Source: the Netpbm manual pages pbm(5), pgm(5) and ppm(5).
  private static func anymapSize(_ start: [UInt8]) -> (width: Int, height: Int)? {
    guard start.count > 3, start[0] == UInt8(ascii: "P"),
      (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(start[1]), isSpace(start[2])
    else { return nil }
    var (numbers, place): ([Int], Int) = ([], 2)
    while numbers.count < 2, place < start.count {
      if isSpace(start[place]) {
        place += 1
      } else if start[place] == UInt8(ascii: "#") {
        place = start[place...].firstIndex { $0 == 10 || $0 == 13 } ?? start.count
      } else {
        let digits = start[place...].prefix { (48...57).contains($0) }
        guard !digits.isEmpty else { return nil }
        numbers.append(Int(String(decoding: digits, as: UTF8.self)) ?? .max)
        place += digits.count
      }
    }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
