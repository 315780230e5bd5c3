import Binding
import Files
import Frames
import Metadata
import Vision

extension FaceFinder.Accuracy: PropertyEnum {
  static let typeName = "MienFaceDetectAccuracy"

  var summary: String {
    switch self {
    case .low: "Short-range detector: fastest, for faces near the camera"
    case .high: "Also groups, and distant and turned faces"
    }
  }
}

extension Tiles: PropertyEnum {
  static let typeName = "MienFaceDetectTiles"

  var summary: String {
    switch self {
    case .none: "Only the whole frame"
    case .auto:
      "Stills and the first frame of each scene also in halves and thirds if faces are small; "
        + "videos in one or two tiles per frame, in turn, of the size that known faces need"
    case .two: "Every search also in halves of the frame"
    case .three: "Every search also in thirds of the frame"
    }
  }
}

/// When facedetect messages are posted; the nicks are those of the OpenCV plugin's facedetect.
enum Updates: String, PropertyEnum {
  case everyFrame = "every_frame"
  case onChange = "on_change"
  case onFace = "on_face"
  case none
  static let typeName = "MienFaceDetectUpdates"

  var summary: String {
    switch self {
    case .everyFrame: "A message for every frame"
    case .onChange: "A message when the first face appears or the last one disappears"
    case .onFace: "A message for every frame with a face"
    case .none: "No messages"
    }
  }
}

/// When faces are also written as GstAnalytics metadata.
enum Analytics: String, PropertyEnum {
  case auto, always, never
  static let typeName = "MienFaceDetectAnalytics"

  var summary: String {
    switch self {
    case .auto: "If another user of GstAnalytics is in the process"
    case .always: "If GStreamer is 1.24 or newer"
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

struct FaceDetectSettings: ElementSettings {
  var finder = FaceFinder.Settings()
  var direction = VideoDirection.identity
  var async = false
  var display = false
  var updates = Updates.everyFrame
  var analytics = Analytics.auto
  var modelDirectory: FilePath?
  var threads = 1
}

extension FaceFinder {
  /// The networks without which no frame can be analysed.
  static func requiredNetworks(_ settings: Settings) -> [Network] {
    networks(for: settings).filter { isRequired($0, for: settings) }
  }
}

extension FrameHeader {
  /// The running time, which increases in every playback direction; else the timestamp.
  var orderedTime: UInt64? { runningTime ?? timestamp }
}
