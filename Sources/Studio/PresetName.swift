/// What a preset of the user's own may be called.
package enum PresetName {
  /// What becomes of a name that the user gives.
  package enum Verdict: Equatable, Sendable {
    /// It can be saved under this name, which has no space around it.
    case free(String)
    /// The user has one of this name: it is replaced only when they say so.
    case own(String)
    /// One of this name comes with the element, and stays as it is.
    case shipped(String)
    /// No file of presets can hold it.
    case unusable
  }

  /// In letters; what is longer fits no menu.
  package static let longest = 60

  package static func judge(_ text: String, own: [String], shipped: [String]) -> Verdict {
    let name = trimmed(text)
    // GStreamer keeps presets as groups of a GKeyFile, whose names hold neither brackets nor
    // control characters; this one it takes for itself.
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
