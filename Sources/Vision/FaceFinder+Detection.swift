import Faces
import Inference
import Pixels
import Threads

/// Detection: what is searched in a picture, and how detections become tracks.
extension FaceFinder {
  /// Searches the picture as the tracks and the schedule need; all of it in the `first` of a scene.
  func search(
    _ picture: borrowing Picture, _ context: Context, isFirst: Bool, isStill: Bool
  ) throws(ModelError) {
    let rule = rule(context.settings, isStill: isStill)
    let detections: [Detection]
    let searches: [Search]?
    if isFirst {
      detections = try searcher.runAll(in: picture, searchContext(context, rule))
      searches = nil
    } else {
      let chosen = nextSearches(context, rule)
      guard !chosen.isEmpty else { return }
      detections = try searcher.run(chosen, in: picture, searchContext(context, rule))
      searches = chosen
    }
    if searches?.allSatisfy(\.isNear) != true { tracker.picturesSinceSearch = 0 }
    let matches = tracker.match(limited(detections, context)) { track in
      searches.map {
        searcher.covers($0, track.observation.box, isTurned: track.isTurnedCandidate)
      } ?? true
    }
    let context = context.expecting(
      tracker.tracks.count(where: \.isConfirmed)
        + matches.count {
          $0.track == nil && $0.detection.score >= context.settings.minConfidence
        })
    for match in matches where !cancellation.isSet {
      guard let candidate = try refined(match, picture, context, rule) else { continue }
      let (observation, probability) = try verify(candidate, picture, context, rule)
      let isNew = candidate.track?.isConfirmed != true
      let track = tracker.accept(
        candidate, observation, probability: probability, limit: context.settings.maxFaces,
        rule: rule)
      if let track, isNew { report(.found, track.id) }
    }
    try verifyUnsupported(picture, context)
  }

  /// The size in pixels from which the mesh network tells a face from other objects.
  private static let supportedSize = 40.0

  /// Measures followed faces that the detector does not confirm: one that the mesh network sees stays.
  private func verifyUnsupported(
    _ picture: borrowing Picture, _ context: Context
  ) throws(ModelError) {
    guard let mesh = meshModel(.points468) else { return }
    for track in tracker.followedTracks
    where track.isConfirmed && track.observation.mesh == nil && tracker.isUnsupported(track) {
      let box = track.observation.box
      guard max(box.width, box.height) >= Self.supportedSize else { continue }
      let region = Region(
        face: box, from: track.observation.keypoints[0], to: track.observation.keypoints[1])
      let found = try mesh.measure(
        picture, orientation: context.view.orientation, regions: [region], gain: context.gain,
        unless: cancellation)
      if let face = found[0], face.probability > 0.9, let bounds = face.mesh?.bounds,
        bounds.iou(box) > 0.5
      {
        tracker.recordSupport(track)
      }
    }
  }

  /// A candidate with its detection in a close-up, if it is a new face that is not large.
  ///
  /// Where that shows none: a face of sufficient size, with a score so low that the mesh network
  /// decides, or nil.
  private func refined(
    _ candidate: FaceTracker.CandidateMatch, _ picture: borrowing Picture, _ context: Context,
    _ rule: ConfirmationRule
  ) throws(ModelError) -> FaceTracker.CandidateMatch? {
    let detection = candidate.detection
    guard candidate.track == nil, searcher.isUncertain(detection) else { return candidate }
    if FaceSearcher.isCoarse(detection), detection.score < rule.minimumScore { return nil }
    if !blurs.contains(detection.box, at: clock) {
      if let exact = try searcher.inCloseUp(
        detection, in: picture, searchContext(context, rule))
      {
        return FaceTracker.CandidateMatch(detection: exact, track: nil)
      }
      blurs.add(detection.box, at: clock)
    }
    // A turned face may be missing in the close-up; the mesh network sees it.
    guard rule.hasMesh, detection.score >= rule.minimumScore,
      max(detection.box.width, detection.box.height) >= Self.supportedSize
    else { return nil }
    var weak = detection
    weak.score = rule.minimumScore
    return FaceTracker.CandidateMatch(detection: weak, track: nil)
  }

  /// The searches of this picture.
  private func nextSearches(_ context: Context, _ rule: ConfirmationRule) -> [Search] {
    let settings = context.settings
    let boxes = tracker.boxesToDetect(hasMesh: rule.hasMesh && settings.needsMesh)
    let targets =
      searcher.hasYuNet
      ? tracker.missingTracks.map {
        searcher.search(
          for: $0.predicted(at: clock).box, settings.tiles, isTurned: $0.isTurnedCandidate)
      } : boxes.map { searcher.search(for: $0, settings.tiles) }
    let levels = tracker.tracks.map { searcher.level(for: $0.observation.box) }
    let chosen = schedule.next(
      settings.tiles,
      SearchSchedule.Request(
        faces: tracker.tracks.count,
        isDue: tracker.picturesSinceSearch >= max(1, settings.detectInterval),
        isFull: tracker.tracks.count >= settings.maxFaces, targets: targets,
        hasCloseUps: searcher.hasYuNet, level: levels.max() ?? 0, tileCounts: searcher.tileCounts,
        mayRest: settings.detectInterval > 1))
    guard searcher.hasYuNet else { return chosen }
    return chosen
      + boxes.lazy.filter { !self.searcher.coversExactly(chosen, $0) }
      .prefix(SearchSchedule.maximumCloseUps).map { .near($0) }
  }

  /// The faces of a picture that is independent of others.
  func processIndependently(
    _ picture: borrowing Picture, _ context: Context, isStill: Bool
  ) throws(ModelError) -> [Face] {
    if !tracker.tracks.isEmpty { reset() }
    let rule = rule(context.settings, isStill: true)
    var faces: [Face] = []
    var raw = context
    (raw.settings.smoothing, raw.seconds) = (0, 0)
    let search = searchContext(context, rule)
    let detections =
      isStill || context.settings.tiles == .two || context.settings.tiles == .three
      ? try searcher.runAll(in: picture, search)
      : try searcher.run([.whole], in: picture, search)
    let candidates = limited(detections, context)
    let context = context.expecting(
      candidates.count { $0.score >= context.settings.minConfidence })
    for detection in candidates where !cancellation.isSet {
      let isCertain = detection.score >= ConfirmationRule.certainScore
      let (observation, probability) =
        isCertain && !context.settings.needsMesh
        ? (Observation(detection), 0) : try verify(detection, picture, context)
      guard rule.suggestsFace(detection, probability: probability) else {
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
      minimumScore: settings.minConfidence, hasMesh: !meshes.isEmpty, isStill: isStill)
  }

  private func searchContext(
    _ context: Context, _ rule: ConfirmationRule
  ) -> FaceSearcher.Context {
    FaceSearcher.Context(
      view: context.view, tiles: context.settings.tiles, minConfidence: rule.detectorThreshold,
      gain: context.gain, cancellation: cancellation)
  }

  /// The detections of sufficient size; half of them may be verified not to be faces.
  private func limited(_ detections: [Detection], _ context: Context) -> [Detection] {
    let smallest = context.settings.minFaceSize * context.view.shorterSide
    return Array(
      detections.lazy.filter { min($0.box.width, $0.box.height) >= smallest }
        .prefix(2 * context.settings.maxFaces))
  }

  /// The observation of a candidate, and the mesh network's probability of a face; 0 without one.
  ///
  /// Where no meshes are wanted the network verifies new faces and weak detections, each at most
  /// twice a second.
  private func verify(
    _ candidate: FaceTracker.CandidateMatch, _ picture: borrowing Picture, _ context: Context,
    _ rule: ConfirmationRule
  ) throws(ModelError) -> (Observation, probability: Double) {
    let detection = candidate.detection
    if context.settings.needsMesh {
      return try verify(detection, picture, context, candidate.track)
    }
    let observation = Observation(detection)
    guard let track = candidate.track else {
      guard !rejections.contains(detection.box, at: clock) else { return (observation, 0) }
      let result = try verify(detection, picture, context)
      if result.probability == 0 { rejections.add(detection.box, at: clock) }
      return result
    }
    if track.isConfirmed && track.state == .detected
      && (rule.isLikely(detection)
        || detection.score >= rule.minimumScore && track.probability > 0.9)
    {
      return (observation, track.probability)
    }
    if let probability = track.verification(at: clock) { return (observation, probability) }
    let result = try verify(detection, picture, context)
    track.recordVerification(result.probability, at: clock)
    return result
  }

  /// The error of a region's angle, in radians, from which a mesh is measured again.
  private static let inexactAngle = 0.1

  /// The face as measured in the region of its own mesh, if the first one's `angle` was not that; nil
  /// where that shows none.
  ///
  /// YuNet places the eyes of turned faces too level, and the mesh depends on the region.
  private func measureAgain(
    _ measured: Observation, angle: Double, _ picture: borrowing Picture, _ context: Context,
    _ mesh: FaceMeshModel
  ) throws(ModelError) -> Observation? {
    guard let region = measured.mesh?.region,
      abs((region.angle - angle).remainder(dividingBy: 2 * .pi)) > Self.inexactAngle
    else { return nil }
    let found = try mesh.measure(
      picture, orientation: context.view.orientation, regions: [region], gain: context.gain,
      unless: cancellation)
    guard let again = found[0]?.mesh.map({ Observation($0) }), again.box.iou(measured.box) > 0.4
    else { return nil }
    return again
  }

  /// The face that the mesh network measures at a detection, and its probability; the detection
  /// itself, and 0, where there is none or the network measures the face beside it.
  private func verify(
    _ detection: Detection, _ picture: borrowing Picture, _ context: Context,
    _ track: Track? = nil
  ) throws(ModelError) -> (Observation, probability: Double) {
    let observation = Observation(detection)
    let kind =
      track.flatMap { meshKind(of: $0, context) } ?? meshKind(size: observation.size, context)
    guard let mesh = meshModel(kind) else { return (observation, 0) }
    let region = Region(detection)
    let found = try mesh.measure(
      picture, orientation: context.view.orientation, regions: [region], gain: context.gain,
      unless: cancellation)
    guard let face = found[0], let measured = face.mesh.map({ Observation($0) }),
      measured.box.iou(observation.box) > 0.4
    else { return (observation, 0) }
    guard context.settings.needsMesh else {
      // Only the box is needed, which is more exact than the detector's if the two agree.
      guard measured.box.iou(observation.box) > 0.6 else { return (observation, face.probability) }
      var verified = measured
      verified.mesh = nil
      return (verified, face.probability)
    }
    return (
      try measureAgain(measured, angle: region.angle, picture, context, mesh) ?? measured,
      face.probability
    )
  }
}
