package import Files

/// What a property of an element is set to.
package enum Setting: Equatable, Sendable {
  /// As gst-launch takes it: a number, the nick of a choice.
  case word(String)
  /// A file's name, as it is.
  case file(FilePath)
}

/// Which elements pictures go through, and what is set on each: all that the studio's switches say.
package struct Chain: Equatable, Sendable {
  private var switched: Set<Effect> = []
  private var settings: [Effect: [(name: String, value: Setting)]] = [:]

  package init() {}

  package static func == (one: Chain, other: Chain) -> Bool {
    one.switched == other.switched
      && Effect.allCases.allSatisfy { effect in
        one[effect].elementsEqual(other[effect]) { $0.name == $1.name && $0.value == $1.value }
      }
  }

  /// Whether the user wants it.
  package func isOn(_ effect: Effect) -> Bool { switched.contains(effect) }

  /// Switches it on or off.
  package mutating func turn(_ effect: Effect, on: Bool) {
    if on { switched.insert(effect) } else { switched.remove(effect) }
  }

  /// What pictures go through, in order: what is switched on, and what finds faces where that is
  /// needed.
  package var elements: [Effect] {
    let needsFaces = switched.contains { $0.needsFaces }
    return Effect.allCases.filter { switched.contains($0) || ($0 == .faces && needsFaces) }
  }

  /// What is set on an element, in the order in which it was set first.
  package subscript(effect: Effect) -> [(name: String, value: Setting)] { settings[effect] ?? [] }

  /// The value of a property; nil where it is as the element has it by itself.
  package func value(_ name: String, of effect: Effect) -> Setting? {
    self[effect].first { $0.name == name }?.value
  }

  /// Sets a property; nil leaves it as the element has it by itself.
  package mutating func set(_ name: String, of effect: Effect, to value: Setting?) {
    var known = self[effect]
    let place = known.firstIndex { $0.name == name }
    switch (place, value) {
    case (let place?, let value?): known[place].value = value
    case (let place?, nil): known.remove(at: place)
    case (nil, let value?): known.append((name, value))
    case (nil, nil): break
    }
    settings[effect] = known
  }
}
