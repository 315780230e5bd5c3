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
      var rest: [Detection] = []
      var sum = Sum(best.keypoints.count)
      for candidate in remaining {
        if candidate.box.iou(best.box) > iouThreshold {
          sum.add(candidate)
        } else {
          rest.append(candidate)
        }
      }
      // A box without area overlaps nothing, itself included.
      if rest.count == remaining.count { break }
      merged.append(sum.average(score: best.score))
      remaining = rest
    }
    return merged
  }

  private struct Sum {
    var weight = 0.0
    var corner = Point.zero
    var opposite = Point.zero
    var keypoints: [Point]

    init(_ count: Int) { keypoints = Array(repeating: Point.zero, count: count) }

    mutating func add(_ d: Detection) {
      weight += d.score
      corner = corner + Point(x: d.box.x, y: d.box.y) * d.score
      opposite = opposite + Point(x: d.box.maxX, y: d.box.maxY) * d.score
      for index in keypoints.indices {
        keypoints[index] = keypoints[index] + d.keypoints[index] * d.score
      }
    }

    func average(score: Double) -> Detection {
      Detection(
        score: score, box: Rectangle(from: corner * (1 / weight), to: opposite * (1 / weight)),
        keypoints: keypoints.map { $0 * (1 / weight) })
    }
  }
}
