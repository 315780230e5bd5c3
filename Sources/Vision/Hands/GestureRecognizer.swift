import Faces
import Inference
import Pixels

/// Recognizes the gestures of hands that are followed.
///
/// Gestures need better points than stickers on hands: with those of the smaller network none of 24 drawn
/// fists is recognized, with those of the larger one all are. That takes twice as long, so it measures a hand in
/// every fifth picture only, and its points tell nothing but the gesture: where they took turns, points would
/// jump.
struct GestureRecognizer {
  /// Pictures from one measurement of a hand to the next.
  private static let interval = 5

  /// The larger network of points; without it the points of the smaller one tell the gesture.
  var points: HandLandmarkModel?
  /// Without both, hands have no gestures.
  var embedder: GestureEmbedder?
  var classifier: GestureClassifier?
  private var picture = 0

  mutating func beginPicture() { picture &+= 1 }

  /// Whether the gesture of the hand with this number is measured in this picture: hands take turns.
  func isDue(for number: Int) -> Bool {
    points == nil || (picture &+ number) % Self.interval == 0
  }

  /// The scores of a hand whose points are in pixels of the upright picture; nil where they cannot be measured.
  func scores(
    of hand: Hand, in picture: borrowing Picture, _ orientation: Orientation, gain: Float,
    minScore: Double
  ) throws(ModelError) -> GestureScores? {
    guard let embedder, let classifier else { return nil }
    let better = try points?.measure(
      in: picture, orientation, Region(hand), gain: gain, minScore: minScore)
    return classifier.scores(of: embedder.embedding(of: better ?? hand))
  }
}
