/// Names of the user's presets.
package enum PresetName {
  /// The result of checking a name.
  package enum Validity: Equatable, Sendable {
    /// The trimmed name, which is unused.
    case free(String)
    /// A preset of the user has this name; it is replaced only after a question.
    case own(String)
    /// A preset of the element has this name, which cannot be replaced.
    case shipped(String)
    /// Preset files cannot hold it.
    case unusable
  }

  /// The length in characters that fits the menu.
  package static let longest = 60

  package static func validate(_ text: String, own: [String], shipped: [String]) -> Validity {
    let name = trimmed(text)
    // GStreamer stores presets as groups of a GKeyFile, whose names have no brackets and no control
    // characters; "_presets_" is reserved.
    let isUsable =
      !name.isEmpty && name.count <= longest && name != "_presets_"
      && name.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 && !"[]".contains($0) }
    guard isUsable else { return .unusable }
    if shipped.contains(name) { return .shipped(name) }
    return own.contains(name) ? .own(name) : .free(name)
  }

  private static func trimmed(_ text: String) -> String {
    let letters = Array(text)
    let first = letters.firstIndex { !$0.isWhitespace } ?? letters.count
    let last = letters.lastIndex { !$0.isWhitespace } ?? first - 1
    return first <= last ? String(letters[first...last]) : ""
  }
}

extension String {
  fileprivate func contains(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }
}
