package import Faces
package import Inference
package import Pixels
package import Threads

/// Finds the faces of a film, follows them, and tells what they do.
///
/// Give it the networks that `networks(for:)` names, then every picture in turn. Without a network
/// that is missing it does what it can: without the mesh there are boxes and keypoints, without
/// the eye model the eyes are measured on the mesh. Not for two threads at once.
package final class FaceFinder {
  /// What is wanted; may be different for every picture.
  package struct Settings: Sendable, Equatable {
    package var accuracy = FaceDetector.Model.fullRange
    /// Least score of a detection, 0...1.
    package var minConfidence = 0.5
    package var maxFaces = 16
    /// Parts of the picture that are looked at for themselves, for small faces.
    package var tiles = Tiles.auto
    /// Smallest face, as a share of the picture's shorter side.
    package var minFaceSize = 0.0
    /// Whether faces keep their numbers and are followed between runs of the detector.
    package var tracking = true
    /// Pictures between two runs of the detector while every known face is being followed.
    package var detectInterval = 5
    /// Whether faces have their mesh.
    package var landmarks = true
    /// Whether faces have pose and expression.
    package var expressions = true
    /// 0 raw, 1 smoothest.
    package var smoothing = 0.5

    package init() {}

    var needsMesh: Bool { landmarks || expressions }
  }

  /// A network and the file it comes from.
  package enum Network: Sendable, Hashable {
    case detector(FaceDetector.Model)
    case mesh
    case lids

    package var fileName: String {
      switch self {
      case .detector(let model): model.fileName
      case .mesh: FaceMesh.fileName
      case .lids: EyeLids.fileName
      }
    }
  }

  /// Pictures less alike are two scenes, and pictures in which in addition no face is where it
  /// was expected need only be less alike than the second number.
  private static let cut: (certain: Float, likely: Float) = (0.4, 0.5)

  private(set) var detector: FaceDetector?
  private var detectorModel: FaceDetector.Model?
  private(set) var mesh: FaceMesh?
  private var lids: EyeLids?

  var tracker = FaceTracker()
  /// Where the detector looks next.
  var schedule = SearchSchedule()
  private var isNewScene = true
  private var scene = SceneCut()
  /// Seconds of the film so far, and the stream time of the last picture.
  private var clock = 0.0
  private var lastTime: UInt64?
  private var view: View?
  private var scratch = Mesh.empty

  /// What happened between the last picture and the one before.
  package private(set) var events: [FaceEvent] = []

  /// Once it is set, faces that were not looked at yet are left out.
  let interruption: CancellationFlag

  package init(interruption: CancellationFlag = CancellationFlag()) {
    self.interruption = interruption
  }

  // MARK: - Networks

  /// The networks that `settings` make use of; only the eye model can be done without.
  package static func networks(for settings: Settings) -> [Network] {
    var networks = [Network.detector(settings.accuracy)]
    if settings.needsMesh { networks.append(.mesh) }
    if settings.expressions { networks.append(.lids) }
    return networks
  }

  package func has(_ network: Network) -> Bool {
    switch network {
    case .detector(let model): detectorModel == model
    case .mesh: mesh != nil
    case .lids: lids != nil
    }
  }

  /// Takes a network into use, a detector in the place of the last one; one that is not what it is
  /// said to be is refused.
  package func install(_ graph: Graph, as network: Network) throws(ModelError) {
    switch network {
    case .detector(let model):
      detector = try FaceDetector(model, graph)
      detectorModel = model
    case .mesh: mesh = try FaceMesh(graph)
    case .lids: lids = try EyeLids(graph)
    }
  }

  /// Drops the mesh and the eye model where `settings` make no use of them.
  package func dropUnused(_ settings: Settings) {
    if !settings.needsMesh { mesh = nil }
    if !settings.expressions { lids = nil }
  }

  // MARK: - Pictures

  /// Forgets all faces, as after a seek; numbers go on, and the next picture's events tell which
  /// faces were lost.
  package func reset() {
    startScene()
    scene.reset()
    lastTime = nil
  }

  /// The faces of the next picture, those known longest first.
  ///
  /// `time` is its stream time in nanoseconds; without one pictures count as 1/30 s apart. A time
  /// before the last one starts anew. `isPaced` says that the picture is one of a film and shown
  /// for a known time; one that is not and begins a scene may be the only one. Places in the faces are shares of the picture as it is
  /// stored; left, right and pose are those of the upright picture.
  package func process(
    _ picture: borrowing Picture, orientation: Orientation = .up, time: UInt64?,
    isPaced: Bool = true, settings: Settings
  ) throws(ModelError) -> [Face] {
    let view = View(picture, orientation)
    if view != self.view || isBefore(time) { reset() }
    self.view = view
    let seconds = advance(to: time)
    events.removeAll(keepingCapacity: true)
    defer { reportLost() }
    guard settings.tracking else {
      return try single(picture, view, settings, isStill: !isPaced)
    }

    tracker.begin(time: clock, frame: view.frame)
    let likeness = scene.likeness(picture)
    if likeness < Self.cut.certain { startScene() }
    try follow(picture, view, settings)
    if likeness < Self.cut.likely && !tracker.tracks.contains(where: { $0.lastSeen == clock }) {
      startScene()
    }
    try search(picture, view, settings, isStill: isNewScene && !isPaced)
    isNewScene = false
    tracker.end(limit: settings.maxFaces, leastSize: 0.8 * settings.minFaceSize * view.shorterSide)
    return try describe(
      tracker.tracks.filter(\.isReported), picture, view, settings, seconds: seconds)
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
    schedule.reset()
    tracker.clear()
    tracker.begin(time: clock, frame: view?.frame ?? .zero)
  }

  private func reportLost() {
    for id in tracker.lost { report(.lost, id) }
    tracker.lost.removeAll(keepingCapacity: true)
  }

  func report(_ kind: FaceEvent.Kind, _ id: UInt32) { events.append(FaceEvent(kind, id: id)) }

  var lidsAreAtWork: Bool { lids != nil }

  /// Height over width of the opening of each eye, by the best network there is.
  func eyeAspects(
    _ picture: borrowing Picture, _ view: View, _ eyes: [EyeLids.Eye]
  ) throws(ModelError) -> [(value: Double, source: EyeBaseline.Source)] {
    let seen = try lids?.aspects(
      picture, orientation: view.orientation, eyes: eyes, unless: interruption)
    return eyes.enumerated().map { number, eye in
      guard let aspect = seen?[number] else {
        return (eye.mesh.eyeAspect(isLeft: eye.isLeft), .mesh)
      }
      return (aspect, .lids)
    }
  }

  // MARK: - Tracking

  private func follow(
    _ picture: borrowing Picture, _ view: View, _ settings: Settings
  ) throws(ModelError) {
    defer { tracker.settle() }
    guard settings.needsMesh, let mesh else { return }
    var (expected, regions): ([Track], [Region]) = ([], [])
    for track in tracker.tracks {
      guard let region = track.expectedRegion(at: clock) else { continue }
      guard tracker.shouldFollow(track) else {
        tracker.follow(track, nil, presence: 0)
        continue
      }
      expected.append(track)
      regions.append(region)
    }
    let found = try mesh.measure(
      picture, orientation: view.orientation, regions: regions, unless: interruption)
    for case (let track, let found?) in zip(expected, found) {
      tracker.follow(track, found.mesh.map { Sighting($0) }, presence: found.presence)
    }
  }

  func measure(
    _ picture: borrowing Picture, _ view: View, _ region: Region
  ) throws(ModelError) -> (Double, Sighting?) {
    guard let mesh else { return (0, nil) }
    let presence = try mesh.measure(
      picture, orientation: view.orientation, region: region, into: &scratch)
    return (presence, presence > 0.5 ? Sighting(scratch) : nil)
  }
}
