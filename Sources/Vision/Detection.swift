package import Pixels

/// A face as a detector sees it: score, box and six points, in the owner's coordinates.
package struct Detection: Sendable, Equatable {
  /// 0...1.
  package var score: Double
  package var box: Rectangle
  /// The points of `Face.Keypoint`, in its order.
  package var keypoints: [Point]

  /// The same face through an affine map; the box becomes the upright bounds of its image.
  package func mapped(by map: Affine) -> Detection {
    let bounds = [
      Point(x: box.x, y: box.y), Point(x: box.maxX, y: box.y), Point(x: box.x, y: box.maxY),
      Point(x: box.maxX, y: box.maxY),
    ].map { map($0) }
    let (low, high) = bounds.corners
    return Detection(
      score: score, box: Rectangle(from: low, to: high),
      keypoints: keypoints.map { map($0) })
  }
}

/// Merges candidates that overlap into one detection each: weighted non-maximum suppression.
///
/// Best first: every candidate whose IoU with the best remaining one is over 0.3 is merged into
/// it, places averaged by score; the best one's score stays. As MediaPipe's
/// NonMaxSuppressionCalculator does in its WEIGHTED mode.
enum WeightedSuppression {
  static let iouThreshold = 0.3

  /// At most `limit` detections, best score first.
  static func merge(_ candidates: [Detection], limit: Int) -> [Detection] {
    var remaining = candidates.sorted { $0.score > $1.score }
    var merged: [Detection] = []
    while let best = remaining.first, merged.count < limit {
      let same = remaining.filter { $0.box.iou(best.box) > iouThreshold }
      // A box without area overlaps nothing, itself included.
      if same.isEmpty { break }
      remaining.removeAll { $0.box.iou(best.box) > iouThreshold }
      let weight = same.reduce(0) { $0 + $1.score }
      func mean(_ place: (Detection) -> Point) -> Point {
        same.reduce(.zero) { $0 + place($1) * $1.score } * (1 / weight)
      }
      merged.append(
        Detection(
          score: best.score,
          box: Rectangle(
            from: mean { Point(x: $0.box.x, y: $0.box.y) },
            to: mean { Point(x: $0.box.maxX, y: $0.box.maxY) }),
          keypoints: best.keypoints.indices.map { index in mean { $0.keypoints[index] } }))
    }
    return merged
  }
}
