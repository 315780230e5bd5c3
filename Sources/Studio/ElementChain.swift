package import Files

/// The value of an element's property.
package enum PropertyValue: Equatable, Sendable {
  /// In gst-launch syntax: a number, or the nick of an enumeration.
  case literal(String)
  /// A file's name, which is not parsed.
  case path(FilePath)
}

/// A property of an element, and its value.
package struct PropertyAssignment: Equatable, Sendable {
  package let name: String
  package var value: PropertyValue

  package init(_ name: String, _ value: PropertyValue) { (self.name, self.value) = (name, value) }
}

/// The chain of elements and their properties, as the studio's switches and controls set them.
package struct ElementChain: Equatable, Sendable {
  private var enabled: Set<ElementKind> = []
  /// All elements, switched on or not, in the order of the chain.
  package private(set) var order = ElementKind.allCases
  /// Without elements whose properties all have their defaults.
  private var assignments: [ElementKind: [PropertyAssignment]] = [:]

  /// Whether faces are found even where no element needs them: something outside of the chain does.
  package var alwaysFindsFaces = false

  package init() {}

  /// Whether the user switched it on.
  package func isOn(_ kind: ElementKind) -> Bool { enabled.contains(kind) }

  /// Switches an element on or off.
  package mutating func turn(_ kind: ElementKind, on: Bool) {
    if on { enabled.insert(kind) } else { enabled.remove(kind) }
  }

  /// The elements that are switched on, in order, with the face detector where one needs it.
  package var elements: [ElementKind] {
    let needsFaces = alwaysFindsFaces || enabled.contains { $0.needsFaces }
    return order.filter { enabled.contains($0) || ($0 == .faces && needsFaces) }
  }

  /// Moves an element to the place of another one, which moves on; the face detector stays the first.
  package mutating func move(_ kind: ElementKind, to other: ElementKind) {
    guard kind != .faces, other != .faces, kind != other,
      let from = order.firstIndex(of: kind), let to = order.firstIndex(of: other)
    else { return }
    order.remove(at: from)
    order.insert(kind, at: to)
  }

  /// Moves an element by one place, towards the end of the chain or towards its start.
  package mutating func move(_ kind: ElementKind, towardsEnd: Bool) {
    guard let from = order.firstIndex(of: kind) else { return }
    let to = from + (towardsEnd ? 1 : -1)
    if order.indices.contains(to) { move(kind, to: order[to]) }
  }

  /// The properties that are set on an element, in the order in which they were set first.
  package subscript(kind: ElementKind) -> [PropertyAssignment] { assignments[kind] ?? [] }

  /// The value of a property; nil for the default.
  package func value(_ name: String, of kind: ElementKind) -> PropertyValue? {
    self[kind].first { $0.name == name }?.value
  }

  /// Sets a property; nil is the default.
  package mutating func set(_ name: String, of kind: ElementKind, to value: PropertyValue?) {
    var known = self[kind]
    let index = known.firstIndex { $0.name == name }
    switch (index, value) {
    case (let index?, let value?): known[index].value = value
    case (let index?, nil): known.remove(at: index)
    case (nil, let value?): known.append(PropertyAssignment(name, value))
    case (nil, nil): break
    }
    assignments[kind] = known.isEmpty ? nil : known
  }
}
