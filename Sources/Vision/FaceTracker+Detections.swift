import Pixels

/// How detections confirm, correct and start tracks.
extension FaceTracker {
  /// Confirms tracked faces; returns the other detections, each matched to a track where one fits.
  ///
  /// `covers` says whether the searches would detect the face of a track.
  mutating func match(
    _ all: [Detection], covers: (Track) -> Bool
  ) -> [CandidateMatch] {
    // A box of few samples often holds a face and what is beside it.
    let detections = all.filter { detection in
      !FaceSearcher.isCoarse(detection)
        || !tracks.contains { $0.observation.box.intersection(detection.box).area > 0 }
    }
    advanceConfirmation(covers)
    let followed = tracks.filter { $0.state == .detected && $0.lastUpdate == time }
    let others = tracks.filter { $0.state == .missed || $0.lastUpdate != time }
    var (candidates, unmatched): ([CandidateMatch], [Detection]) = ([], [])
    let confirmed = Assignment.solve(
      detections.map { detection in
        followed.map {
          let overlap = $0.observation.box.iou(detection.faceBounds)
          return overlap > 0.3 ? -overlap : Assignment.forbidden
        }
      })
    for track in followed where covers(track) {
      track.searchesWithoutDetection += 1
    }
    for (index, detection) in detections.enumerated() {
      if let column = confirmed[index] {
        let track = followed[column]
        if track.observation.mesh == nil || !track.isConfirmed {
          candidates.append(CandidateMatch(detection: detection, track: track))
        } else {
          track.recordDetection(score: detection.score, at: time)
        }
      } else if !followed.indices.contains(where: { track in
        Self.isPart(
          detection.faceBounds, of: followed[track], isMatched: confirmed.contains(track))
      }) {
        unmatched.append(detection)
      }
    }
    let found = unmatched.map { Observation($0) }
    let pairs = Assignment.solve(
      found.map { observation in others.map { cost(of: observation, for: $0) } })
    return candidates
      + zip(unmatched, pairs).map { detection, column in
        CandidateMatch(detection: detection, track: column.map { others[$0] })
      }
  }

  /// Whether a detection is the face of a track again, or a part of it, such as an eye.
  ///
  /// Beside a track that has a detection of its own there may be another face.
  private static func isPart(_ box: Rectangle, of track: Track, isMatched: Bool) -> Bool {
    let face = track.observation.box
    return box.iou(face) > (isMatched ? duplicateOverlap : 0.3)
      || box.area < 0.6 * face.area && box.intersection(face).area > 0.6 * box.area
  }

  /// Advances the confirmation windows of tentative tracks that are searched in this picture.
  private mutating func advanceConfirmation(_ covers: (Track) -> Bool) {
    // A faster film shows nearly the same picture again.
    guard time - windowTime >= ConfirmationRule.minimumInterval else { return }
    windowTime = time
    tracks.removeAll {
      !$0.isConfirmed && covers($0) && !$0.advanceConfirmationWindow()
    }
  }

  /// Updates the candidate's track, or starts one, with the observation of a detection.
  ///
  /// `meshProbability` is the mesh network's, or 0 where it sees no face. Returns the track if it is
  /// confirmed; nil for a duplicate, a tentative track, and a face beyond `limit`.
  @discardableResult
  mutating func accept(
    _ candidate: CandidateMatch, _ observation: Observation, probability meshProbability: Double,
    limit: Int, rule: ConfirmationRule
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
    let probability = meshProbability > 0 ? meshProbability : score
    let suggestsFace = rule.suggestsFace(candidate.detection, probability: meshProbability)
    if let track = candidate.track, track.isConfirmed {
      // A track that was just visible is continued by a weaker detection, unless it has never been
      // more: turned heads have no mesh.
      let isWeak = score >= rule.minimumScore && (meshProbability > 0 || track.hadMesh)
      guard suggestsFace || (track.state == .detected && isWeak) else { return nil }
      // A doubtful detection may be of the face and of what is beside it.
      let ratio = observation.size / max(track.observation.size, 1e-9)
      guard rule.isLikely(candidate.detection) || (ratio > 1 / 1.4 && ratio < 1.4) else {
        return nil
      }
      update(track, observation, score, probability)
      return track
    }
    guard suggestsFace, tracks.count(where: \.isConfirmed) < limit else { return nil }
    // The mesh network is sometimes as sure of a wheel or of a pattern in wood as of a face.
    if candidate.track == nil, !rule.isStill, score < rule.minimumScore { return nil }
    let track: Track
    if let known = candidate.track {
      track = known
      update(track, observation, score, probability)
    } else {
      track = Track(observation, score: score, time: time)
      track.probability = probability
      tracks.append(track)
    }
    track.isTurnedCandidate = FaceSearcher.isTurned(candidate.detection)
    let isOften = track.countDetection()
    guard isOften || rule.confirmsImmediately(candidate.detection, probability: meshProbability)
    else { return nil }
    track.confirm(as: newID())
    track.isTurnedCandidate = false
    return track
  }

  private func update(
    _ track: Track, _ observation: Observation, _ score: Double, _ probability: Double
  ) {
    if track.lastUpdate == time, track.state == .detected {
      track.correct(by: observation, score: score)
    } else {
      track.update(observation, at: time, isCrowded: isCrowded(track))
      track.template = nil
    }
    track.recordDetection(score: score, at: time)
    track.probability = probability
  }
}
