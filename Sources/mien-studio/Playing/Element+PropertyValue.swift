import Client
import Studio

extension Element {
  /// Sets a property.
  func set(_ name: String, _ value: PropertyValue) {
    switch value {
    case .literal(let text): set(name, text)
    case .path(let path): set(name, string: path)
    }
  }

  func set(_ properties: [PropertyAssignment]) {
    for property in properties { set(property.name, property.value) }
  }
}
