import Studio

/// The words of the panel for users who do not know the elements.
enum UserWords {
  static func title(of kind: ElementKind) -> String {
    switch kind {
    case .sticker: tr("Stickers")
    case .retouch: tr("Smooth skin")
    case .shape: tr("Face shape")
    case .look: tr("Colours")
    case .background: tr("Background")
    case .screen: tr("Green screen")
    case .hide: tr("Hide faces")
    case .faces: tr("Find faces")
    }
  }

  /// The title of a simple property; nil for the others.
  static func title(of property: String, of kind: ElementKind) -> String? {
    guard kind.simpleProperties.contains(property) else { return nil }
    return switch (kind, property) {
    case (.sticker, "location"): tr("Sticker or picture")
    case (.sticker, "scale"): tr("Size")
    case (.sticker, "alpha"): tr("Opacity")
    case (.sticker, "faces"): tr("Who wears it")
    case (.retouch, "intensity"): tr("Smoothness")
    case (.retouch, "brightness"): tr("Brighter skin")
    case (.retouch, "detail"): tr("Keep pores")
    case (.retouch, "even-skin"): tr("Less redness")
    case (.shape, "slim"): tr("Slim face")
    case (.shape, "effect"): tr("Fun-house mirror")
    case (.look, "intensity"): tr("Strength")
    case (.look, "vignette"): tr("Dark corners")
    case (.look, "grain"): tr("Film grain")
    case (.background, "blur"): tr("Blur the room")
    case (.background, "background"), (.screen, "background"): tr("Picture or film")
    case (.background, "background-color"), (.screen, "background-color"): tr("One colour")
    case (.background, "people"): tr("Who stays")
    case (.screen, "method"): tr("Colour of the screen")
    case (.screen, "despill"): tr("Less colour at the edge")
    case (.hide, "mode"): tr("How to hide")
    case (.hide, "strength"): tr("Coarseness")
    case (.faces, "accuracy"): tr("How carefully")
    case (.faces, "max-faces"): tr("How many at most")
    case (.faces, "display"): tr("Show what is found")
    default: nil
    }
  }
}
