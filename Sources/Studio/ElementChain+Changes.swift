/// What differs between two chains.
extension ElementChain {
  /// A property whose values differ, with its new value; nil is the default.
  package struct Change: Equatable, Sendable {
    package let kind: ElementKind
    package let name: String
    package let value: PropertyValue?

    package init(kind: ElementKind, name: String, value: PropertyValue?) {
      (self.kind, self.name, self.value) = (kind, name, value)
    }
  }

  /// The properties whose values differ from those of `old`.
  package func changes(from old: ElementChain) -> [Change] {
    ElementKind.allCases.flatMap { kind -> [Change] in
      let known = self[kind].map(\.name)
      let names = known + old[kind].map(\.name).filter { !known.contains($0) }
      return names.compactMap { name in
        let value = value(name, of: kind)
        return value == old.value(name, of: kind)
          ? nil : Change(kind: kind, name: name, value: value)
      }
    }
  }

  /// The number that alone differs from `old`, as "element.property"; nil where more differs.
  package func changeKey(from old: ElementChain) -> String? {
    let changes = changes(from: old)
    guard changes.count == 1, elements == old.elements,
      case .literal(let text)? = changes[0].value, Double(text) != nil
    else { return nil }
    return changes[0].kind.rawValue + "." + changes[0].name
  }
}
