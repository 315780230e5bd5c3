/// Command-line arguments of the form `name=value`; an empty value counts as absent.
package struct Arguments {
  private var values: [String: String] = [:]
  /// Arguments of another form, or with an unknown name.
  package private(set) var unknown: [String] = []

  package init(_ words: some Sequence<String>, knowing names: [String]) {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, names.contains(String(parts[0])) else {
        unknown.append(word)
        continue
      }
      if !parts[1].isEmpty { values[String(parts[0])] = String(parts[1]) }
    }
  }

  package subscript(_ name: String) -> String? { values[name] }
  package func number(_ name: String) -> Int? { values[name].flatMap { Int($0) } }
}
