import Pixels

/// Keeps the identity of faces through time: decides which face found in this picture is which
/// face of the pictures before.
///
/// Knows no networks: the owner of those calls, for every picture, `begin`, then `follow` for every
/// face expected, `settle`, and, when there is a `demand`, `match` with what the detector
/// found and `take` for each of its results. All places are pixels of the upright picture.
struct FaceTracker {
  /// A face may be hidden this many seconds and keep its number.
  static let patience = 0.5
  /// Two faces that overlap more are one face.
  static let sameFace = 0.5
  /// Least share of a face that must lie inside the picture.
  static let leastInside = 0.4

  /// What a detection is: a face that was being followed and got lost, or a new one.
  struct Offer {
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
    // Pictures that follow each other faster show the same again.
    guard time - windowTime >= BirthRule.shortest else { return }
    windowTime = time
    tracks.removeAll { !$0.isBorn && !$0.ages() }
  }

  /// Lets every face go; numbers go on.
  mutating func clear() {
    for track in tracks where track.isBorn { lost.append(track.id) }
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
  /// would take another one beside it, and of what may be none the detector must say so.
  func shouldFollow(_ track: Track) -> Bool {
    track.isBorn && (track.state == .seen || !isCrowded(track))
  }

  /// Records what was found where `track` was expected; nil for nothing.
  func follow(_ track: Track, _ found: Sighting?, presence: Double) {
    track.candidate = nil
    if let found, isPlausible(found, for: track) { track.candidate = (found, presence) }
  }

  /// Ends following: of two faces found in one place, the one that was not there before or had to
  /// jump there is hidden by the other.
  func settle() {
    for (index, a) in tracks.enumerated() {
      for b in tracks[(index + 1)...] {
        guard let first = a.candidate?.sighting, let second = b.candidate?.sighting,
          first.box.iou(second.box) > Self.sameFace
        else { continue }
        let firstStays =
          a.state != b.state
          ? a.state == .seen : a.jump(to: first, at: time) <= b.jump(to: second, at: time)
        (firstStays ? b : a).candidate = nil
      }
    }
    for track in tracks {
      if let candidate = track.candidate {
        track.presence = candidate.presence
        track.see(candidate.sighting, at: time, isCrowded: isCrowded(track))
        track.candidate = nil
      } else if track.sighting.mesh != nil {
        track.miss()
      }
    }
  }

  /// What the detector should look for in this picture; nil for nothing: known faces are followed
  /// without it, and new ones looked for once in `interval` pictures, never while `limit` faces are
  /// followed, for no other would be reported.
  func demand(interval: Int, limit: Int) -> SearchSchedule.Demand? {
    if tracks.isEmpty { return .nobody }
    let missing = tracks.filter { $0.state == .missed || $0.sighting.mesh == nil }
    if !missing.isEmpty {
      return .known(
        inWhole: missing.contains { $0.square == nil },
        square: missing.lazy.compactMap(\.square).first)
    }
    let isDue = tracks.count < limit && picturesSinceDetection >= max(1, interval)
    return isDue ? .newcomers : nil
  }

  // MARK: - Detections

  /// Sorts detections, made in one square of the picture or all of it: faces being followed are
  /// confirmed by them, the rest is returned, paired with faces that got lost where they fit.
  mutating func match(_ detections: [Detection], square: Int? = nil) -> [Offer] {
    picturesSinceDetection = 0
    let followed = tracks.filter { $0.state == .seen && $0.lastSeen == time }
    let others = tracks.filter { $0.state == .missed || $0.lastSeen != time }
    var rest: [Detection] = []
    let confirmed = Assignment.solve(
      detections.map { detection in
        followed.map {
          let overlap = $0.sighting.box.iou(detection.faceBounds)
          return overlap > 0.3 ? -overlap : Assignment.forbidden
        }
      })
    for track in followed where track.square == square { track.unconfirmedRuns += 1 }
    for (index, detection) in detections.enumerated() {
      if let column = confirmed[index] {
        followed[column].unconfirmedRuns = 0
        followed[column].score = detection.score
      } else if !followed.contains(where: {
        $0.sighting.box.iou(detection.faceBounds) > 0.3
      }) {
        rest.append(detection)
      }
    }
    let found = rest.map { Sighting($0) }
    let pairs = Assignment.solve(
      found.map { sighting in others.map { cost(of: sighting, for: $0) } })
    return zip(rest, pairs).map { detection, column in
      Offer(detection: detection, track: column.map { others[$0] })
    }
  }

  /// Takes a face the detector found, in one square of the picture or all of it, as it was then
  /// measured; returns its track where it is reported from now on or again, or nil: for a face that
  /// is already there, one for which there is no room, and what may be none.
  @discardableResult
  mutating func take(
    _ offer: Offer, _ sighting: Sighting, presence: Double, limit: Int, rule: BirthRule,
    square: Int? = nil
  ) -> Track? {
    guard isInside(sighting) else { return nil }
    for other in tracks where other !== offer.track && other.state == .seen {
      if other.lastSeen == time && other.sighting.box.iou(sighting.box) > Self.sameFace {
        return nil
      }
    }
    let score = offer.detection.score
    let seen = sighting.mesh == nil ? 0 : presence
    let counts = rule.counts(score: score, presence: seen)
    if let track = offer.track, track.isBorn {
      // What has been a face a picture ago may be one with less to show for it.
      guard counts || score >= rule.least || track.state == .seen else { return nil }
      see(track, sighting, score, presence, square)
      return track
    }
    guard counts, tracks.count(where: \.isBorn) < limit else { return nil }
    let track: Track
    if let known = offer.track {
      track = known
      see(track, sighting, score, presence, square)
    } else {
      track = Track(sighting, score: score, time: time)
      track.presence = presence
      track.square = square
      tracks.append(track)
    }
    let isOften = track.noteSighting()
    guard isOften || rule.isCertain(score: score, presence: seen) else { return nil }
    track.bear(newID())
    return track
  }

  private func see(
    _ track: Track, _ sighting: Sighting, _ score: Double, _ presence: Double, _ square: Int?
  ) {
    track.see(sighting, at: time, isCrowded: isCrowded(track))
    track.score = score
    track.presence = presence
    track.square = square
    track.unconfirmedRuns = 0
  }

  /// Ends a picture: faces not seen in it are missed, and those missed for too long are lost.
  mutating func end(limit: Int, leastSize: Double) {
    for track in tracks {
      let isTooSmall = min(track.sighting.box.width, track.sighting.box.height) < leastSize
      // A mesh may cling to something that is no face; the detector never agrees to it.
      let isDoubtful = track.unconfirmedRuns >= 10 && track.presence < 0.9
      if track.lastSeen != time || isTooSmall || isDoubtful { track.miss() }
    }
    var kept: [Track] = []
    for track in tracks {
      guard track.isBorn else { continue }
      if kept.count < limit && time - track.lastSeen <= Self.patience {
        kept.append(track)
      } else {
        lost.append(track.id)
      }
    }
    tracks = kept + tracks.filter { !$0.isBorn }
  }

  // MARK: - Judgement

  /// Whether a face can have come from where it was expected to where it was found.
  private func isPlausible(_ found: Sighting, for track: Track) -> Bool {
    guard isInside(found) else { return false }
    let ratio = found.size / max(track.sighting.size, 1e-9)
    // A half hidden face's points are drawn to the face before it little by little.
    let reach = isCrowded(track) ? 0.15 : 0.6
    return ratio > 0.5 && ratio < 2 && track.jump(to: found, at: time) < reach
  }

  private func isInside(_ sighting: Sighting) -> Bool {
    sighting.box.area > 0
      && sighting.box.intersection(frame).area >= Self.leastInside * sighting.box.area
  }

  /// Whether another face is so near that one may hide the other.
  private func isCrowded(_ track: Track) -> Bool {
    let place = track.expected(at: time).box
    return tracks.contains {
      $0 !== track && $0.expected(at: time).box.intersection(place).area > 0.05 * place.area
    }
  }

  /// How badly a face found fits one that got lost; less is better.
  private func cost(of found: Sighting, for track: Track) -> Double {
    let expected = track.expected(at: time)
    let ratio = found.size / max(expected.size, 1e-9)
    // Nobody's head grows by half while it is hidden; the one beside it may be that much larger.
    guard ratio > 1 / 1.4, ratio < 1.4 else { return Assignment.forbidden }
    let distance = found.distance(to: expected)
    // The longer a face was hidden, the less is known of where it went.
    guard distance < 0.6 + 2 * (time - track.lastSeen) else { return Assignment.forbidden }
    return distance + 0.5 * abs(ratio - 1) - found.box.iou(expected.box)
  }
}
