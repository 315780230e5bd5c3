/// The rule by which a tentative track is confirmed.
///
/// Letters, leaves and logos resemble faces in single pictures, but seldom for both networks, and
/// only briefly. A detection with high scores of both networks is confirmed at once, others after
/// four observations in seven pictures. In a still picture each tentative face is confirmed.
struct ConfirmationRule {
  /// The length of the window, in pictures, and the observations in it that confirm a track.
  static let window = (pictures: 7, observations: 4)
  /// The minimum time between two pictures of the window, in seconds.
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

  /// From this score on the mesh network need not agree.
  private var certainScore: Double { min(1, minimumScore + 0.15) }

  /// Whether a detection may start or update a track.
  ///
  /// `probability` is that of the mesh network, or 0 where it sees no face.
  func suggestsFace(score: Double, probability: Double) -> Bool {
    // The mesh network is rarely this sure of other objects, and always of small faces.
    probability > 0.9 || score >= (hasMesh ? certainScore : minimumScore)
  }

  /// Whether a detection confirms a track at once.
  func confirmsImmediately(score: Double, probability: Double) -> Bool {
    isStill || (score >= certainScore && (probability > 0 || !hasMesh))
  }
}
