/// The first element of an SVG document, as far as it takes to have the document drawn at another
/// size (W3C SVG 2, 8.2 and 8.6).
package struct SVGRoot {
  /// Where its name ends, and where what follows its attributes begins.
  private var attributes = 0..<0
  /// Where those are that say how large it is.
  private var sizes: [Range<Int>] = []
  private var hasViewBox = false
  /// What it says of its size: "width", "height" and "viewBox", as far as they are there.
  package private(set) var sizeTexts: [String: String] = [:]
  private let bytes: [UInt8]

  /// Nil where a document does not begin with an `svg` element in a coding that has ASCII in it.
  package init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    var scan = Scan(bytes: bytes)
    while true {
      guard scan.skip(past: "<") else { return nil }
      if scan.take("!--") {
        guard scan.skip(past: "-->") else { return nil }
      } else if scan.take("?") {
        guard scan.skip(past: "?>") else { return nil }
      } else if scan.take("!") {
        // A DOCTYPE may hold declarations of its own.
        scan.word(until: "[>")
        if scan.take("["), !scan.skip(past: "]") { return nil }
        guard scan.skip(past: ">") else { return nil }
      } else {
        break
      }
    }
    let name = scan.word(until: " \t\r\n/>")
    guard name == "svg" || name.hasSuffix(":svg") else { return nil }
    let start = scan.at
    while true {
      scan.space()
      let begin = scan.at
      let name = scan.word(until: " \t\r\n=/>")
      if name.isEmpty { break }
      scan.space()
      guard scan.take("=") else { return nil }
      scan.space()
      let quote = scan.take("\"") ? "\"" : scan.take("'") ? "'" : ""
      let valueStart = scan.at
      guard !quote.isEmpty, scan.skip(past: quote) else { return nil }
      if ["width", "height", "viewBox"].contains(name) {
        sizeTexts[name] = String(decoding: bytes[valueStart..<scan.at - 1], as: UTF8.self)
      }
      if name == "width" || name == "height" { sizes.append(begin..<scan.at) }
      if name == "viewBox" { hasViewBox = true }
    }
    attributes = start..<scan.at
  }

  /// The document with another size; `old` is the one it is drawn at now, in pixels.
  package func resized(
    from old: (width: Int, height: Int), to new: (width: Int, height: Int)
  ) -> [UInt8] {
    var root = " width=\"\(new.width)\" height=\"\(new.height)\" "
    if !hasViewBox { root += "viewBox=\"0 0 \(old.width) \(old.height)\" " }
    var resized = bytes[..<attributes.lowerBound] + root.utf8
    var at = attributes.lowerBound
    for size in sizes {
      resized += bytes[at..<size.lowerBound]
      at = size.upperBound
    }
    return Array(resized + bytes[at...])
  }

  /// A place in a text of bytes.
  private struct Scan {
    let bytes: [UInt8]
    var at = 0

    mutating func space() {
      while at < bytes.count, " \t\r\n".utf8.contains(bytes[at]) { at += 1 }
    }

    /// Goes on behind `text` if that comes now.
    mutating func take(_ text: String) -> Bool {
      guard bytes[at...].starts(with: text.utf8) else { return false }
      at += text.utf8.count
      return true
    }

    /// Goes on behind the next `text`; false where there is none.
    mutating func skip(past text: String) -> Bool {
      while at < bytes.count {
        if take(text) { return true }
        at += 1
      }
      return false
    }

    /// What comes before the first of `ends`, or the end.
    @discardableResult
    mutating func word(until ends: String) -> String {
      let start = at
      while at < bytes.count, !ends.utf8.contains(bytes[at]) { at += 1 }
      return String(decoding: bytes[start..<at], as: UTF8.self)
    }
  }
}
