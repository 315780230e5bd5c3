import Binding
import Hiding

extension HideSettings.Mode: PropertyEnum {
  static let typeName = "MienFaceHideMode"

  var summary: String {
    switch self {
    case .mosaic: "Blocks of one colour each"
    case .blur: "The same blocks, with soft changes from each to the next"
    case .color: "One colour"
    }
  }
}

extension HideSettings.Shape: PropertyEnum {
  static let typeName = "MienFaceHideShape"

  var summary: String {
    switch self {
    case .ellipse: "An ellipse, turned with the head"
    case .rectangle: "A rectangle, turned with the head"
    }
  }
}

/// What happens to frames that carry no word about faces.
enum UnknownFrames: String, PropertyEnum {
  case hide, pass, error
  static let typeName = "MienFaceHideUnknown"

  var summary: String {
    switch self {
    case .hide: "All of such a frame is hidden"
    case .pass: "Only faces of frames around it are hidden"
    case .error: "The stream ends with an error"
    }
  }
}

struct FaceHideSettings: ElementSettings {
  var hiding = HideSettings()
  /// Milliseconds.
  var hold: UInt32 = 700
  var lookahead = 0
  var whenUnknown = UnknownFrames.hide
  var report = false
}
