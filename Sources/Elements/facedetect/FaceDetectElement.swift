import Binding
import Faces
import Files
import Frames
import Inference
import Metadata
import Pixels
import Retouch
import Threads
import Vision

/// Finds and follows faces and describes them as metadata and messages; the picture is not touched.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect display=true ! videoconvert ! autovideosink
final class FaceDetectElement: Analyzer {
  static let description = ElementDescription(
    name: "facedetect", typeName: "MienFaceDetect", longName: "Face detector",
    classification: "Filter/Analyzer/Video",
    summary: "Finds faces and describes them as metadata (MienFaces, regions of interest \"face\") "
      + "and messages, without touching the picture",
    formats: PixelFormat.allCases, alias: "mienfacedetect", dropsLateFrames: false)

  static let properties: [Property<FaceDetectSettings>] = [
    .choice(
      "accuracy", \.finder.accuracy,
      "Which model looks for faces: low is made for faces near the camera and is about three times "
        + "as fast, high also finds groups and distant faces."),
    .double(
      "min-confidence", \.finder.minConfidence, in: 0...1,
      "Least confidence of a face, 0 to 1. Lower finds more faces and more that are none. A face "
        + "whose mesh is found needs half of it. In films a face is reported at once where "
        + "its confidence is higher by 0.15, and otherwise when it was seen in four of seven "
        + "frames."),
    .uint(
      "max-faces", \.finder.maxFaces, in: 1...64,
      "Most faces reported in a frame; faces being followed stay, of new ones the most certain."),
    .double(
      "min-face-size", \.finder.minFaceSize, in: 0...1,
      "Smallest face reported, as a share of the frame's shorter side; 0 reports all."),
    .bool(
      "tracking", \.finder.tracking,
      "Follow faces from frame to frame: a face keeps its id while it stays. Off, every frame is "
        + "looked at for itself, every face has a new id, and there are no face-event messages."),
    .uint(
      "detect-interval", \.finder.detectInterval, in: 1...300,
      "Frames from one search for new faces to the next while every known face is being followed "
        + "by its landmarks. Higher costs less and notices new faces later. While a lost face is "
        + "looked for, and without landmarks and expressions, every frame is searched; while "
        + "nobody is in view every second one, with 1 every one; while max-faces faces are "
        + "followed, none is."),
    .choice(
      "tiles", \.finder.tiles,
      "Parts of the frame that are searched for themselves, so that smaller faces are found, as in "
        + "groups and crowds. In a frame of 16:9 halves cost two searches more, thirds six."),
    .bool(
      "landmarks", \.finder.landmarks,
      "Report the 468 points of each face's mesh. Off, with expressions off too, the mesh is not "
        + "computed and its model not loaded."),
    .bool(
      "expressions", \.finder.expressions,
      "Measure how far eyes and mouth are open, smile and head pose of each face. Off, they are "
        + "not computed and the eye model is not loaded."),
    .double(
      "smoothing", \.finder.smoothing, in: 0...1,
      "How much jitter is taken out of boxes and points: 0 reports them raw, 1 smooths most and "
        + "lags behind fast faces. Without tracking nothing is smoothed."),
    .videoDirection(\.direction),
    .bool(
      "async", \.async,
      "Look for faces on another thread, always in the newest frame. Frames never wait; each "
        + "carries the newest result there is, a frame or more old, with its faces moved on as far "
        + "as they will have gone since."),
    .bool(
      "display", \.display,
      "Draw the box, points, id and pose of each face into the picture. This copies frames that "
        + "others hold too."),
    .choice("updates", \.updates, "When facedetect messages are posted on the bus."),
    .choice(
      "analytics", \.analytics,
      "When faces are written as GStreamer's own analysis results (GstAnalytics) too, which other "
        + "elements for analysis read: as object detections \"face\" with their tracks and "
        + "expressions. Its library comes with GStreamer 1.24 and newer."),
    .path(
      "model-dir", \.modelDirectory, atStart: true,
      "Folder of the model files. Unset, they are looked for in $MIEN_MODEL_PATH, beside the "
        + "plugin and in the data folders."),
    .uint(
      "n-threads", \.threads, in: 0...64, atStart: true,
      "Threads that look for faces; 0 takes one per core. Results are the same for every number."),
  ]

  private static let log = Log("facedetect", "Finds faces in video")

  private let host: ElementHost
  private var threads: ThreadPool?
  private let cancellation = CancellationFlag()
  private var finder: FaceFinder
  /// At work while `async` is on.
  private var background: AsyncFaceFinder?
  /// What the background has found last.
  private var latest: AsyncFaceFinder.Outcome?
  private var size = (width: 0, height: 0)
  /// The networks the last frame's settings make use of.
  private var wanted: [FaceFinder.Network] = []
  private var modelDirectory: FilePath?
  private var tagOrientation = Orientation.up
  private var hadFaces = false
  private var output = AnalyticsOutput()
  private var hasMissedAnalytics = false

  init(host: ElementHost) {
    self.host = host
    finder = FaceFinder(cancellation: cancellation)
  }

  func start(_ settings: FaceDetectSettings) throws(ElementError) {
    threads = ThreadPool(threads: settings.threads)
    cancellation.clear()
    modelDirectory = settings.modelDirectory
    finder = FaceFinder(cancellation: cancellation)
    try load(settings.finder) { (error) throws(ElementError) in throw error }
    hadFaces = false
    output = AnalyticsOutput()
    hasMissedAnalytics = false
  }

  func configure(_ format: VideoFormat) {
    defer { size = (format.width, format.height) }
    guard size != (format.width, format.height) else { return }
    // What was found in frames of another size does not fit these.
    background?.reset()
    latest = nil
  }

  func stop() {
    endBackground()
    finder = FaceFinder(cancellation: cancellation)
    wanted = []
    threads = nil
    tagOrientation = .up
  }

  func interrupt() { cancellation.set() }

  func reset() {
    cancellation.clear()
    if let background { background.reset() } else { finder.reset() }
    latest = nil
    hadFaces = false
    output.reset()
  }

  func orientationChanged(_ orientation: Orientation) { tagOrientation = orientation }

  static func draws(_ settings: FaceDetectSettings) -> Bool { settings.display }

  func analyze(_ frame: borrowing Frame, _ settings: FaceDetectSettings) throws(ElementError) {
    let faces: [Face]
    let events: [FaceEvent]
    do {
      if settings.async {
        events = try lookInBackground(frame, settings)
        faces = latest?.faces(at: time(of: frame)) ?? []
      } else {
        endBackground()
        faces = try look(frame, settings)
        events = finder.events
      }
    } catch {
      throw ElementError(.failed, "Looking for faces failed.", detail: error.description)
    }
    Self.log(.log, host, "\(faces.count) faces")
    if settings.analytics == .always { missAnalytics() }
    frame.attach(faces, &output, settings.analytics.choice)
    if settings.display { FaceOverlay.draw(faces, on: frame.picture) }
    if settings.updates != .none {
      for event in events { host.post(frame.eventMessage(event.kind.rawValue, face: event.id)) }
    }
    post(faces, frame, settings.updates)
  }

  /// Says once that the library is not there.
  private func missAnalytics() {
    guard !hasMissedAnalytics, !AnalyticsOutput.isAvailable else { return }
    hasMissedAnalytics = true
    host.warn(
      ElementError(
        .settings,
        "GstAnalytics is not on this system, so facedetect writes MienFaces and regions of interest "
          + "alone. It comes with GStreamer 1.24 and newer, in gst-plugins-bad."))
  }

  private func look(
    _ frame: borrowing Frame, _ settings: FaceDetectSettings
  ) throws(ModelError) -> [Face] {
    reload(settings.finder)
    return try finder.process(
      frame.picture, orientation: settings.direction.orientation ?? tagOrientation,
      time: time(of: frame), isPaced: frame.header.duration != nil, settings: settings.finder)
  }

  /// Collects what the background has found since the last frame and lets it look at this one;
  /// returns what happened.
  private func lookInBackground(
    _ frame: borrowing Frame, _ settings: FaceDetectSettings
  ) throws(ModelError) -> [FaceEvent] {
    let background = background ?? AsyncFaceFinder(finder)
    self.background = background
    let outcome = try background.collect()
    if let outcome { latest = outcome }
    let time = time(of: frame)
    if let time, let found = latest?.time, found > time {
      // The stream went back: what was found belongs to a later frame.
      background.reset()
      latest = nil
    }
    if background.isIdle {
      reload(settings.finder)
      background.submit(
        frame.picture, orientation: settings.direction.orientation ?? tagOrientation, time: time,
        isPaced: frame.header.duration != nil, settings: settings.finder)
    }
    return latest == nil ? [] : outcome?.events ?? []
  }

  private func endBackground() {
    guard let background else { return }
    if background.stop() {
      finder.reset()
    } else {
      Self.log(.warning, host, "a search for faces was left behind")
      finder = FaceFinder(cancellation: cancellation)
      wanted = []
    }
    self.background = nil
    latest = nil
  }

  /// Running time, for it goes forward whichever way the stream is played.
  private func time(of frame: borrowing Frame) -> UInt64? {
    frame.header.runningTime ?? frame.header.timestamp
  }

  /// Loads the networks that the settings make use of; `fail` hears why one cannot be had.
  private func load<E>(
    _ settings: FaceFinder.Settings, _ fail: (ElementError) throws(E) -> Void
  ) throws(E) {
    wanted = FaceFinder.networks(for: settings)
    finder.dropUnused(settings)
    for network in wanted where !finder.has(network) {
      do throws(ElementError) {
        try load(network)
      } catch {
        // The mesh tells of the eyes too, only less; a file that is there must be right all the same.
        guard network == .eyeOpenness, error.code == .notFound else {
          try fail(error)
          continue
        }
        Self.log(.warning, host, "eyes are measured by the mesh alone: \(error.message)")
      }
    }
  }

  private func load(_ network: FaceFinder.Network) throws(ElementError) {
    let loaded = try ModelFiles.load(
      network.fileName, "face", in: modelDirectory, threads: threads
    ) { (graph) throws(ModelError) in try finder.install(graph, as: network) }
    Self.log(.info, host, loaded)
  }

  /// Changes the models while playing: a file that cannot be used leaves the others at work.
  private func reload(_ settings: FaceFinder.Settings) {
    if FaceFinder.networks(for: settings) != wanted { load(settings) { host.warn($0) } }
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
