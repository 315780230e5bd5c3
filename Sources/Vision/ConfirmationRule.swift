/// When something that looks like a face is reported as one.
///
/// Letters, leaves and logos look like faces for a picture or two, seldom to both networks, and
/// never for long: what both are certainScore of is reported at once, the rest after four observations in
/// seven pictures. In a still picture there is no later one to wait for.
struct ConfirmationRule {
  /// Pictures that are looked back on, and observations among them that make a face.
  static let window = (pictures: 7, observations: 4)
  /// Seconds from one of these pictures to the next, at minimumScore.
  static let minimumInterval = 0.025

  /// Least score of a face that the mesh network does not see.
  let minimumScore: Double
  /// Whether the mesh network is asked.
  let hasMesh: Bool
  /// Whether this picture stands for itself.
  var isStill = false

  /// Least score of a detection that is looked at: the mesh network may see a face in it.
  var detectorThreshold: Double { hasMesh ? 0.5 * minimumScore : minimumScore }

  /// From here on the detector's word suggestsFace without the mesh network's.
  private var certainScore: Double { min(1, minimumScore + 0.15) }

  /// Whether a detection says that there may be a face.
  ///
  /// `probability` is how surely the mesh network sees one, 0 where it does not.
  func suggestsFace(score: Double, probability: Double) -> Bool {
    // Of things that are none it is as certainScore once in a while; of small faces always.
    probability > 0.9 || score >= (hasMesh ? certainScore : minimumScore)
  }

  /// Whether a detection says that there is a face.
  func confirmsImmediately(score: Double, probability: Double) -> Bool {
    isStill || (score >= certainScore && (probability > 0 || !hasMesh))
  }
}
