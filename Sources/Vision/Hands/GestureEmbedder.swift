import Faces
import Inference
import Pixels

/// Describes the pose of a hand by 128 numbers, with the embedder of MediaPipe's gesture recognizer: a perceptron
/// with residual connections.
///
/// It is small, 0.13 million products, and has operators that the engine does not support, such as GATHER; so its
/// layers are written out here.
struct GestureEmbedder {
  /// Of MediaPipe's gesture_recognizer.task.
  static let fileName = "gesture_embedder.tflite"

  /// Coordinates of 21 points.
  private static let inputs = 3 * Hand.pointCount
  private static let blockCount = 5

  /// From the points, and through a hidden layer.
  private let direct, first, second: FeatureLayer
  /// Residual blocks: normalization, ReLU, and a layer whose result is added.
  private let blocks: [(normalization: FeatureNormalization, dense: FeatureLayer)]
  private let lastNormalization: FeatureNormalization
  private let last: FeatureLayer

  /// Throws unless the constants of `model` are those of the gesture embedder.
  init(_ model: TFLiteModel) throws(ModelError) {
    let (width, count) = (Features.count, Self.inputs)
    do throws(ModelError) {
      let constants = try GestureConstants(
        model, dense: 3 + Self.blockCount + 1, normalizations: Self.blockCount + 1)
      direct = try constants.dense(0, inputs: count, outputs: width)
      first = try constants.dense(1, inputs: count, outputs: width)
      second = try constants.dense(2, inputs: width, outputs: width)
      blocks = try (0..<Self.blockCount).map { (number) throws(ModelError) in
        (
          try constants.normalization(number),
          try constants.dense(3 + number, inputs: width, outputs: width)
        )
      }
      lastNormalization = try constants.normalization(Self.blockCount)
      last = try constants.dense(3 + Self.blockCount, inputs: width, outputs: width)
    } catch {
      throw ModelError("\(model.name): not the expected gesture embedder: \(error)")
    }
  }

  /// The embedding of a hand whose points are in pixels of the upright picture.
  func embedding(of hand: Hand) -> Features {
    let places = Self.places(hand)
    var sum = direct.apply(places)
    sum += second.apply(first.apply(places).rectified)
    for block in blocks { sum += block.dense.apply(block.normalization.apply(sum).rectified) }
    return last.apply(lastNormalization.apply(sum).rectified).rectified
  }

  /// The joints of the palm, whose mean is the origin of the network's coordinates.
  private static let palm = [0, 1, 5, 9, 13, 17]
  private static let smallestSize: Float = 1e-5

  /// The points relative to the palm's mean, in the larger side of their bounds.
  private static func places(_ hand: Hand) -> Features {
    var places = Features.zero
    var origin = SIMD3<Float>.zero
    func place(_ index: Int) -> SIMD3<Float> {
      SIMD3(
        Float(hand.points[index].x - hand.points[0].x),
        Float(hand.points[index].y - hand.points[0].y),
        Float(hand.depths[index] - hand.depths[0]))
    }
    for index in palm { origin += place(index) / Float(palm.count) }
    var (low, high) = (place(0), place(0))
    for index in hand.points.indices {
      low = pointwiseMin(low, place(index))
      high = pointwiseMax(high, place(index))
    }
    let size = max(high.x - low.x, high.y - low.y) + smallestSize
    for index in hand.points.indices {
      let own = (place(index) - origin) / size
      for axis in 0..<3 { places[3 * index + axis] = own[axis] }
    }
    return places
  }
}
