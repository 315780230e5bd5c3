import Binding
import Compose

extension MatteSettings: ElementSettings {
  /// The properties that all keyers share; the blurbs call the foreground `subject` and the
  /// background `rest`.
  static func properties(subject: String, rest: String) -> [Property<MatteSettings>] {
    [
      .double(
        "shrink", \.shrink, in: -2...8,
        "Pixels by which the edge of \(subject) moves inwards; negative values move it outwards."
      ),
      .double(
        "soften", \.soften, in: 0...4, "Pixels by which the edge of \(subject) is blurred."),
      .double(
        "crop-left", \.cropLeft, in: 0...1,
        "Fraction of the width, from the left, treated as \(rest)."),
      .double(
        "crop-right", \.cropRight, in: 0...1,
        "Fraction of the width, from the right, treated as \(rest)."),
      .double(
        "crop-top", \.cropTop, in: 0...1,
        "Fraction of the height, from the top, treated as \(rest)."),
      .double(
        "crop-bottom", \.cropBottom, in: 0...1,
        "Fraction of the height, from the bottom, treated as \(rest)."),
      .bool("invert", \.invert, "Remove \(subject) and keep the \(rest)."),
      .bool(
        "show-matte", \.showMatte, "Output the matte as a grey picture; \(subject) is white."),
    ]
  }
}
