import Binding
import Faces
import Files
import Metadata
import Threads
import Vision

extension FaceDetector.Model: PropertyEnum {
  static let typeName = "MienFaceDetectAccuracy"

  var summary: String {
    switch self {
    case .shortRange: "Short-range model: faces near the camera, fastest"
    case .fullRange: "Full-range model: groups and distant faces too"
    }
  }
}

extension Tiles: PropertyEnum {
  static let typeName = "MienFaceDetectTiles"

  var summary: String {
    switch self {
    case .none: "The whole frame alone"
    case .auto:
      "Stills, and the first frame of streams without a rate, in halves and thirds as well where "
        + "faces are small; films one half a frame, in turn, at no cost"
    case .two: "Every search in halves of the frame as well"
    case .three: "Every search in thirds of the frame as well"
    }
  }
}

/// When a message is posted; the values are those of gst-opencv's element.
enum Updates: String, PropertyEnum {
  case everyFrame = "every_frame"
  case onChange = "on_change"
  case onFace = "on_face"
  case none
  static let typeName = "MienFaceDetectUpdates"

  var summary: String {
    switch self {
    case .everyFrame: "A message for every frame"
    case .onChange: "A message when the first face comes or the last one goes"
    case .onFace: "A message for every frame with a face in it"
    case .none: "No messages"
    }
  }
}

/// When faces are written as GstAnalytics too.
enum Analytics: String, PropertyEnum {
  case auto, always, never
  static let typeName = "MienFaceDetectAnalytics"

  var summary: String {
    switch self {
    case .auto: "Where something else in the process uses GstAnalytics"
    case .always: "Wherever GStreamer has it, from 1.24 on"
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
