package import Binding
package import Compose
package import Files

extension BackgroundFit: PropertyEnum {
  package static let typeName = "MienBackgroundFit"

  package var summary: String {
    switch self {
    case .cover: "Scale to cover the frame; crop evenly"
    case .contain: "Scale to fit inside the frame; fill the rest with background-color"
    case .stretch: "Scale to the frame's size; ignore the aspect ratio"
    }
  }
}

/// The background of a keyer, as its properties set it.
package struct BackdropSettings: ElementSettings {
  package var path: FilePath?
  package var fit = BackgroundFit.cover
  /// 0xAARRGGBB; no colour if its alpha is 0.
  package var color: UInt32 = 0

  package init() {}

  /// Whether there is a picture or a colour.
  package var isSet: Bool { path?.isEmpty == false || color >> 24 != 0 }

  package static let properties: [Property<BackdropSettings>] = [
    .path(
      "background", \.path,
      "Background: a picture, animation or film that GStreamer decodes, or the name of one that is "
        + "installed with the plugin (beach, library, mountains, office, room, studio) or lies in "
        + "$MIEN_BACKGROUND_PATH. Animations and films are looped by running time. With a "
        + "background frames keep their format, without one they get alpha."),
    .choice("fit", \.fit, "Scaling of a background whose aspect ratio differs from the frame's."),
    .uint(
      "background-color", \.color, in: 0...UInt32.max,
      "Background colour, as 0xAARRGGBB; an alpha of 0 means none."),
  ]
}
