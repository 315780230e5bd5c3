package import Faces
package import Inference
import Occlusion
package import Pixels
package import Threads

/// Detects and tracks the faces of a film, and measures their meshes, poses and expressions.
///
/// Install the networks that `networks(for:)` lists, then process each picture in turn. Without the
/// mesh network there are boxes and keypoints; without the eye model the eyes are measured on the
/// mesh. One thread at a time may use it.
package final class FaceFinder {
  /// The settings, which may change with every picture.
  package struct Settings: Sendable, Equatable {
    package var accuracy = Accuracy.high
    /// The minimum score of a detection, 0...1.
    package var minConfidence = 0.5
    package var maxFaces = 32
    /// The tiles of the picture that are searched separately, for small faces.
    package var tiles = Tiles.auto
    /// The minimum size of a face, as a fraction of the picture's shorter side.
    package var minFaceSize = 0.0
    /// Whether faces keep their ids, and are tracked between runs of the detector.
    package var tracking = true
    /// Pictures between two runs of the detector while all known faces are tracked.
    package var detectInterval = 5
    /// Which mesh network measures faces.
    package var mesh = MeshChoice.auto
    /// Whether faces have their mesh.
    package var landmarks = true
    /// Whether faces have pose and expression.
    package var expressions = true
    /// Whether faces have the scores of blendshapes; they then have the mesh of 478 points.
    package var blendshapes = false
    /// Whether what covers tracked faces with a mesh is measured.
    package var occlusion = false
    /// Whether the heads of people without a face are faces too.
    package var heads = false
    /// The hands that are reported at most, 0 for none.
    package var maxHands = 0
    /// Whether these hands cannot be done without: their networks must be there.
    package var requiresHands = false
    /// 0 raw, 1 smoothest.
    package var smoothing = 0.5

    package init() {}

    var needsMesh: Bool { landmarks || expressions || blendshapes }
  }

  /// The detectors that search pictures.
  package enum Accuracy: String, Sendable, CaseIterable {
    /// BlazeFace's short-range network alone: faces up to about two metres from the camera. Fastest.
    case low
    /// YuNet for small and distant faces too, and the short-range network for turned ones.
    case high
  }

  /// Below `certain` two pictures are different scenes; below `likely` they are if in addition no
  /// face is where it was predicted.
  private static let cutSimilarity: (certain: Float, likely: Float) = (0.4, 0.5)

  let searcher = FaceSearcher()
  /// The mesh networks that are installed.
  var meshes: [FaceMeshModel.Kind: FaceMeshModel] = [:]
  var eyeModel: EyeOpennessModel?
  var blendshapeModel: BlendshapeModel?

  var tracker = FaceTracker()
  /// What the detector searches next.
  var schedule = SearchSchedule()
  private var isNewScene = true
  private var scene = SceneCutDetector()
  /// Detections that the mesh network has rejected.
  var rejections = Rejections()
  /// Detections that a close-up does not show.
  var blurs = Rejections()
  private var exposure = Exposure()
  /// Made when it is first wanted, to save memory.
  private var occlusion: FaceOcclusion?
  let hands = HandFinder()
  private var handTracker = HandTracker()
  /// Finds the heads of people without a face, if it is installed.
  var headFinder: HeadFinder?
  /// The hands of the last picture, if any are wanted.
  package private(set) var trackedHands: [TrackedHand] = []
  private let templateScratch = FaceTemplate.Scratch()
  /// The seconds of the film so far, and the stream time of the last picture.
  private(set) var clock = 0.0
  private var lastTime: UInt64?
  private var view: UprightView?

  /// The number of the scene that the last picture belongs to: it changes at cuts and resets.
  package private(set) var sceneNumber: UInt32 = 0

  /// The events since the previous picture.
  package private(set) var events: [FaceEvent] = []

  /// Once it is set, the remaining faces of a picture are skipped.
  let cancellation: CancellationFlag

  package init(cancellation: CancellationFlag = CancellationFlag()) {
    self.cancellation = cancellation
  }

  // MARK: - Pictures

  /// Drops all faces, as after a seek; ids continue, and the next picture's events report the lost
  /// faces.
  package func reset() {
    startScene()
    scene.reset()
    lastTime = nil
  }

  /// The faces of the next picture, in order of detection.
  ///
  /// `time` is its stream time in nanoseconds; without one pictures are 1/30 s apart. A time before
  /// the last one resets the finder. `isPaced` says that the picture belongs to a film and has a
  /// duration; a picture that does not may be the only one. Positions are normalized to the stored
  /// picture; left, right and pose are those of the upright picture.
  package func process(
    _ picture: borrowing Picture, orientation: Orientation = .up, time: UInt64?,
    isPaced: Bool = true, settings: Settings
  ) throws(ModelError) -> [Face] {
    let view = UprightView(picture, orientation)
    if view != self.view || isBefore(time) { reset() }
    self.view = view
    try searcher.configure(view.frame)
    let context = Context(
      view: view, settings: settings, seconds: advance(to: time), gain: exposure.gain(of: picture))
    events.removeAll(keepingCapacity: true)
    defer { reportLost() }
    guard settings.tracking else {
      headFinder?.reset()
      var faces = try processIndependently(picture, context, isStill: !isPaced)
      try appendHeads(to: &faces, picture, context)
      hands.reset()
      handTracker.reset()
      if settings.maxHands > 0 {
        hands.begin(
          picture, orientation: orientation, gain: context.gain, wanted: settings.maxHands)
      }
      try trackHands(beside: faces, picture, context, isStill: !isPaced)
      return faces
    }

    tracker.begin(time: clock, frame: view.frame)
    let similarity = scene.similarity(picture)
    if similarity < Self.cutSimilarity.certain { startScene() }
    try measureTracked(picture, context)
    matchTemplates(picture, view)
    tracker.resolveOverlaps()
    if similarity < Self.cutSimilarity.likely
      && !tracker.tracks.contains(where: { $0.lastUpdate == clock })
    {
      startScene()
    }
    let isStill = isNewScene && !isPaced
    try search(picture, context, isFirst: isNewScene, isStill: isStill)
    isNewScene = false
    updateTemplates(picture, view)
    tracker.end(
      limit: settings.maxFaces, minimumSize: 0.8 * settings.minFaceSize * view.shorterSide)
    var faces = try makeFaces(tracker.tracks.filter(\.isReported), picture, context)
    try measureHandsAndCovers(of: &faces, picture, context, isStill: isStill)
    try appendHeads(to: &faces, picture, context)
    return faces
  }

  /// Measures hands, and what covers the faces of a film.
  private func measureHandsAndCovers(
    of faces: inout [Face], _ picture: borrowing Picture, _ context: Context, isStill: Bool
  ) throws(ModelError) {
    let (settings, wanted) = (context.settings, context.settings.maxHands)
    let hasCovers = settings.occlusion && settings.landmarks
    if !hasCovers { occlusion?.reset() }
    guard hasCovers || wanted > 0 else {
      hands.reset()
      handTracker.reset()
      trackedHands.removeAll(keepingCapacity: true)
      return
    }
    guard !cancellation.isSet else { return }
    hands.begin(
      picture, orientation: context.view.orientation, gain: context.gain, wanted: wanted)
    if hasCovers {
      let occlusion = occlusion ?? FaceOcclusion()
      self.occlusion = occlusion
      occlusion.update(&faces, picture, hands)
    }
    try trackHands(beside: faces, picture, context, isStill: isStill)
  }

  /// Searches for wanted hands, and sets `trackedHands`.
  private func trackHands(
    beside faces: [Face], _ picture: borrowing Picture, _ context: Context, isStill: Bool
  ) throws(ModelError) {
    let (view, settings) = (context.view, context.settings)
    trackedHands.removeAll(keepingCapacity: true)
    if settings.maxHands > 0, !cancellation.isSet {
      hands.searchWidely(
        picture, faces: faces.map { view.upright($0.box) },
        isStill: isStill || !settings.tracking)
      trackedHands = handTracker.update(
        hands.hands, view, seconds: settings.tracking ? context.seconds : 0,
        smoothing: settings.tracking ? settings.smoothing : 0, limit: settings.maxHands
      ) { tracker.newID() }
    } else {
      handTracker.reset()
    }
    if let error = hands.error { throw error }
  }

  private func isBefore(_ time: UInt64?) -> Bool {
    guard let time, let lastTime else { return false }
    return time < lastTime
  }

  /// Seconds since the last picture.
  private func advance(to time: UInt64?) -> Double {
    var seconds = 1.0 / 30
    if let time, let lastTime, time > lastTime { seconds = Double(time - lastTime) * 1e-9 }
    lastTime = time ?? lastTime
    clock += seconds
    return seconds
  }

  private func startScene() {
    isNewScene = true
    sceneNumber &+= 1
    occlusion?.reset()
    hands.reset()
    handTracker.reset()
    headFinder?.reset()
    schedule.reset()
    rejections.removeAll()
    blurs.removeAll()
    tracker.clear()
    tracker.begin(time: clock, frame: view?.frame ?? .zero)
  }

  private func reportLost() {
    for id in tracker.lost { report(.lost, id) }
    tracker.lost.removeAll(keepingCapacity: true)
  }

  func report(_ kind: FaceEvent.Kind, _ id: UInt32) { events.append(FaceEvent(kind, id: id)) }

  // MARK: - Tracking

  /// Follows the faces that were not measured by their templates.
  private func matchTemplates(_ picture: borrowing Picture, _ view: UprightView) {
    for track in tracker.tracks where tracker.shouldMatchTemplate(track) {
      let box = track.predicted(at: clock).box
      guard let match = track.template?.match(picture, view, near: box, templateScratch) else {
        continue
      }
      tracker.recordMatch(track, match)
    }
  }

  /// Adapts the templates of all faces in this picture.
  private func updateTemplates(_ picture: borrowing Picture, _ view: UprightView) {
    for track in tracker.followedTracks {
      let box = track.observation.box
      if track.template == nil {
        track.template = FaceTemplate(picture, view, box, templateScratch)
      } else if !tracker.isCrowded(track) {
        track.template?.adapt(to: picture, view, box, templateScratch)
      }
    }
  }
}

extension FaceFinder {
  /// The geometry and the settings of the current picture.
  struct Context {
    let view: UprightView
    var settings: Settings
    /// The seconds since the last picture.
    var seconds: Double
    /// The gain with which networks sample the picture.
    let gain: Float
    /// The known faces and those that are probably new.
    var expectedFaces = 0

    /// The same with this number of expected faces.
    func expecting(_ faces: Int) -> Context {
      var context = self
      context.expectedFaces = faces
      return context
    }
  }
}
