package import Files

/// The value of an element's property.
package enum PropertyValue: Equatable, Sendable {
  /// In gst-launch syntax: a number, or the nick of an enumeration.
  case literal(String)
  /// A file's name, which is not parsed.
  case path(FilePath)
}

/// The chain of elements and their properties, as the studio's switches and controls set them.
package struct ElementChain: Equatable, Sendable {
  private var enabled: Set<ElementKind> = []
  private var settings: [ElementKind: [(name: String, value: PropertyValue)]] = [:]

  package init() {}

  package static func == (one: ElementChain, other: ElementChain) -> Bool {
    one.enabled == other.enabled
      && ElementKind.allCases.allSatisfy { effect in
        one[effect].elementsEqual(other[effect]) { $0.name == $1.name && $0.value == $1.value }
      }
  }

  /// Whether the user switched it on.
  package func isOn(_ effect: ElementKind) -> Bool { enabled.contains(effect) }

  /// Switches an element on or off.
  package mutating func turn(_ effect: ElementKind, on: Bool) {
    if on { enabled.insert(effect) } else { enabled.remove(effect) }
  }

  /// The elements that are switched on, in order, with the face detector where one needs it.
  package var elements: [ElementKind] {
    let needsFaces = enabled.contains { $0.needsFaces }
    return ElementKind.allCases.filter { enabled.contains($0) || ($0 == .faces && needsFaces) }
  }

  /// The properties that are set on an element, in the order in which they were set first.
  package subscript(effect: ElementKind) -> [(name: String, value: PropertyValue)] {
    settings[effect] ?? []
  }

  /// The value of a property; nil for the default.
  package func value(_ name: String, of effect: ElementKind) -> PropertyValue? {
    self[effect].first { $0.name == name }?.value
  }

  /// Sets a property; nil is the default.
  package mutating func set(_ name: String, of effect: ElementKind, to value: PropertyValue?) {
    var known = self[effect]
    let index = known.firstIndex { $0.name == name }
    switch (index, value) {
    case (let index?, let value?): known[index].value = value
    case (let index?, nil): known.remove(at: index)
    case (nil, let value?): known.append((name, value))
    case (nil, nil): break
    }
    settings[effect] = known
  }
}
