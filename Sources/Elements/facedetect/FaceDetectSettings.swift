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

extension MeshChoice: PropertyEnum {
  static let typeName = "MienFaceDetectMesh"

  var summary: String {
    switch self {
    case .auto:
      "478 points for up to four faces whose expressions are wanted, from 40 pixels on; else 468"
    case .points468: "468 points"
    case .points478: "478 points: also the irises"
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

/// When what covers faces is measured.
enum OcclusionChoice: String, PropertyEnum {
  case none, auto
  static let typeName = "MienFaceDetectOcclusion"

  var summary: String {
    switch self {
    case .none: "Never: effects also draw on hands before faces"
    case .auto: "While an element of the process reads it"
    }
  }
}

/// When hands are searched for.
enum HandsChoice: String, PropertyEnum {
  case none, auto, always
  static let typeName = "MienFaceDetectHands"

  var summary: String {
    switch self {
    case .none: "Never"
    case .auto: "While an element of the process reads them, such as a sticker pack for hands"
    case .always: "In every stream"
    }
  }
}

struct FaceDetectSettings: ElementSettings {
  var finder = FaceFinder.Settings()
  var occlusion = OcclusionChoice.auto
  var hands = HandsChoice.auto
  var maxHands = 2
  var direction = VideoDirection.identity
  var async = false
  var display = false
  var updates = Updates.everyFrame
  var analytics = Analytics.auto
  var modelDirectory: FilePath?
  var threads = 1

  /// The settings of the finder for this frame.
  var finderNow: FaceFinder.Settings {
    var now = finder
    now.occlusion = occlusion == .auto && MeasurementReader.isAny(.covers)
    let wantsHands =
      switch hands {
      case .none: false
      case .auto: MeasurementReader.isAny(.hands)
      case .always: true
      }
    now.maxHands = wantsHands ? maxHands : 0
    now.requiresHands = hands == .always
    return now
  }
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
