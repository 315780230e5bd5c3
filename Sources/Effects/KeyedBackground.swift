package import Files

/// What is put behind what a keyer keeps.
package enum KeyedBackground: Equatable, Sendable {
  /// Nothing: the output has alpha.
  case transparent
  /// A colour as 0xAARRGGBB.
  case color(UInt32)
  /// The picture itself, blurred by this many percent of its height.
  case blur(Double)
  /// A picture or film, or the name of one that comes with the plugin.
  case file(FilePath)

  /// Parses "alpha", "#20a0ff", "blur", "blur=5" (0 to 20), the path of a file that exists, or a word:
  /// the elements know which backgrounds there are.
  ///
  /// `blurs`: whether the keyer knows blur; else a file may have that name.
  package init(_ text: FilePath, blurs: Bool) throws(EffectError) {
    let words = text.description
    if words == "alpha" {
      self = .transparent
    } else if words.hasPrefix("#") {
      guard words.utf8.count == 7, let color = UInt32(words.dropFirst(), radix: 16) else {
        throw EffectError("\(words) is no colour; write it as #20a0ff")
      }
      self = .color(0xFF00_0000 | color)
    } else if blurs, words == "blur" || words.hasPrefix("blur=") {
      let amount = words == "blur" ? 4 : Double(words.dropFirst("blur=".utf8.count)) ?? -1
      guard (0...20).contains(amount) else {
        throw EffectError(
          "\(words) is no blur; write it as blur=5, in percent of the height, up to 20")
      }
      self = .blur(amount)
    } else {
      let isWord = !text.isEmpty && text.bytes.allSatisfy { Self.wordBytes.contains($0) }
      if !isWord {
        guard case .file = FileKind(text) else {
          throw EffectError("there is no picture or film \(text) to put behind")
        }
      }
      self = .file(text)
    }
  }

  private static let wordBytes = UInt8(ascii: "a")...UInt8(ascii: "z")

  /// The properties of a keyer that stand for it.
  var properties: [ElementSetup.Assignment] {
    switch self {
    case .transparent: []
    case .color(let color): [.init("background-color", .text("\(color)"))]
    case .blur(let amount): [.init("blur", .text("\(amount)"))]
    case .file(let path): [.init("background", .path(path))]
    }
  }
}
