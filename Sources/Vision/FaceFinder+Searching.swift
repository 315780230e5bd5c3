import Faces
import Inference
import Pixels
import Threads

/// Where in a picture the detector looks, and what becomes of what it finds.
extension FaceFinder {
  /// Looks for what the tracker waits for, where it is this picture's turn.
  func search(
    _ picture: borrowing Picture, _ view: View, _ settings: Settings, isStill: Bool
  ) throws(ModelError) {
    guard
      let demand = tracker.demand(interval: settings.detectInterval, limit: settings.maxFaces)
    else { return }
    let halves = tiling(2, view)
    let scope = schedule.next(
      settings.tiles, demand, isStill: isStill, rests: settings.detectInterval > 1,
      count: halves?.squares.count ?? 0)
    guard scope != .nothing else { return }
    let rule = rule(settings, isStill: isStill)
    var square: Int?
    if case .square(let number) = scope { square = number }
    let detections = try detections(in: picture, view, scope, settings, rule)
    for offer in tracker.match(detections, square: square) where !interruption.isSet {
      var (sighting, presence) = (Sighting(offer.detection), offer.detection.score)
      if rule.hasMesh,
        let measured = try measured(offer.detection, near: sighting, picture, view)
      {
        (sighting, presence) = measured
      }
      let isNew = offer.track?.isBorn != true
      if let track = tracker.take(
        offer, sighting, presence: presence, limit: settings.maxFaces, rule: rule, square: square),
        isNew
      {
        report(.found, track.id)
      }
    }
  }

  /// The faces of one picture for itself.
  func single(
    _ picture: borrowing Picture, _ view: View, _ settings: Settings, isStill: Bool
  ) throws(ModelError) -> [Face] {
    if !tracker.tracks.isEmpty { reset() }
    let rule = rule(settings, isStill: true)
    let scope: SearchSchedule.Scope =
      switch settings.tiles {
      case .none: .whole
      case .auto: isStill ? .everything : .whole
      case .two: .all(2)
      case .three: .all(3)
      }
    var faces: [Face] = []
    var raw = settings
    raw.smoothing = 0
    for detection in try detections(in: picture, view, scope, settings, rule)
    where !interruption.isSet {
      var (sighting, presence) = (Sighting(detection), 0.0)
      if rule.hasMesh, let measured = try measured(detection, near: sighting, picture, view) {
        (sighting, presence) = measured
      }
      guard rule.counts(score: detection.score, presence: presence) else { continue }
      let track = Track(sighting, score: detection.score, time: 0)
      track.bear(tracker.newID())
      faces += try describe([track], picture, view, raw, seconds: 0)
    }
    return faces
  }

  private func rule(_ settings: Settings, isStill: Bool) -> BirthRule {
    BirthRule(
      least: settings.minConfidence, hasMesh: settings.needsMesh && mesh != nil, isStill: isStill)
  }

  /// The face that the mesh network sees where the detector saw one; nil for none, and for one that
  /// lies elsewhere: that is the face beside this one.
  private func measured(
    _ detection: Detection, near sighting: Sighting, _ picture: borrowing Picture, _ view: View
  ) throws(ModelError) -> (Sighting, Double)? {
    let (presence, found) = try measure(picture, view, Region(detection))
    guard let found, found.box.iou(sighting.box) > 0.4 else { return nil }
    return (found, presence)
  }

  /// What the detector finds in pixels of the upright picture, best score first.
  private func detections(
    in picture: borrowing Picture, _ view: View, _ scope: SearchSchedule.Scope,
    _ settings: Settings, _ rule: BirthRule
  ) throws(ModelError) -> [Detection] {
    var found: [Tiling.Find] = []
    switch scope {
    case .nothing: break
    case .whole: found = try detections(in: picture, view, settings, rule)
    case .square(let number):
      guard let tiling = tiling(2, view), number < tiling.squares.count else { break }
      found = try detections(in: picture, view, settings, rule, tiling, tiling.squares[number])
    case .all(let number):
      found = try detections(in: picture, view, settings, rule)
      try addTiles(number, to: &found, picture, view, settings, rule)
    case .everything:
      found = try detections(in: picture, view, settings, rule)
      try addTiles(2, to: &found, picture, view, settings, rule)
      // Where faces are that small, or where there are none as yet, there may be smaller ones.
      let smallest =
        found.lazy.map { max($0.detection.box.width, $0.detection.box.height) }.min() ?? 0
      if smallest < 0.08 * max(view.frame.width, view.frame.height) {
        try addTiles(3, to: &found, picture, view, settings, rule)
      }
    }
    return Array(Tiling.joined(found).prefix(settings.maxFaces))
  }

  private func addTiles(
    _ number: Int, to found: inout [Tiling.Find], _ picture: borrowing Picture, _ view: View,
    _ settings: Settings, _ rule: BirthRule
  ) throws(ModelError) {
    guard let tiling = tiling(number, view) else { return }
    for square in tiling.squares where !interruption.isSet {
      found += try detections(in: picture, view, settings, rule, tiling, square)
    }
  }

  private func detections(
    in picture: borrowing Picture, _ view: View, _ settings: Settings, _ rule: BirthRule,
    _ tiling: Tiling? = nil, _ square: Rectangle? = nil
  ) throws(ModelError) -> [Tiling.Find] {
    guard let detector else { return [] }
    let limits = FaceDetector.Limits(
      minScore: rule.low, count: 4 * settings.maxFaces, minSize: settings.minFaceSize)
    let step =
      (square?.width ?? max(view.frame.width, view.frame.height)) / Double(detector.side)
    return try detector.detect(
      in: picture, orientation: view.orientation, limits: limits, square: square
    ).compactMap { detection in
      let detection = detection.mapped(by: view.sharesToPixels)
      if let tiling, let square, tiling.isCut(detection.box, by: square) { return nil }
      return Tiling.Find(detection: detection, step: step)
    }
  }

  /// Squares of a picture that the detector does not see at its full resolution as it is.
  private func tiling(_ number: Int, _ view: View) -> Tiling? {
    guard let detector, max(view.frame.width, view.frame.height) > 1.5 * Double(detector.side)
    else {
      return nil
    }
    return Tiling(number, of: view.frame)
  }
}
