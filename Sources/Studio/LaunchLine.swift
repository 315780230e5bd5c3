import Files

/// The pipeline as a shell command of gst-launch-1.0.
package struct LaunchLine {
  /// The command.
  package let text: String

  package init(_ source: VideoSource, _ chain: ElementChain) {
    var parts: [String]
    switch source {
    case .photograph(let path), .picture(let path):
      parts = [
        "filesrc " + Self.assignment("location", .path(path)), "decodebin", "imagefreeze",
        "videoconvert",
      ]
    case .film(let path):
      parts = ["filesrc " + Self.assignment("location", .path(path)), "decodebin", "videoconvert"]
    case .camera(let camera):
      parts = [camera.factory + Self.assignments(camera.properties)]
      parts += (camera.caps.map { [Self.shellQuoted($0)] } ?? []) + ["decodebin", "videoconvert"]
    }
    for kind in chain.elements { parts.append(kind.rawValue + Self.assignments(chain[kind])) }
    parts += ["videoconvert", "autovideosink"]
    text = "gst-launch-1.0 " + parts.joined(separator: " ! ")
  }

  private static func assignments(_ properties: [PropertyAssignment]) -> String {
    properties.map { " " + assignment($0.name, $0.value) }.joined()
  }

  /// A property and its value as one shell word.
  static func assignment(_ name: String, _ value: PropertyValue) -> String {
    switch value {
    case .literal(let text): return shellQuoted("\(name)=\(text)")
    case .path(let path):
      let text = path.description
      guard !isPlain(text) else { return "\(name)=\(text)" }
      // gst-launch removes the quotes, then the escapes inside.
      return shellQuoted("\(name)=\"\(escaped(text))\"")
    }
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, letter in
      if letter == "\\" || letter == "\"" { result.append("\\") }
      result.append(letter)
    }
  }

  /// The text quoted as one shell word.
  static func shellQuoted(_ text: String) -> String {
    isPlain(text) ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  /// Whether no character is special to the shell or to gst-launch.
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
