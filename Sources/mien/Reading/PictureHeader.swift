import Files

/// Sizes that stand at the beginning of a picture's file, where the decoder itself would fail of them.
enum PictureHeader {
  /// Why the picture is not to be decoded; nil where nothing speaks against it.
  static func refusal(_ path: FilePath) -> String? {
    guard case .file = FileKind(path), let file = try? HostileFile(path, limit: .max),
      let start = try? file.first(1 << 16)
    else { return nil }
    if let header = PNGHeader(start) {
      return FrameSizes.reason(width: header.width, height: header.height)
    }
    guard let size = anymapSize(start) ?? drawingSize(start) else { return nil }
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

  /// The size that an SVG document says it is drawn at, in whole pixels; nil where it says none.
  ///
  /// Source: W3C SVG 2, 8.2, and CSS Values 3, 6.2.
  private static func drawingSize(_ start: [UInt8]) -> (width: Int, height: Int)? {
    guard start.contains(UInt8(ascii: "<")), let texts = SVGRoot(start)?.sizeTexts else {
      return nil
    }
    let box = (texts["viewBox"] ?? "").split { $0 == " " || $0 == "," }.compactMap { Double($0) }
    func side(_ text: String?, _ whole: Double?) -> Int? {
      let pixels = text.map { length($0, of: whole) } ?? whole
      return pixels.flatMap { $0.isFinite ? Int($0.rounded().clamped(to: -1...1e9)) : nil }
    }
    guard let width = side(texts["width"], box.count == 4 ? box[2] : nil),
      let height = side(texts["height"], box.count == 4 ? box[3] : nil)
    else { return nil }
    return (width, height)
  }

  /// A length in pixels, at 96 to the inch; nil where it cannot be told.
  private static func length(_ text: String, of whole: Double?) -> Double? {
    let text = text.drop { $0 == " " }
    let number = text.prefix { $0.isNumber || "+-.eE".contains($0) }
    let units: [String: Double] = [
      "": 1.0, "px": 1, "pt": 96 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4,
    ]
    let unit = text.dropFirst(number.count).filter { $0 != " " }
    if unit == "%" { return whole.flatMap { whole in Double(number).map { whole * $0 / 100 } } }
    return units[unit].flatMap { unit in Double(number).map { $0 * unit } }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
