import Pixels

/// Associates the faces of each picture with the tracks of the pictures before.
///
/// It runs no networks. For each picture the owner calls `begin`, `recordMeasurement` for each
/// track that is measured, `resolveOverlaps`, and, if the picture is searched, `match` with the
/// detections and `accept` for each result; then `end`. All positions are pixels of the upright
/// picture.
struct FaceTracker {
  /// The maximum time that a track survives without an observation, in seconds.
  static let maximumGap = 0.5
  /// The time after which a face that is followed by its template is searched for, in seconds; where
  /// it meets another face; and that for a face with a mesh.
  static let correctionTime = (template: 0.3, crowded: 0.1, mesh: 0.6)
  /// The time between two attempts to measure the mesh of a face that has none, in seconds.
  private static let meshRetryTime = 0.05
  /// The maximum time that a face is followed by its template alone, in seconds.
  static let maximumTemplateTime = 1.0
  /// Among more faces one that is not detected is soon lost: it may be hidden by another.
  private static let fewFaces = 4
  /// The IoU above which two faces are the same.
  static let duplicateOverlap = 0.5
  /// The minimum fraction of a face that lies inside the picture.
  static let minimumInside = 0.4

  /// A detection, and the lost track that it is matched to; nil for a new face.
  struct CandidateMatch {
    let detection: Detection
    let track: Track?
  }

  var tracks: [Track] = []
  /// The ids of lost tracks; the reader empties the list.
  var lost: [UInt32] = []
  private var nextID: UInt32 = 1
  private(set) var time = 0.0
  private var frame = Rectangle.zero
  /// Pictures since the last search for new faces.
  var picturesSinceSearch = Int.max / 2
  /// The time of the last search of the confirmation windows.
  var windowTime = -1.0

  /// Begins a picture at `time` seconds.
  mutating func begin(time: Double, frame: Rectangle) {
    (self.time, self.frame) = (time, frame)
    picturesSinceSearch += 1
    tracks.removeAll { !$0.isConfirmed && time - $0.lastEvidence > Self.maximumGap }
  }

  /// Drops all tracks; ids continue.
  mutating func clear() {
    for track in tracks where track.isConfirmed { lost.append(track.id) }
    tracks.removeAll(keepingCapacity: true)
    picturesSinceSearch = Int.max / 2
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

  /// Whether a track is followed by its template in this picture.
  func shouldMatchTemplate(_ track: Track) -> Bool {
    track.measurement == nil && track.state == .detected && track.template != nil
      && time - track.lastEvidence <= Self.maximumTemplateTime
  }

  /// Records the match of a track's template.
  func recordMatch(_ track: Track, _ match: FaceTemplate.Match) {
    // Beside another face half of the samples may be that face's.
    let limit = isCrowded(track) ? 0.8 : 0.6
    guard match.correlation > limit else { return }
    let predicted = track.predicted(at: time)
    recordMeasurement(
      track, predicted.moved(by: match.center - predicted.box.center),
      probability: track.probability)
  }

  /// The tracks whose templates adapt to this picture.
  var followedTracks: [Track] { tracks.filter { $0.lastUpdate == time } }

  /// The lost and the tentative tracks.
  var missingTracks: [Track] { tracks.filter { $0.state == .missed || !$0.isConfirmed } }

  /// Where the tracks are that are to be detected again, the most urgent first: lost and tentative
  /// ones, those that the last search missed, those without the mesh that they should have, and those
  /// that were not detected for a while.
  func boxesToDetect(hasMesh: Bool) -> [Rectangle] {
    func urgency(_ track: Track) -> Double? {
      if track.lastUpdate != time || track.state == .missed || !track.isConfirmed {
        return 10 - (time - track.lastUpdate)
      }
      let age = time - track.lastDetection
      if track.observation.mesh != nil { return age > Self.correctionTime.mesh ? age : nil }
      if track.searchesWithoutDetection > 0 { return 5 + age }
      let limit = isCrowded(track) ? Self.correctionTime.crowded : Self.correctionTime.template
      return age > (hasMesh ? min(limit, Self.meshRetryTime) : limit) ? age : nil
    }
    return tracks.compactMap { track in
      urgency(track).map { (urgency: $0, box: track.predicted(at: time).box) }
    }.sorted { $0.urgency > $1.urgency }.map(\.box)
  }

  /// Ends a picture: tracks without an observation are missed, and those missed for too long are
  /// dropped.
  mutating func end(limit: Int, minimumSize: Double) {
    for track in tracks {
      let isTooSmall = min(track.observation.box.width, track.observation.box.height) < minimumSize
      // The mesh network and templates may follow an object that is no face; the detector does not
      // confirm it.
      let isDoubtful =
        track.observation.mesh == nil
        ? isUnsupported(track) : track.searchesWithoutDetection >= 10 && track.probability < 0.9
      if track.lastUpdate != time || isTooSmall || isDoubtful { track.markMissed() }
    }
    endNestedTracks()
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

  /// Ends tracks of parts of a face, such as an eye: of two that lie in each other, the better remains.
  private mutating func endNestedTracks() {
    func isNested(_ a: Track, _ b: Track) -> Bool {
      let (first, second) = (a.observation.box, b.observation.box)
      return first.intersection(second).area > 0.7 * min(first.area, second.area)
    }
    let seen = tracks.filter { $0.isReported && $0.lastUpdate == time }
    for (index, a) in seen.enumerated() {
      for b in seen[(index + 1)...] where isNested(a, b) {
        let ends = a.score < b.score ? a : b
        tracks.removeAll { $0 === ends }
        if ends.isConfirmed { lost.append(ends.id) }
      }
    }
  }

  /// Whether a face that is followed by its template should be detected again, but is not.
  func isUnsupported(_ track: Track) -> Bool {
    let (searches, seconds) = tracks.count > Self.fewFaces ? (2, 0.1) : (3, 0.2)
    return track.searchesWithoutDetection >= searches && time - track.lastEvidence > seconds
  }

  /// Records that the mesh network sees the face of `track`, which the detector does not.
  func recordSupport(_ track: Track) { track.recordDetection(score: track.score, at: time) }

  // MARK: - Plausibility and costs

  /// Whether the face of a track can have moved to `found`.
  private func isPlausible(_ found: Observation, for track: Track) -> Bool {
    guard isInside(found) else { return false }
    let ratio = found.size / max(track.observation.size, 1e-9)
    // The points of a half-hidden face drift slowly toward the face before it.
    let limit = isCrowded(track) ? 0.15 : 0.6
    return ratio > 0.5 && ratio < 2 && track.predictionError(to: found, at: time) < limit
  }

  func isInside(_ observation: Observation) -> Bool {
    observation.box.area > 0
      && observation.box.intersection(frame).area >= Self.minimumInside * observation.box.area
  }

  /// Whether another face is near enough to hide this one.
  func isCrowded(_ track: Track) -> Bool {
    let box = track.predicted(at: time).box
    return tracks.contains {
      $0 !== track && $0.predicted(at: time).box.intersection(box).area > 0.05 * box.area
    }
  }

  /// The cost of matching a detection to a lost track.
  func cost(of found: Observation, for track: Track) -> Double {
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
