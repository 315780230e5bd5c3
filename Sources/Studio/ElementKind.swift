/// An element of the studio's chain, by the name of its factory.
package enum ElementKind: String, CaseIterable, Sendable {
  /// In the order of the chain, which is that of `mien decorate`: the face detector comes first, and
  /// stickers come last, so that no other element changes their colours.
  case faces = "mienfacedetect"
  case hide = "facehide"
  case screen = "chromakey"
  case background = "personkey"
  case retouch = "beautifymask"
  case shape = "facereshape"
  case look = "photoeffect"
  case sticker

  /// Whether it needs face metadata.
  package var needsFaces: Bool {
    switch self {
    case .hide, .retouch, .shape, .sticker, .background: true
    case .faces, .screen, .look: false
    }
  }
}
