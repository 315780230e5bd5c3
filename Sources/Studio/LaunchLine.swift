import Files

/// What is shown, as a line for a shell that does the same with gst-launch-1.0.
package struct LaunchLine {
  /// The line, which runs as it is.
  package let text: String

  package init(_ origin: Origin, _ chain: Chain) {
    var parts: [String]
    switch origin {
    case .photograph(let path), .picture(let path):
      parts = [
        "filesrc " + Self.assignment("location", .file(path)), "decodebin", "imagefreeze",
        "videoconvert",
      ]
    case .film(let path):
      parts = ["filesrc " + Self.assignment("location", .file(path)), "decodebin", "videoconvert"]
    case .camera(let camera):
      let settings = camera.settings.map { " " + Self.assignment($0.name, $0.value) }
      parts = [camera.kind + settings.joined(), "decodebin", "videoconvert"]
    }
    for effect in chain.elements {
      let settings = chain[effect].map { " " + Self.assignment($0.name, $0.value) }
      parts.append(effect.rawValue + settings.joined())
    }
    parts += ["videoconvert", "autovideosink"]
    text = "gst-launch-1.0 " + parts.joined(separator: " ! ")
  }

  /// One word for the shell that gst-launch takes for a property and its value.
  static func assignment(_ name: String, _ value: Setting) -> String {
    switch value {
    case .word(let word): return shellWord("\(name)=\(word)")
    case .file(let path):
      let text = path.description
      guard !isPlain(text) else { return "\(name)=\(text)" }
      // gst-launch takes the quotation marks away, and then what escapes inside them.
      return shellWord("\(name)=\"\(escaped(text))\"")
    }
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, letter in
      if letter == "\\" || letter == "\"" { result.append("\\") }
      result.append(letter)
    }
  }

  /// The text as a shell takes it for one word.
  static func shellWord(_ text: String) -> String {
    isPlain(text) ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  /// Whether neither a shell nor gst-launch sees anything in it but letters.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "._-/:=@%+,".utf8.contains(byte)
      }
    }
  }
}
