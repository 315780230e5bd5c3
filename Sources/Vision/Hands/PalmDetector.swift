import Glibc
import Inference
import Pixels

/// Detects palms with MediaPipe's palm_detection_lite network, in a square region of a picture.
///
/// One thread at a time may use it.
final class PalmDetector {
  /// Of the mediapipe 0.10.14 wheel.
  static let fileName = "palm_detection_lite.tflite"
  private static let side = 192
  /// The numbers of each anchor: a box and seven points.
  private static let stride = 18
  /// The minimum score, and the logit of it.
  private static let minScore = 0.5, minLogit: Float = 0

  private let network: RegionNetwork
  private let anchors = Anchors.palms
  private var candidates: [Detection] = []

  /// Wraps the network; throws unless its tensors are this model's.
  init(_ graph: Graph) throws(ModelError) {
    network = try RegionNetwork(
      graph, side: Self.side, range: 0...1,
      outputs: [[1, anchors.count, Self.stride], [1, anchors.count, 1]])
  }

  /// The regions of the landmark network for the palms in `square`, both in pixels of the upright
  /// picture; at most `limit`, best score first.
  ///
  /// It allocates only if there are palms.
  func detect(
    in picture: borrowing Picture, _ orientation: Orientation, square: Region, gain: Float,
    limit: Int
  ) throws(ModelError) -> [Region] {
    guard square.isUsable else { return [] }
    let toUpright = square.map(from: network.side)
    try network.run(on: picture, orientation, toUpright, border: .black, gain: gain)
    findCandidates()
    guard !candidates.isEmpty else { return [] }
    return WeightedSuppression.merge(candidates, limit: limit).map {
      Region(palm: $0.mapped(by: toUpright))
    }
  }

  /// Sets `candidates`, in samples of the network's input.
  ///
  /// All numbers of an anchor are offsets from its centre, in samples; the anchors' size is the
  /// input's (MediaPipe's palm_detection_cpu.pbtxt).
  private func findCandidates() {
    candidates.removeAll(keepingCapacity: true)
    network.withOutput(1) { logits in
      network.withOutput(0) { values in
        for index in anchors.indices where logits[index] >= Self.minLogit {
          let anchor = anchors[index] * Double(Self.side)
          func point(_ offset: Int) -> Point {
            let start = index * Self.stride + offset
            return Point(x: Double(values[start]), y: Double(values[start + 1]))
          }
          let (center, size) = (point(0) + anchor, point(2))
          guard size.x > 0, size.y > 0, size.x.isFinite, size.y.isFinite else { continue }
          candidates.append(
            Detection(
              score: logistic(Double(logits[index])),
              box: Rectangle(
                x: center.x - size.x / 2, y: center.y - size.y / 2, width: size.x, height: size.y),
              keypoints: (0..<7).map { point(4 + 2 * $0) + anchor }))
        }
      }
    }
  }
}

extension Anchors {
  /// Strides 8, 16, 16, 16 on 192 pixels: 24 x 24 cells of 2 anchors, then 12 x 12 of 6.
  static let palms = grid(cells: 24, perCell: 2) + grid(cells: 12, perCell: 6)
}

extension Region {
  /// The region of the landmark network for a detected palm, whose points are the wrist, the base of
  /// the index finger, that of the middle finger, and four more.
  ///
  /// From palm_detection_detection_to_roi.pbtxt: turned so that the middle finger points up, moved
  /// toward it by half the box, and 2.6 times its size.
  init(palm: Detection) {
    let side = max(palm.box.width, palm.box.height)
    let axis = palm.keypoints.count > 2 ? palm.keypoints[2] - palm.keypoints[0] : Point.zero
    let angle = atan2(axis.x, -axis.y)
    self.init(
      center: palm.box.center + Point(x: sin(angle), y: -cos(angle)) * (0.5 * side),
      width: 2.6 * side, height: 2.6 * side, angle: angle)
  }
}
