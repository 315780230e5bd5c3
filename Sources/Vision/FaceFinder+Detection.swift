import Faces
import Inference
import Pixels
import Threads

/// Detection: which part of a picture the detector searches, and how its results become tracks.
extension FaceFinder {
  /// Runs the detector if the tracker requests it and the schedule allows it in this picture.
  func search(
    _ picture: borrowing Picture, _ context: Context, isStill: Bool
  ) throws(ModelError) {
    let settings = context.settings
    guard
      let request = tracker.detectionRequest(
        interval: settings.detectInterval, limit: settings.maxFaces)
    else { return }
    let tiling = tiling(2, context.view)
    let scope = schedule.next(
      settings.tiles, request, isStill: isStill, rests: settings.detectInterval > 1,
      count: tiling?.tiles.count ?? 0)
    guard scope != .nothing else { return }
    let rule = rule(settings, isStill: isStill)
    var tile: Int?
    if case .tile(let number) = scope { tile = number }
    let detections = try detections(in: picture, context, scope, rule)
    for candidate in tracker.match(detections, tile: tile) where !cancellation.isSet {
      let (observation, probability) = try verify(candidate.detection, picture, context, rule)
      let isNew = candidate.track?.isConfirmed != true
      let track = tracker.accept(
        candidate, observation, probability: probability ?? candidate.detection.score,
        limit: settings.maxFaces, rule: rule, tile: tile)
      if let track, isNew { report(.found, track.id) }
    }
  }

  /// The faces of a picture that is independent of others.
  func processIndependently(
    _ picture: borrowing Picture, _ context: Context, isStill: Bool
  ) throws(ModelError) -> [Face] {
    if !tracker.tracks.isEmpty { reset() }
    let rule = rule(context.settings, isStill: true)
    let scope: SearchSchedule.Scope =
      switch context.settings.tiles {
      case .none: .whole
      case .auto: isStill ? .allScales : .whole
      case .two: .allTiles(2)
      case .three: .allTiles(3)
      }
    var faces: [Face] = []
    var raw = context
    (raw.settings.smoothing, raw.seconds) = (0, 0)
    for detection in try detections(in: picture, context, scope, rule) where !cancellation.isSet {
      let (observation, probability) = try verify(detection, picture, context, rule)
      guard rule.suggestsFace(score: detection.score, probability: probability ?? 0) else {
        continue
      }
      let track = Track(observation, score: detection.score, time: 0)
      track.confirm(as: tracker.newID())
      faces += try makeFaces([track], picture, raw)
    }
    return faces
  }

  private func rule(_ settings: Settings, isStill: Bool) -> ConfirmationRule {
    ConfirmationRule(
      minimumScore: settings.minConfidence, hasMesh: settings.needsMesh && mesh != nil,
      isStill: isStill)
  }

  /// The face that the mesh network measures at a detection, and its probability; the detection
  /// itself, without one, where there is none or the network measures the face beside it.
  private func verify(
    _ detection: Detection, _ picture: borrowing Picture, _ context: Context,
    _ rule: ConfirmationRule
  ) throws(ModelError) -> (Observation, probability: Double?) {
    let observation = Observation(detection)
    guard rule.hasMesh, let mesh else { return (observation, nil) }
    let found = try mesh.measure(
      picture, orientation: context.view.orientation, regions: [Region(detection)],
      unless: cancellation)
    guard let face = found[0], let measured = face.mesh.map({ Observation($0) }),
      measured.box.iou(observation.box) > 0.4
    else { return (observation, nil) }
    return (measured, face.probability)
  }

  /// The detections in pixels of the upright picture, best score first.
  private func detections(
    in picture: borrowing Picture, _ context: Context, _ scope: SearchSchedule.Scope,
    _ rule: ConfirmationRule
  ) throws(ModelError) -> [Detection] {
    var found: [Tiling.TiledDetection] = []
    switch scope {
    case .nothing: break
    case .whole: found = try detections(in: picture, context, rule)
    case .tile(let number):
      guard let tiling = tiling(2, context.view), number < tiling.tiles.count else { break }
      found = try detections(in: picture, context, rule, tiling, tiling.tiles[number])
    case .allTiles(let number):
      found = try detections(in: picture, context, rule)
      try addTiles(number, to: &found, picture, context, rule)
    case .allScales:
      found = try detections(in: picture, context, rule)
      try addTiles(2, to: &found, picture, context, rule)
      // Smaller faces are likely where the smallest is that small, or where none is found.
      let smallest =
        found.lazy.map { max($0.detection.box.width, $0.detection.box.height) }.min() ?? 0
      if smallest < 0.08 * context.view.longerSide {
        try addTiles(3, to: &found, picture, context, rule)
      }
    }
    return Array(Tiling.mergeDuplicates(found).prefix(context.settings.maxFaces))
  }

  private func addTiles(
    _ number: Int, to found: inout [Tiling.TiledDetection], _ picture: borrowing Picture,
    _ context: Context, _ rule: ConfirmationRule
  ) throws(ModelError) {
    guard let tiling = tiling(number, context.view) else { return }
    for tile in tiling.tiles where !cancellation.isSet {
      found += try detections(in: picture, context, rule, tiling, tile)
    }
  }

  private func detections(
    in picture: borrowing Picture, _ context: Context, _ rule: ConfirmationRule,
    _ tiling: Tiling? = nil, _ tile: Rectangle? = nil
  ) throws(ModelError) -> [Tiling.TiledDetection] {
    guard let detector else { return [] }
    let (view, settings) = (context.view, context.settings)
    let options = FaceDetector.Options(
      minScore: rule.detectorThreshold, count: 4 * settings.maxFaces, minSize: settings.minFaceSize)
    let step = (tile?.width ?? view.longerSide) / Double(detector.side)
    return try detector.detect(
      in: picture, orientation: view.orientation, options: options, tile: tile
    ).compactMap { detection in
      let detection = detection.mapped(by: view.normalizedToPixels)
      if let tiling, let tile, tiling.isCut(detection.box, by: tile) { return nil }
      return Tiling.TiledDetection(detection: detection, pixelsPerSample: step)
    }
  }

  /// The tiling of a picture that has more pixels than the detector's input.
  private func tiling(_ number: Int, _ view: UprightView) -> Tiling? {
    guard let detector, view.longerSide > 1.5 * Double(detector.side) else { return nil }
    return Tiling(number, of: view.frame)
  }
}
