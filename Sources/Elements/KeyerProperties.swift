import Compose
import Files
import Gst

/// What stands behind whoever a keyer keeps.
struct BackdropSettings: ElementSettings {
  var path: FilePath?
  var fit = BackgroundFit.cover
  /// Alpha, red, green and blue from the highest byte on; none when its alpha is 0.
  var color: UInt32 = 0

  /// Whether a picture or a colour is put behind.
  var isSet: Bool { path?.isEmpty == false || color >> 24 != 0 }

  static let properties: [Property<BackdropSettings>] = [
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

extension MatteSettings: ElementSettings {
  /// The properties of every keyer, where `subject` stays and what is called `rest` goes.
  static func properties(subject: String, rest: String) -> [Property<MatteSettings>] {
    [
      .double(
        "shrink", \.shrink, in: -2...8,
        "Pixels by which the edge of \(subject) is pulled in, or out where it is negative."),
      .double(
        "soften", \.soften, in: 0...4, "Pixels by which the edge of \(subject) is blurred."),
      .double("crop-left", \.cropLeft, in: 0...1, "Share of the width that is \(rest), left."),
      .double("crop-right", \.cropRight, in: 0...1, "Share of the width that is \(rest), right."),
      .double("crop-top", \.cropTop, in: 0...1, "Share of the height that is \(rest), on top."),
      .double(
        "crop-bottom", \.cropBottom, in: 0...1, "Share of the height that is \(rest), below."),
      .bool("invert", \.invert, "Take \(subject) out and leave the \(rest)."),
      .bool(
        "show-matte", \.showMatte, "Show the matte as a grey picture, \(subject) white."),
    ]
  }
}
