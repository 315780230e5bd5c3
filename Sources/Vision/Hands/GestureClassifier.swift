import Faces
import Glibc
import Inference

/// Recognizes eight gestures by the embedding of a hand, with MediaPipe's classifier.
struct GestureClassifier {
  /// Of MediaPipe's gesture_recognizer.task.
  static let fileName = "canned_gesture_classifier.tflite"

  private let normalization: FeatureNormalization
  private let dense: FeatureLayer

  /// Throws unless the constants of `model` are those of the classifier of the eight gestures.
  init(_ model: TFLiteModel) throws(ModelError) {
    do throws(ModelError) {
      let constants = try GestureConstants(model, dense: 1, normalizations: 1)
      normalization = try constants.normalization(0)
      dense = try constants.dense(0, inputs: Features.count, outputs: Gesture.allCases.count)
    } catch {
      throw ModelError("\(model.name): not the expected gesture classifier: \(error)")
    }
  }

  /// The scores of the hand with this embedding.
  ///
  /// The networks were trained on pictures that are not turned: Pointing_Up and Thumb_Up are directions in
  /// the upright picture.
  func scores(of embedding: Features) -> GestureScores {
    Self.softmax(dense.apply(normalization.apply(embedding).rectified))
  }

  private static func softmax(_ logits: Features) -> GestureScores {
    var scores = GestureScores(repeating: 0)
    var highest = logits[0]
    for index in scores.indices { highest = max(highest, logits[index]) }
    var sum: Float = 0
    for index in scores.indices {
      scores[index] = expf(logits[index] - highest)
      sum += scores[index]
    }
    for index in scores.indices { scores[index] /= sum }
    return scores
  }
}
