/// The root element of an SVG document, parsed to change the size at which it is drawn (W3C SVG 2,
/// 8.2 and 8.6).
package struct SVGRoot {
  /// The range of the attributes, from the end of the element's name.
  private var attributes = 0..<0
  /// The ranges of the attributes `width` and `height`.
  private var sizes: [Range<Int>] = []
  private var hasViewBox = false
  /// The values of `width`, `height` and `viewBox`, if present.
  package private(set) var sizeTexts: [String: String] = [:]
  private let bytes: [UInt8]

  /// Nil unless the root element is `svg`, in an encoding that extends ASCII.
  package init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    var scanner = Scanner(bytes: bytes)
    while true {
      guard scanner.skip(past: "<") else { return nil }
      if scanner.accept("!--") {
        guard scanner.skip(past: "-->") else { return nil }
      } else if scanner.accept("?") {
        guard scanner.skip(past: "?>") else { return nil }
      } else if scanner.accept("!") {
        // A DOCTYPE may contain an internal subset.
        scanner.read(until: "[>")
        if scanner.accept("["), !scanner.skip(past: "]") { return nil }
        guard scanner.skip(past: ">") else { return nil }
      } else {
        break
      }
    }
    let name = scanner.read(until: " \t\r\n/>")
    guard name == "svg" || name.hasSuffix(":svg") else { return nil }
    let start = scanner.position
    while true {
      scanner.skipSpaces()
      let begin = scanner.position
      let name = scanner.read(until: " \t\r\n=/>")
      if name.isEmpty { break }
      scanner.skipSpaces()
      guard scanner.accept("=") else { return nil }
      scanner.skipSpaces()
      let quote = scanner.accept("\"") ? "\"" : scanner.accept("'") ? "'" : ""
      let valueStart = scanner.position
      guard !quote.isEmpty, scanner.skip(past: quote) else { return nil }
      if ["width", "height", "viewBox"].contains(name) {
        sizeTexts[name] = String(decoding: bytes[valueStart..<scanner.position - 1], as: UTF8.self)
      }
      if name == "width" || name == "height" { sizes.append(begin..<scanner.position) }
      if name == "viewBox" { hasViewBox = true }
    }
    attributes = start..<scanner.position
  }

  /// The document resized from `old`, its present size in pixels, to `new`.
  package func resized(
    from old: (width: Int, height: Int), to new: (width: Int, height: Int)
  ) -> [UInt8] {
    var root = " width=\"\(new.width)\" height=\"\(new.height)\" "
    if !hasViewBox { root += "viewBox=\"0 0 \(old.width) \(old.height)\" " }
    var resized = bytes[..<attributes.lowerBound] + root.utf8
    var position = attributes.lowerBound
    for size in sizes {
      resized += bytes[position..<size.lowerBound]
      position = size.upperBound
    }
    return Array(resized + bytes[position...])
  }

  /// A cursor in a text.
  private struct Scanner {
    let bytes: [UInt8]
    var position = 0

    mutating func skipSpaces() {
      while position < bytes.count, " \t\r\n".utf8.contains(bytes[position]) { position += 1 }
    }

    /// Skips `text` if it comes next; returns whether it did.
    mutating func accept(_ text: String) -> Bool {
      guard bytes[position...].starts(with: text.utf8) else { return false }
      position += text.utf8.count
      return true
    }

    /// Skips to the end of the next `text`; false if there is none.
    mutating func skip(past text: String) -> Bool {
      while position < bytes.count {
        if accept(text) { return true }
        position += 1
      }
      return false
    }

    /// Reads up to the first of `ends`, or to the end.
    @discardableResult
    mutating func read(until ends: String) -> String {
      let start = position
      while position < bytes.count, !ends.utf8.contains(bytes[position]) { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
  }
}
