import Pixels

/// Keeps the identity of faces through time: decides which face found in this picture is which
/// face of the pictures before.
///
/// Knows no networks: the owner of those calls, for every picture, `begin`, then `recordMeasurement` for every
/// face expected, `resolveOverlaps`, and, when there is a `detectionRequest`, `match` with what the detector
/// found and `accept` for each of its results. All places are pixels of the upright picture.
struct FaceTracker {
  /// A face may be hidden this many seconds and keep its number.
  static let maximumGap = 0.5
  /// Two faces that overlap more are one face.
  static let duplicateOverlap = 0.5
  /// Least share of a face that must lie inside the picture.
  static let minimumInside = 0.4

  /// What a detection is: a face that was being followed and got lost, or a new one.
  struct CandidateMatch {
    let detection: Detection
    let track: Track?
  }

  private(set) var tracks: [Track] = []
  /// Numbers of faces that went; whoever reads them empties this.
  var lost: [UInt32] = []
  private var nextID: UInt32 = 1
  private var time = 0.0
  private var frame = Rectangle.zero
  private var picturesSinceDetection = Int.max / 2
  /// When a picture last counted for what may become a face.
  private var windowTime = -1.0

  /// Starts a picture taken at `time` seconds.
  mutating func begin(time: Double, frame: Rectangle) {
    (self.time, self.frame) = (time, frame)
    picturesSinceDetection += 1
    // Pictures that recordMeasurement each other faster show the same again.
    guard time - windowTime >= ConfirmationRule.minimumInterval else { return }
    windowTime = time
    tracks.removeAll { !$0.isConfirmed && !$0.advanceConfirmationWindow() }
  }

  /// Lets every face go; numbers go on.
  mutating func clear() {
    for track in tracks where track.isConfirmed { lost.append(track.id) }
    tracks.removeAll(keepingCapacity: true)
    picturesSinceDetection = Int.max / 2
  }

  /// A number no face has had.
  mutating func newID() -> UInt32 {
    defer { nextID = nextID == .max ? 1 : nextID + 1 }
    return nextID
  }

  // MARK: - Following

  /// Whether the mesh network should look for `track` where it is expected: of a hidden face it
  /// would accept another one beside it, and of what may be none the detector must say so.
  func shouldMeasure(_ track: Track) -> Bool {
    track.isConfirmed && (track.state == .detected || !isCrowded(track))
  }

  /// Records what was found where `track` was expected; nil for nothing.
  func recordMeasurement(_ track: Track, _ found: Observation?, probability: Double) {
    track.measurement = nil
    if let found, isPlausible(found, for: track) { track.measurement = (found, probability) }
  }

  /// Ends following: of two faces found in one place, the one that was not there before or had to
  /// predictionError there is hidden by the other.
  func resolveOverlaps() {
    for (index, a) in tracks.enumerated() {
      for b in tracks[(index + 1)...] {
        guard let first = a.measurement?.observation, let second = b.measurement?.observation,
          first.box.iou(second.box) > Self.duplicateOverlap
        else { continue }
        let firstStays =
          a.state != b.state
          ? a.state == .detected
          : a.predictionError(to: first, at: time) <= b.predictionError(to: second, at: time)
        (firstStays ? b : a).measurement = nil
      }
    }
    for track in tracks {
      if let measurement = track.measurement {
        track.probability = measurement.probability
        track.update(measurement.observation, at: time, isCrowded: isCrowded(track))
        track.measurement = nil
      } else if track.observation.mesh != nil {
        track.markMissed()
      }
    }
  }

  /// What the detector should look for in this picture; nil for nothing: lostFaces faces are followed
  /// without it, and new ones looked for once in `interval` pictures, never while `limit` faces are
  /// followed, for no other would be reported.
  func detectionRequest(interval: Int, limit: Int) -> SearchSchedule.Request? {
    if tracks.isEmpty { return .anyFace }
    let missing = tracks.filter { $0.state == .missed || $0.observation.mesh == nil }
    if !missing.isEmpty {
      return .lostFaces(
        inWhole: missing.contains { $0.tile == nil },
        tile: missing.lazy.compactMap(\.tile).first)
    }
    let isDue = tracks.count < limit && picturesSinceDetection >= max(1, interval)
    return isDue ? .newFaces : nil
  }

  // MARK: - Detections

  /// Sorts detections, made in one tile of the picture or all of it: faces being followed are
  /// confirmed by them, the rest is returned, paired with faces that got lost where they fit.
  mutating func match(_ detections: [Detection], tile: Int? = nil) -> [CandidateMatch] {
    picturesSinceDetection = 0
    let followed = tracks.filter { $0.state == .detected && $0.lastUpdate == time }
    let others = tracks.filter { $0.state == .missed || $0.lastUpdate != time }
    var rest: [Detection] = []
    let confirmed = Assignment.solve(
      detections.map { detection in
        followed.map {
          let overlap = $0.observation.box.iou(detection.faceBounds)
          return overlap > 0.3 ? -overlap : Assignment.forbidden
        }
      })
    for track in followed where track.tile == tile { track.runsWithoutDetection += 1 }
    for (index, detection) in detections.enumerated() {
      if let column = confirmed[index] {
        followed[column].runsWithoutDetection = 0
        followed[column].score = detection.score
      } else if !followed.contains(where: {
        $0.observation.box.iou(detection.faceBounds) > 0.3
      }) {
        rest.append(detection)
      }
    }
    let found = rest.map { Observation($0) }
    let pairs = Assignment.solve(
      found.map { observation in others.map { cost(of: observation, for: $0) } })
    return zip(rest, pairs).map { detection, column in
      CandidateMatch(detection: detection, track: column.map { others[$0] })
    }
  }

  /// Takes a face the detector found, in one tile of the picture or all of it, as it was then
  /// measured; returns its track where it is reported from now on or again, or nil: for a face that
  /// is already there, one for which there is no room, and what may be none.
  @discardableResult
  mutating func accept(
    _ candidate: CandidateMatch, _ observation: Observation, probability: Double, limit: Int,
    rule: ConfirmationRule,
    tile: Int? = nil
  ) -> Track? {
    guard isInside(observation) else { return nil }
    for other in tracks where other !== candidate.track && other.state == .detected {
      if other.lastUpdate == time
        && other.observation.box.iou(observation.box) > Self.duplicateOverlap
      {
        return nil
      }
    }
    let score = candidate.detection.score
    let meshProbability = observation.mesh == nil ? 0 : probability
    let suggestsFace = rule.suggestsFace(score: score, probability: meshProbability)
    if let track = candidate.track, track.isConfirmed {
      // What has been a face a picture ago may be one with less to show for it.
      guard suggestsFace || score >= rule.minimumScore || track.state == .detected else {
        return nil
      }
      update(track, observation, score, probability, tile)
      return track
    }
    guard suggestsFace, tracks.count(where: \.isConfirmed) < limit else { return nil }
    let track: Track
    if let known = candidate.track {
      track = known
      update(track, observation, score, probability, tile)
    } else {
      track = Track(observation, score: score, time: time)
      track.probability = probability
      track.tile = tile
      tracks.append(track)
    }
    let isOften = track.countObservation()
    guard isOften || rule.confirmsImmediately(score: score, probability: meshProbability) else {
      return nil
    }
    track.confirm(as: newID())
    return track
  }

  private func update(
    _ track: Track, _ observation: Observation, _ score: Double, _ probability: Double, _ tile: Int?
  ) {
    track.update(observation, at: time, isCrowded: isCrowded(track))
    track.score = score
    track.probability = probability
    track.tile = tile
    track.runsWithoutDetection = 0
  }

  /// Ends a picture: faces not detected in it are missed, and those missed for too long are lost.
  mutating func end(limit: Int, minimumSize: Double) {
    for track in tracks {
      let isTooSmall = min(track.observation.box.width, track.observation.box.height) < minimumSize
      // A mesh may cling to something that is no face; the detector never agrees to it.
      let isDoubtful = track.runsWithoutDetection >= 10 && track.probability < 0.9
      if track.lastUpdate != time || isTooSmall || isDoubtful { track.markMissed() }
    }
    var kept: [Track] = []
    for track in tracks {
      guard track.isConfirmed else { continue }
      if kept.count < limit && time - track.lastUpdate <= Self.maximumGap {
        kept.append(track)
      } else {
        lost.append(track.id)
      }
    }
    tracks = kept + tracks.filter { !$0.isConfirmed }
  }

  // MARK: - Judgement

  /// Whether a face can have come from where it was expected to where it was found.
  private func isPlausible(_ found: Observation, for track: Track) -> Bool {
    guard isInside(found) else { return false }
    let ratio = found.size / max(track.observation.size, 1e-9)
    // A half hidden face's points are drawn to the face before it little by little.
    let limit = isCrowded(track) ? 0.15 : 0.6
    return ratio > 0.5 && ratio < 2 && track.predictionError(to: found, at: time) < limit
  }

  private func isInside(_ observation: Observation) -> Bool {
    observation.box.area > 0
      && observation.box.intersection(frame).area >= Self.minimumInside * observation.box.area
  }

  /// Whether another face is so near that one may hide the other.
  private func isCrowded(_ track: Track) -> Bool {
    let place = track.predicted(at: time).box
    return tracks.contains {
      $0 !== track && $0.predicted(at: time).box.intersection(place).area > 0.05 * place.area
    }
  }

  /// How badly a face found fits one that got lost; less is better.
  private func cost(of found: Observation, for track: Track) -> Double {
    let expected = track.predicted(at: time)
    let ratio = found.size / max(expected.size, 1e-9)
    // Nobody's head grows by half while it is hidden; the one beside it may be that much larger.
    guard ratio > 1 / 1.4, ratio < 1.4 else { return Assignment.forbidden }
    let distance = found.distance(to: expected)
    // The longer a face was hidden, the less is lostFaces of where it went.
    guard distance < 0.6 + 2 * (time - track.lastUpdate) else { return Assignment.forbidden }
    return distance + 0.5 * abs(ratio - 1) - found.box.iou(expected.box)
  }
}
