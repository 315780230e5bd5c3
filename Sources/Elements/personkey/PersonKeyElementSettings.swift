import Backdrops
import Binding
import Files
import Metadata
import PersonKey
import Vision

/// The segmentation network.
enum PersonModel: String, PropertyEnum {
  case auto, general, fast
  static let typeName = "MienPersonKeyModel"

  var summary: String {
    switch self {
    case .auto: "General if the people's region is about as wide as high, fast if it is wider"
    case .general: "256 x 256: finer, for one or two people"
    case .fast: "256 x 144: costs a third less, for several people side by side"
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

/// The people who are kept.
enum People: String, PropertyEnum {
  case all, faces
  static let typeName = "MienPersonKeyPeople"

  var summary: String {
    switch self {
    case .all: "All people"
    case .faces: "Only people whose face was found by a detector upstream"
    }
  }
}

/// When the mask is also written as GstAnalytics metadata.
enum MaskAnalytics: String, PropertyEnum {
  case auto, always, never
  static let typeName = "MienPersonKeyAnalytics"

  var summary: String {
    switch self {
    case .auto: "If another user of GstAnalytics is in the process"
    case .always: "If GStreamer is 1.26 or newer"
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

  /// Whether the output has a background, so that frames keep their format.
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
