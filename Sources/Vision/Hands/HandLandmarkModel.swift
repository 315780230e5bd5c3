import Faces
import Glibc
import Inference
import Pixels

/// Measures the points of a hand with one of MediaPipe's two networks, which have the same tensors.
///
/// One thread at a time may use it.
final class HandLandmarkModel {
  /// The smaller network, of the mediapipe 0.10.14 wheel, and the larger one, of MediaPipe's
  /// gesture_recognizer.task: 124 and 298 million products.
  static let fileName = "hand_landmark_lite.tflite"
  static let largeFileName = "hand_landmarks_detector.tflite"
  private static let numbers = 3 * Hand.pointCount
  /// The network's depths in units of x and y (normalize_z of MediaPipe's hand_landmarks_detector_graph).
  private static let depthUnit = 0.4

  private let network: RegionNetwork

  /// Wraps the network; throws unless its tensors are this model's.
  init(_ graph: Graph) throws(ModelError) {
    network = try RegionNetwork(
      graph, side: 224, range: 0...1,
      // Points in samples, the probability of a hand, that of a right hand, and points in metres.
      outputs: [[1, Self.numbers], [1, 1], [1, 1], [1, Self.numbers]])
  }

  /// The hand in `region`, both in pixels of the upright picture.
  ///
  /// Nil if the probability is under `minScore` or a number is not plausible.
  func measure(
    in picture: borrowing Picture, _ orientation: Orientation, _ region: Region, gain: Float,
    minScore: Double
  ) throws(ModelError) -> Hand? {
    guard region.isUsable else { return nil }
    let toUpright = region.map(from: network.side)
    try network.run(on: picture, orientation, toUpright, border: .black, gain: gain)
    var hand = Hand()
    hand.score = Double(network.withOutput(1) { $0[0] })
    guard hand.score >= minScore else { return nil }
    let depthScale = region.width / Double(network.side) / Self.depthUnit
    network.withOutput(0) { values in
      for index in 0..<Hand.pointCount {
        hand.points[index] = toUpright(
          Point(x: Double(values[3 * index]), y: Double(values[3 * index + 1])))
        hand.depths[index] = Double(values[3 * index + 2]) * depthScale
      }
    }
    hand.rightScore = Double(network.withOutput(2) { $0[0] })
    // The spread of the points in the picture over that of the points in metres.
    let spread = network.withOutput(3) { values in
      Self.spread { Point(x: Double(values[3 * $0]), y: Double(values[3 * $0 + 1])) }
    }
    guard spread > 1e-4 else { return nil }
    hand.pixelsPerMetre = Self.spread { hand.points[$0] } / spread
    return hand.isUsable ? hand : nil
  }

  /// The root of the summed squared distances of the points from their mean.
  private static func spread(_ point: (Int) -> Point) -> Double {
    var (sum, squares) = (Point.zero, 0.0)
    for index in 0..<Hand.pointCount {
      let own = point(index)
      sum = sum + own
      squares += own.x * own.x + own.y * own.y
    }
    let mean = (sum.x * sum.x + sum.y * sum.y) / Double(Hand.pointCount)
    return max(squares - mean, 0).squareRoot()
  }
}

extension Region {
  /// The region in which the points of this hand, in pixels of the upright picture, are sought in
  /// the next picture.
  ///
  /// From hand_landmark_landmarks_to_roi.pbtxt: turned so that the knuckles are above the wrist, the
  /// bounds of the points but for the fingers' ends, moved a tenth of their height toward the fingers,
  /// and twice as large.
  init(_ hand: Hand) {
    let points = hand.points
    let knuckles = (points[5] + points[13]) * 0.25 + points[9] * 0.5
    let axis = knuckles - points[0]
    let angle = atan2(axis.x, -axis.y)
    let (c, s) = (cos(angle), sin(angle))
    var low = Point(x: .infinity, y: .infinity)
    var high = Point(x: -.infinity, y: -.infinity)
    for index in Self.stablePoints {
      // Along the hand's own axes.
      let own = Point(
        x: c * points[index].x + s * points[index].y, y: c * points[index].y - s * points[index].x)
      low = Point(x: min(low.x, own.x), y: min(low.y, own.y))
      high = Point(x: max(high.x, own.x), y: max(high.y, own.y))
    }
    let (width, height) = (high.x - low.x, high.y - low.y)
    let middle = Point(x: (low.x + high.x) / 2, y: (low.y + high.y) / 2 - 0.1 * height)
    let side = 2 * max(width, height)
    self.init(
      center: Point(x: c * middle.x - s * middle.y, y: s * middle.x + c * middle.y), width: side,
      height: side, angle: angle)
  }

  private static let stablePoints = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]
}
