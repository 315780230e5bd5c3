/// The settings that the panel shows first.
extension ElementKind {
  /// The names of the properties that most users change; the others are below "More".
  package var simpleProperties: [String] {
    switch self {
    case .sticker: ["location", "scale", "alpha", "faces"]
    case .retouch: ["intensity", "brightness", "detail", "even-skin"]
    case .shape: ["eyes", "slim", "nose", "mouth", "effect"]
    case .look: ["look", "intensity", "vignette", "grain"]
    case .background: ["blur", "background", "background-color", "people"]
    case .screen: ["background", "background-color", "method", "despill"]
    case .hide: ["mode", "strength", "shape"]
    case .faces: ["accuracy", "max-faces", "display"]
    }
  }

  /// The names in the order of the panel: the simple ones, then the others as they are.
  package func sorted(_ names: [String]) -> (simple: [String], others: [String]) {
    let simple = simpleProperties.filter { names.contains($0) }
    return (simple, names.filter { !simple.contains($0) })
  }
}
