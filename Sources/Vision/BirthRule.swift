/// When something that looks like a face is reported as one.
///
/// Letters, leaves and logos look like faces for a picture or two, seldom to both networks, and
/// never for long: what both are sure of is reported at once, the rest after four sightings in
/// seven pictures. In a still picture there is no later one to wait for.
struct BirthRule {
  /// Pictures that are looked back on, and sightings among them that make a face.
  static let window = (pictures: 7, sightings: 4)
  /// Seconds from one of these pictures to the next, at least.
  static let shortest = 0.025

  /// Least score of a face that the mesh network does not see.
  let least: Double
  /// Whether the mesh network is asked.
  let hasMesh: Bool
  /// Whether this picture stands for itself.
  var isStill = false

  /// Least score of a detection that is looked at: the mesh network may see a face in it.
  var low: Double { hasMesh ? 0.5 * least : least }

  /// From here on the detector's word counts without the mesh network's.
  private var sure: Double { min(1, least + 0.15) }

  /// Whether a detection says that there may be a face.
  ///
  /// `presence` is how surely the mesh network sees one, 0 where it does not.
  func counts(score: Double, presence: Double) -> Bool {
    // Of things that are none it is as sure once in a while; of small faces always.
    presence > 0.9 || score >= (hasMesh ? sure : least)
  }

  /// Whether a detection says that there is a face.
  func isCertain(score: Double, presence: Double) -> Bool {
    isStill || (score >= sure && (presence > 0 || !hasMesh))
  }
}
