/// The rule by which a tentative track is confirmed.
///
/// Letters, leaves and logos resemble faces in single pictures, but seldom for both networks, and
/// only briefly. A detection with high scores of both networks is confirmed at once, others after
/// four detections in seven searches. In a still picture each tentative face is confirmed.
struct ConfirmationRule {
  /// The length of the window, in searches, and the detections in it that confirm a track.
  static let window = (searches: 7, detections: 4)
  /// The minimum time between two searches of the window, in seconds.
  static let minimumInterval = 0.025

  /// The minimum score of a face that the mesh network does not see.
  let minimumScore: Double
  /// Whether the mesh network verifies detections.
  let hasMesh: Bool
  /// Whether this picture is not part of a film.
  var isStill = false

  /// The minimum score of the detections that are examined: the mesh network may confirm a weak
  /// one.
  var detectorThreshold: Double { hasMesh ? 0.5 * minimumScore : minimumScore }

  /// The score from which a face is certain in any picture, without the mesh network.
  static let certainScore = 0.8

  /// The samples of the detector from which the mesh network tells faces from other objects.
  private static let verifiableSamples = 16.0

  /// Whether the mesh network need not agree with a detection.
  ///
  /// The scores of faces rise with their samples, from a median of 0.69 at ten to 0.9 at thirty; those
  /// of objects that resemble a face do not.
  func isLikely(_ detection: Detection) -> Bool {
    let large = max(0, min((detection.samples - 16) / 12, 1))
    return detection.score >= min(1, minimumScore + 0.15 + 0.1 * large)
  }

  /// Whether a detection may start or update a track.
  ///
  /// `probability` is that of the mesh network, or 0 where it sees no face.
  func suggestsFace(_ detection: Detection, probability: Double) -> Bool {
    if hasMesh ? isLikely(detection) : detection.score >= minimumScore { return true }
    // The mesh network is rarely this sure of other objects, but always of small boxes.
    return probability > 0.9
      && (detection.samples >= Self.verifiableSamples || detection.score >= 0.8 * minimumScore)
  }

  /// Whether a detection confirms a track at once.
  func confirmsImmediately(_ detection: Detection, probability: Double) -> Bool {
    isStill || (isLikely(detection) && (probability > 0.9 || !hasMesh))
  }
}
