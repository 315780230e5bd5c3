import Faces
import Files
import Gst
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

struct FaceDetectSettings: ElementSettings {
  var finder = FaceFinder.Settings()
  var direction = VideoDirection.identity
  var async = false
  var display = false
  var updates = Updates.everyFrame
  var modelDirectory: FilePath?
  var threads = 1
}
