import Faces
import Files
import Gst
import Threads
import Vision

/// How carefully faces are looked for.
enum Accuracy: String, PropertyEnum {
  case low, high
  static let typeName = "MienFaceDetectAccuracy"

  var summary: String {
    switch self {
    case .low: "Short-range model: faces near the camera, fastest"
    case .high: "Full-range model: groups and distant faces too"
    }
  }

  var model: FaceDetector.Model { self == .low ? .shortRange : .fullRange }
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
  var accuracy = Accuracy.high
  var minConfidence = 0.5
  var maxFaces: UInt32 = 16
  var minFaceSize = 0.0
  var tracking = true
  var detectInterval: UInt32 = 5
  var landmarks = true
  var expressions = true
  var smoothing = 0.5
  var direction = VideoDirection.identity
  var async = false
  var display = false
  var updates = Updates.everyFrame
  var modelDirectory: FilePath?
  var threads: UInt32 = 1

  /// What these properties ask of Vision.
  var finder: FaceFinder.Settings {
    var settings = FaceFinder.Settings()
    settings.accuracy = accuracy.model
    settings.minConfidence = minConfidence
    settings.maxFaces = Int(maxFaces)
    settings.minFaceSize = minFaceSize
    settings.tracking = tracking
    settings.detectInterval = Int(detectInterval)
    settings.landmarks = landmarks
    settings.expressions = expressions
    settings.smoothing = smoothing
    return settings
  }
}
