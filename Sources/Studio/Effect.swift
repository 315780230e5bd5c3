/// An element that the studio puts pictures through, by the name that GStreamer knows it by.
package enum Effect: String, CaseIterable, Sendable {
  /// In the order in which pictures go through them, which `mien decorate` keeps too: faces are
  /// found first, and what is hung on them comes last, with its own colours.
  case faces = "mienfacedetect"
  case hide = "facehide"
  case screen = "chromakey"
  case room = "personkey"
  case retouch = "beautifymask"
  case shape = "facereshape"
  case look = "photoeffect"
  case sticker

  /// Whether it does nothing where nobody has found the faces before it.
  package var needsFaces: Bool {
    switch self {
    case .hide, .retouch, .shape, .sticker, .room: true
    case .faces, .screen, .look: false
    }
  }
}
