package import Binding
package import Compose
package import Files
import Frames

extension BackgroundFit: PropertyEnum {
  package static let typeName = "MienBackgroundFit"

  package var summary: String {
    switch self {
    case .cover: "Cover the frame, cut evenly where it is too much"
    case .contain: "Show all of it, with the background colour beside it"
    case .stretch: "Show all of it in the frame's shape"
    }
  }
}

/// What stands behind whoever a keyer keeps.
package struct BackdropSettings: ElementSettings {
  package var path: FilePath?
  package var fit = BackgroundFit.cover
  /// Alpha, red, green and blue from the highest byte on; none when its alpha is 0.
  package var color: UInt32 = 0

  package init() {}

  /// Whether a picture or a colour is put behind.
  package var isSet: Bool { path?.isEmpty == false || color >> 24 != 0 }

  package static let properties: [Property<BackdropSettings>] = [
    .path(
      "background", \.path,
      "A picture, an animation or a film to put behind, of any kind GStreamer decodes; what moves is "
        + "looped by the running time. Frames then keep their format; with nothing behind they get "
        + "alpha."),
    .choice("fit", \.fit, "How a background of another shape than the frame is brought to it."),
    .uint(
      "background-color", \.color, in: 0...UInt32.max,
      "A colour to put behind, as 0xAARRGGBB; with an alpha of 0 there is none."),
  ]
}
