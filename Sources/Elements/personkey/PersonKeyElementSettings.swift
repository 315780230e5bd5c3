import Backdrops
import Binding
import Files
import Metadata
import PersonKey
import Vision

/// Which network looks for people.
enum PersonModel: String, PropertyEnum {
  case auto, general, fast
  static let typeName = "MienPersonKeyModel"

  var summary: String {
    switch self {
    case .auto: "General where people are about as wide as high, fast where they are wider"
    case .general: "256 x 256: finer, for one person or two"
    case .fast: "256 x 144: a third less work, for several people side by side"
    }
  }

  var network: PersonSegmenter.Network? {
    switch self {
    case .auto: nil
    case .general: .general
    case .fast: .landscape
    }
  }
}

/// Who stays in the picture.
enum People: String, PropertyEnum {
  case all, faces
  static let typeName = "MienPersonKeyPeople"

  var summary: String {
    switch self {
    case .all: "Everybody"
    case .faces: "Whoever has a face that a detector upstream has found"
    }
  }
}

/// When the mask is written as GstAnalytics too.
enum MaskAnalytics: String, PropertyEnum {
  case auto, always, never
  static let typeName = "MienPersonKeyAnalytics"

  var summary: String {
    switch self {
    case .auto: "Where something else in the process uses GstAnalytics"
    case .always: "Wherever GStreamer has it, from 1.26 on"
    case .never: "Never"
    }
  }

  var choice: AnalyticsOutput.Choice {
    switch self {
    case .auto: .auto
    case .always: .always
    case .never: .never
    }
  }
}

struct PersonKeyElementSettings: ElementSettings {
  var key = PersonKeySettings()
  var backdrop = BackdropSettings()
  var model = PersonModel.auto
  var modelDirectory: FilePath?
  var people = People.all
  var minFace = 0.5
  var follows = true
  var every: UInt32 = 1
  var attachesMask = false
  var analytics = MaskAnalytics.auto
  var threads = 1

  /// Whether anything is put behind, so that frames keep their format.
  var hasBackground: Bool { backdrop.isSet || key.blur > 0 }

  var segmenter: PersonSegmenter.Settings {
    var result = PersonSegmenter.Settings()
    result.network = model.network
    result.facesOnly = people == .faces
    result.minimumFaceWidth = minFace
    result.tracksRegion = follows
    result.interval = Int(every)
    result.smoothing = key.smoothing
    return result
  }
}
