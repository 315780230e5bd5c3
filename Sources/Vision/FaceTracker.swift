import Pixels

/// Associates the faces of each picture with the tracks of the pictures before.
///
/// It runs no networks. For each picture the owner calls `begin`, `recordMeasurement` for each
/// track that is measured, `resolveOverlaps`, and, if there is a `detectionRequest`, `match` with
/// the detections and `accept` for each result; then `end`. All positions are pixels of the upright
/// picture.
struct FaceTracker {
  /// The maximum time that a track survives without an observation, in seconds.
  static let maximumGap = 0.5
  /// The IoU above which two faces are the same.
  static let duplicateOverlap = 0.5
  /// The minimum fraction of a face that lies inside the picture.
  static let minimumInside = 0.4

  /// A detection, and the lost track that it is matched to; nil for a new face.
  struct CandidateMatch {
    let detection: Detection
    let track: Track?
  }

  private(set) var tracks: [Track] = []
  /// The ids of lost tracks; the reader empties the list.
  var lost: [UInt32] = []
  private var nextID: UInt32 = 1
  private var time = 0.0
  private var frame = Rectangle.zero
  private var picturesSinceDetection = Int.max / 2
  /// The time of the last picture of the confirmation windows.
  private var windowTime = -1.0

  /// Begins a picture at `time` seconds.
  mutating func begin(time: Double, frame: Rectangle) {
    (self.time, self.frame) = (time, frame)
    picturesSinceDetection += 1
    // A faster film shows nearly the same picture again.
    guard time - windowTime >= ConfirmationRule.minimumInterval else { return }
    windowTime = time
    tracks.removeAll { !$0.isConfirmed && !$0.advanceConfirmationWindow() }
  }

  /// Drops all tracks; ids continue.
  mutating func clear() {
    for track in tracks where track.isConfirmed { lost.append(track.id) }
    tracks.removeAll(keepingCapacity: true)
    picturesSinceDetection = Int.max / 2
  }

  /// A new id.
  mutating func newID() -> UInt32 {
    defer { nextID = nextID == .max ? 1 : nextID + 1 }
    return nextID
  }

  // MARK: - Tracking

  /// Whether the mesh network measures `track` at its predicted position.
  ///
  /// For a hidden face it would measure the one beside it, and a tentative track needs the
  /// detector.
  func shouldMeasure(_ track: Track) -> Bool {
    track.isConfirmed && (track.state == .detected || !isCrowded(track))
  }

  /// Records the measurement of `track`, or nil for none.
  func recordMeasurement(_ track: Track, _ found: Observation?, probability: Double) {
    track.measurement = nil
    if let found, isPlausible(found, for: track) { track.measurement = (found, probability) }
  }

  /// Ends the measurements: where two tracks have the same face, it belongs to the one that was
  /// visible before or moved less.
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

  /// The request for the detector in this picture; nil for none.
  ///
  /// Known faces are tracked without it. New ones are searched every `interval` pictures, but not
  /// while there are `limit` tracks, as no other face would be reported.
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

  /// Confirms tracked faces; returns the other detections, each matched to a lost track where one
  /// fits.
  ///
  /// `tile` is where the detections were made, or nil for the whole picture.
  mutating func match(_ detections: [Detection], tile: Int? = nil) -> [CandidateMatch] {
    picturesSinceDetection = 0
    let followed = tracks.filter { $0.state == .detected && $0.lastUpdate == time }
    let others = tracks.filter { $0.state == .missed || $0.lastUpdate != time }
    var unmatched: [Detection] = []
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
        unmatched.append(detection)
      }
    }
    let found = unmatched.map { Observation($0) }
    let pairs = Assignment.solve(
      found.map { observation in others.map { cost(of: observation, for: $0) } })
    return zip(unmatched, pairs).map { detection, column in
      CandidateMatch(detection: detection, track: column.map { others[$0] })
    }
  }

  /// Updates the candidate's track, or starts one, with the observation of a detection.
  ///
  /// Returns the track if it is confirmed; nil for a duplicate, a tentative track, and a face
  /// beyond `limit`.
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
      // A track that was just visible is continued by a weaker detection.
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

  /// Ends a picture: tracks without an observation are missed, and those missed for too long are
  /// dropped.
  mutating func end(limit: Int, minimumSize: Double) {
    for track in tracks {
      let isTooSmall = min(track.observation.box.width, track.observation.box.height) < minimumSize
      // The mesh network may track an object that is no face; the detector does not confirm it.
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

  // MARK: - Plausibility and costs

  /// Whether the face of a track can have moved to `found`.
  private func isPlausible(_ found: Observation, for track: Track) -> Bool {
    guard isInside(found) else { return false }
    let ratio = found.size / max(track.observation.size, 1e-9)
    // The points of a half-hidden face drift slowly toward the face before it.
    let limit = isCrowded(track) ? 0.15 : 0.6
    return ratio > 0.5 && ratio < 2 && track.predictionError(to: found, at: time) < limit
  }

  private func isInside(_ observation: Observation) -> Bool {
    observation.box.area > 0
      && observation.box.intersection(frame).area >= Self.minimumInside * observation.box.area
  }

  /// Whether another face is near enough to hide this one.
  private func isCrowded(_ track: Track) -> Bool {
    let box = track.predicted(at: time).box
    return tracks.contains {
      $0 !== track && $0.predicted(at: time).box.intersection(box).area > 0.05 * box.area
    }
  }

  /// The cost of matching a detection to a lost track.
  private func cost(of found: Observation, for track: Track) -> Double {
    let expected = track.predicted(at: time)
    let ratio = found.size / max(expected.size, 1e-9)
    // A hidden head does not change its size by half; the head beside it may be that much larger.
    guard ratio > 1 / 1.4, ratio < 1.4 else { return Assignment.forbidden }
    let distance = found.distance(to: expected)
    // The uncertainty of the prediction grows with the time since the last observation.
    guard distance < 0.6 + 2 * (time - track.lastUpdate) else { return Assignment.forbidden }
    return distance + 0.5 * abs(ratio - 1) - found.box.iou(expected.box)
  }
}
