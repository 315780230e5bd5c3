extension SVGRoot {
  /// The size at which the document is drawn, in pixels; nil if it states none.
  ///
  /// An inch has 96 pixels and an em 16. Sides are clamped to -1...1e9.
  ///
  /// Source: W3C SVG 2, 8.2, and CSS Values 3, 6.1 and 6.2.
  package var drawingSize: (width: Int, height: Int)? {
    let box = (sizeTexts["viewBox"] ?? "").split { $0 == " " || $0 == "," }.compactMap {
      Double($0)
    }
    func side(_ text: String?, _ whole: Double?) -> Int? {
      let pixels = text.map { Self.length($0, of: whole) } ?? whole
      return pixels.flatMap { $0.isFinite ? Int(min(max($0.rounded(), -1), 1e9)) : nil }
    }
    guard let width = side(sizeTexts["width"], box.count == 4 ? box[2] : nil),
      let height = side(sizeTexts["height"], box.count == 4 ? box[3] : nil)
    else { return nil }
    return (width, height)
  }

  /// A CSS length in pixels, with percentages of `whole`; nil if it cannot be determined.
  private static func length(_ text: String, of whole: Double?) -> Double? {
    let text = text.drop { $0 == " " }
    var number = text.prefix { $0.isNumber || "+-.eE".contains($0) }
    // The "e" of "em" and "ex" is a letter of the unit.
    if let last = number.last, "eE".contains(last) { number.removeLast() }
    let units: [String: Double] = [
      "": 1.0, "px": 1, "pt": 96 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4,
      "em": 16, "ex": 8,
    ]
    let unit = text.dropFirst(number.count).filter { $0 != " " }
    if unit == "%" { return whole.flatMap { whole in Double(number).map { whole * $0 / 100 } } }
    return units[unit].flatMap { unit in Double(number).map { $0 * unit } }
  }
}
