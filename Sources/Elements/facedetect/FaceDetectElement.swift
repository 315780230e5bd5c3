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

/// Detects and tracks faces, and hands if they are wanted, and reports them as metadata and messages; the
/// picture is unchanged.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! facedetect display=true ! autovideosink
final class FaceDetectElement: Analyzer {
  static let description = ElementDescription(
    name: "facedetect", typeName: "MienFaceDetect", longName: "Face detector",
    classification: "Filter/Effect/Analyzer/Video",
    summary: "Detects and tracks faces and reports them as metadata (MienFaces, regions of "
      + "interest \"face\") and messages; the picture stays unchanged",
    formats: PixelFormat.allCases, alias: "mienfacedetect", dropsLateFrames: false)

  private static let log = Log("facedetect", "Face detector")

  private let host: ElementHost
  private var threads: ThreadPool?
  private let cancellation = CancellationFlag()
  private var finder: FaceFinder
  /// Nil unless `async` is on.
  private var background: AsyncFaceFinder?
  /// The latest result of `background`.
  private var latest: AsyncFaceFinder.Outcome?
  private var size = (width: 0, height: 0)
  private let analyzed = AnalyzedPicture()
  /// The networks that the settings of the last frame use.
  private var wanted: [FaceFinder.Network] = []
  /// Those of them without which no frame can be analysed.
  private var required: [FaceFinder.Network] = []
  /// The settings whose networks were last compared with these.
  private var checked: FaceFinder.Settings?
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
    checked = nil
    modelDirectory = settings.modelDirectory
    finder = FaceFinder(cancellation: cancellation)
    try load(settings.finderNow) { (error) throws(ElementError) in throw error }
    hadFaces = false
    output = AnalyticsOutput()
    hasMissedAnalytics = false
  }

  func configure(_ format: VideoFormat) {
    defer { size = (format.width, format.height) }
    analyzed.configure(format)
    guard size != (format.width, format.height) else { return }
    // Results from frames of another size do not apply.
    background?.reset()
    latest = nil
  }

  func stop() {
    endBackground()
    finder = FaceFinder(cancellation: cancellation)
    wanted = []
    analyzed.release()
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
    let hands: [TrackedHand]
    let scene: UInt32
    let events: [FaceEvent]
    do {
      if settings.async {
        events = try lookInBackground(frame, settings)
        faces = latest?.faces(at: frame.header.orderedTime) ?? []
        hands = latest?.hands ?? []
        scene = latest?.scene ?? 0
      } else {
        endBackground()
        faces = try look(frame, settings)
        hands = finder.trackedHands
        scene = finder.sceneNumber
        events = finder.events
      }
    } catch {
      throw ElementError(.failed, "Face detection failed.", detail: error.description)
    }
    Self.log(.log, host, "\(faces.count) faces")
    if settings.analytics == .always { missAnalytics() }
    let wantedHands = settings.finderNow.maxHands > 0 ? hands : nil
    frame.attachFaces(
      faces, hands: wantedHands, scene: scene, &output, settings.analytics.choice)
    if settings.display {
      FaceOverlay.draw(faces, on: frame.picture)
      HandOverlay.draw(wantedHands ?? [], on: frame.picture)
    }
    if settings.updates != .none {
      for event in events { host.post(frame.eventMessage(event.kind.rawValue, face: event.id)) }
    }
    post(faces, wantedHands, frame, settings.updates)
  }

  /// Posts one warning if the GstAnalytics library is missing.
  private func missAnalytics() {
    guard !hasMissedAnalytics, !AnalyticsOutput.isAvailable else { return }
    hasMissedAnalytics = true
    host.warn(
      ElementError(
        .settings,
        "GstAnalytics is not installed, so facedetect writes only MienFaces and regions of "
          + "interest. Install gst-plugins-bad of GStreamer 1.24 or newer, or set analytics=auto."
      ))
  }

  private func look(
    _ frame: borrowing Frame, _ settings: FaceDetectSettings
  ) throws(ModelError) -> [Face] {
    reload(settings.finderNow)
    let (time, isPaced) = (frame.header.orderedTime, frame.header.duration != nil)
    return try analyzed.withPicture(frame.picture, threads) { (picture) throws(ModelError) in
      try finder.process(
        picture, orientation: settings.direction.orientation ?? tagOrientation, time: time,
        isPaced: isPaced, settings: settings.finderNow)
    }
  }

  /// Collects the background's result since the last frame and submits this frame if it is idle;
  /// returns the face events of the result.
  private func lookInBackground(
    _ frame: borrowing Frame, _ settings: FaceDetectSettings
  ) throws(ModelError) -> [FaceEvent] {
    let background = background ?? AsyncFaceFinder(finder)
    self.background = background
    let outcome = try background.collect()
    if let outcome { latest = outcome }
    let time = frame.header.orderedTime
    if let time, let found = latest?.time, found > time {
      // Time has jumped back: the result belongs to a later frame.
      background.reset()
      latest = nil
    }
    if background.isIdle {
      reload(settings.finderNow)
      let isPaced = frame.header.duration != nil
      analyzed.withPicture(frame.picture, threads) { picture in
        _ = background.submit(
          picture, orientation: settings.direction.orientation ?? tagOrientation, time: time,
          isPaced: isPaced, settings: settings.finderNow)
      }
    }
    return latest == nil ? [] : outcome?.events ?? []
  }

  private func endBackground() {
    guard let background else { return }
    if background.stop() {
      finder.reset()
    } else {
      Self.log(.warning, host, "abandoned a face detection: no response")
      finder = FaceFinder(cancellation: cancellation)
      wanted = []
      checked = nil
    }
    self.background = nil
    latest = nil
  }

  /// Loads the networks that the settings use; passes errors to `fail`.
  private func load<E>(
    _ settings: FaceFinder.Settings, _ fail: (ElementError) throws(E) -> Void
  ) throws(E) {
    wanted = FaceFinder.networks(for: settings)
    required = FaceFinder.requiredNetworks(settings)
    finder.dropUnused(settings)
    if settings.blendshapes && settings.mesh == .points468 {
      try fail(
        ElementError(
          .settings,
          "Blendshapes are measured on the mesh of 478 points: set mesh=auto or mesh=478."))
    }
    for network in wanted where !finder.has(network) {
      do throws(ElementError) {
        try load(network)
      } catch {
        // A model that is not required may be missing; it must not be invalid.
        guard !FaceFinder.isRequired(network, for: settings), error.code == .notFound else {
          try fail(error)
          continue
        }
        Self.log(.warning, host, "detecting without an optional model: \(error.message)")
      }
    }
  }

  private func load(_ network: FaceFinder.Network) throws(ElementError) {
    let loaded = try ModelFiles.load(
      network.fileName, "face", in: modelDirectory
    ) { (path) throws(ModelError) in try finder.install(network, from: path, threads: threads) }
    Self.log(.info, host, loaded)
  }

  /// Changes the networks while playing; warns about files that cannot be used.
  private func reload(_ settings: FaceFinder.Settings) {
    guard settings != checked else { return }
    checked = settings
    guard
      FaceFinder.networks(for: settings) != wanted
        || FaceFinder.requiredNetworks(settings) != required
    else { return }
    load(settings) { host.warn($0) }
  }

  private func post(
    _ faces: [Face], _ hands: [TrackedHand]?, _ frame: borrowing Frame, _ updates: Updates
  ) {
    let isDue =
      switch updates {
      case .everyFrame: true
      case .onFace: !faces.isEmpty
      case .onChange: faces.isEmpty == hadFaces
      case .none: false
      }
    hadFaces = !faces.isEmpty
    if isDue { host.post(frame.facesMessage(named: "facedetect", faces, hands: hands)) }
  }
}
