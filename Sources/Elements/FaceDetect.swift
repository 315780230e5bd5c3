import Effects
import GstElement
import Inference
import Pixels
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
  var direction = VideoDirection.identity
  var display = false
  var updates = Updates.everyFrame
  var modelDirectory: String?
  var threads: UInt32 = 1
}

/// Finds faces and describes them as metadata and messages; the picture is not touched.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect display=true ! videoconvert ! autovideosink
final class FaceDetect: VideoElement {
  static let description = ElementDescription(
    name: "facedetect", typeName: "MienFaceDetect", longName: "Face detector",
    classification: "Filter/Analyzer/Video",
    summary: "Finds faces and describes them as metadata (MienFaces, regions of interest \"face\") "
      + "and messages, without touching the picture",
    formats: PixelFormat.allCases, alias: "mienfacedetect", dropsLateFrames: false)

  static let properties: [Property<FaceDetectSettings>] = [
    .choice(
      "accuracy", \.accuracy,
      "Which model looks for faces: low is made for faces near the camera and is about three times "
        + "as fast, high also finds groups and distant faces."),
    .double(
      "min-confidence", \.minConfidence, in: 0...1,
      "Least confidence of a face, 0 to 1. Lower finds more faces and more that are none."),
    .uint(
      "max-faces", \.maxFaces, in: 1...64,
      "Most faces reported in a frame; the most certain ones are kept."),
    .double(
      "min-face-size", \.minFaceSize, in: 0...1,
      "Smallest face reported, as a share of the frame's shorter side; 0 reports all."),
    .videoDirection(\.direction),
    .bool(
      "display", \.display,
      "Draw the box, points and number of each face into the picture. This copies frames that "
        + "others hold too."),
    .choice("updates", \.updates, "When facedetect messages are posted on the bus."),
    .string(
      "model-dir", \.modelDirectory, atStart: true,
      "Folder of the model files. Unset, they are looked for in $MIEN_MODEL_PATH, beside the "
        + "plugin and in the data folders."),
    .uint(
      "n-threads", \.threads, in: 0...64, atStart: true,
      "Threads that look for faces; 0 takes one per core. Results are the same for every number."),
  ]

  private static let log = Log("facedetect", "Finds faces in video")
  private static let modelFiles = DataFiles(
    subfolder: "models", variable: "MIEN_MODEL_PATH",
    advice: "Run \"make setup\" in Mien's source folder to fetch the models, or set model-dir.")

  private let host: ElementHost
  private var threads: ThreadPool?
  private var detector: FaceDetector?
  /// The accuracy `detector` was loaded for, also when loading it failed.
  private var loaded: Accuracy?
  private var modelDirectory: String?
  private var tagOrientation = Orientation.up
  private var nextID: UInt32 = 1
  private var hadFaces = false

  init(host: ElementHost) { self.host = host }

  func start(_ settings: FaceDetectSettings) throws(ElementError) {
    threads = ThreadPool(threads: Int(settings.threads))
    modelDirectory = settings.modelDirectory
    try load(settings.accuracy)
    nextID = 1
    hadFaces = false
  }

  func stop() {
    detector = nil
    loaded = nil
    threads = nil
    tagOrientation = .up
  }

  func reset() {
    hadFaces = false
    tagOrientation = .up
  }

  func orientationChanged(_ orientation: Orientation) { tagOrientation = orientation }

  func access(to frame: borrowing FrameHeader, _ settings: FaceDetectSettings) -> FrameAccess {
    settings.display ? .change : .observe
  }

  func process(
    _ frame: borrowing Frame, _ settings: FaceDetectSettings
  ) throws(ElementError) {
    if settings.accuracy != loaded { reload(settings.accuracy) }
    guard let detector else { return }
    let orientation = settings.direction.orientation ?? tagOrientation
    let limits = FaceDetector.Limits(
      minScore: settings.minConfidence, count: Int(settings.maxFaces),
      minSize: settings.minFaceSize)
    let detections: [Detection]
    do {
      detections = try detector.detect(
        in: frame.picture, orientation: orientation, limits: limits)
    } catch {
      throw ElementError(.failed, "Looking for faces failed.", detail: error.description)
    }
    let faces = detections.map { Face($0, id: newID(), orientation: orientation) }
    Self.log(.log, host, "\(faces.count) faces")
    frame.attach(faces)
    if settings.display { FaceOverlay.draw(faces, on: frame.picture) }
    post(faces, frame, settings.updates)
  }

  private func newID() -> UInt32 {
    defer { nextID = nextID == .max ? 1 : nextID + 1 }
    return nextID
  }

  private func load(_ accuracy: Accuracy) throws(ElementError) {
    loaded = accuracy
    let path = try Self.modelFiles.find(accuracy.model.fileName, in: modelDirectory)
    do {
      detector = try FaceDetector(accuracy.model, Graph(path: path, threads: threads))
    } catch {
      throw ElementError(
        .wrongContent, "The face model \(path) cannot be used: \(error.description)")
    }
    Self.log(.info, host, "loaded \(path)")
  }

  /// Changes the model while playing: a file that cannot be used leaves the last one at work.
  private func reload(_ accuracy: Accuracy) {
    do throws(ElementError) { try load(accuracy) } catch { host.warn(error) }
  }

  private func post(_ faces: [Face], _ frame: borrowing Frame, _ updates: Updates) {
    let isDue =
      switch updates {
      case .everyFrame: true
      case .onFace: !faces.isEmpty
      case .onChange: faces.isEmpty == hadFaces
      case .none: false
      }
    hadFaces = !faces.isEmpty
    if isDue { host.post(frame.facesMessage(named: "facedetect", faces)) }
  }
}
