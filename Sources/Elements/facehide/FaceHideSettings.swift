import Binding
import Hiding

extension HideSettings.Mode: PropertyEnum {
  static let typeName = "MienFaceHideMode"

  var summary: String {
    switch self {
    case .mosaic: "Blocks of one colour each"
    case .blur: "The same blocks, interpolated"
    case .color: "One colour"
    }
  }
}

extension HideSettings.Shape: PropertyEnum {
  static let typeName = "MienFaceHideShape"

  var summary: String {
    switch self {
    case .ellipse: "An ellipse, rotated with the head"
    case .rectangle: "A rectangle, rotated with the head"
    }
  }
}

/// The treatment of frames without face metadata.
enum UnknownFrames: String, PropertyEnum {
  case hide, pass, error
  static let typeName = "MienFaceHideUnknown"

  var summary: String {
    switch self {
    case .hide: "Hide the whole frame"
    case .pass: "Hide only faces known from other frames"
    case .error: "Stop with an error"
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
