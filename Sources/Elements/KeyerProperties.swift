import Backdrops
import Binding
import Compose
import Files
import Frames

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
