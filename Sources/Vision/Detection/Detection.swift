import Glibc
package import Pixels

/// A detected face: score, box and six keypoints, in the coordinates of its owner.
package struct Detection: Sendable, Equatable {
  /// 0...1.
  package var score: Double
  package var box: Rectangle
  /// The points of `Face.Keypoint`, in its order.
  package var keypoints: [Point]
  /// The network that detected it: their boxes differ.
  package var network = Network.blazeFace
  /// Samples of the network's input along the longer side of the box; few are inexact.
  package var samples = 0.0

  /// The networks that detect faces.
  package enum Network: Sendable {
    case blazeFace, yuNet
  }

  package init(score: Double, box: Rectangle, keypoints: [Point], network: Network = .blazeFace) {
    (self.score, self.box, self.keypoints, self.network) = (score, box, keypoints, network)
    samples = 0
  }

  /// Applies an affine map; the box becomes the bounding box of its image.
  package func mapped(by map: Affine) -> Detection {
    let bounds = [
      Point(x: box.x, y: box.y), Point(x: box.maxX, y: box.y), Point(x: box.x, y: box.maxY),
      Point(x: box.maxX, y: box.maxY),
    ].map { map($0) }
    let (low, high) = bounds.boundingCorners
    var mapped = self
    mapped.box = Rectangle(from: low, to: high)
    mapped.keypoints = keypoints.map { map($0) }
    return mapped
  }

  /// The vector from the eye on the left to the one on the right; level without keypoints.
  var eyeAxis: Point {
    keypoints.count > 1 ? keypoints[1] - keypoints[0] : Point(x: 1, y: 0)
  }

  /// The rotation of the eyes, in radians, clockwise on the screen.
  var roll: Double { atan2(eyeAxis.y, eyeAxis.x) }
}

extension Detection {
  /// The estimated bounds of the face's mesh.
  ///
  /// A detector's box is not the mesh's, and a face must not change its size when its mesh appears
  /// or disappears. BlazeFace's was fitted to 880 faces of films and portraits that have both (mean
  /// error 2 % of a face's width, 90th percentile 5 %), YuNet's to 537 (width within 7 % for eight in
  /// ten).
  var faceBounds: Rectangle {
    guard keypoints.count > 1 else { return box }
    let eyes = eyeAxis.length
    let (width, height, drop) =
      switch network {
      case .blazeFace: (0.32 * box.width + 1.4 * eyes, 1.02 * box.height, 0.0)
      // Its box is upright, and reaches above the mesh.
      case .yuNet: (0.92 * box.width + 0.2 * eyes, 0.91 * box.height, 0.053 * box.height)
      }
    let (c, s) = network == .yuNet ? (1, 0) : (cos(roll), sin(roll))
    let wide = hypot(width * c, height * s)
    let high = hypot(width * s, height * c)
    return Rectangle(
      x: box.center.x - wide / 2, y: box.center.y + drop - high / 2, width: wide, height: high)
  }
}

/// Weighted non-maximum suppression, as in the WEIGHTED mode of MediaPipe's
/// NonMaxSuppressionCalculator.
///
/// Candidates whose IoU with the best remaining one exceeds 0.3 are merged into it: positions are
/// averaged by score, and the best score is kept.
enum WeightedSuppression {
  static let iouThreshold = 0.3

  /// At most `limit` detections, best score first.
  static func merge(_ candidates: [Detection], limit: Int) -> [Detection] {
    var remaining = candidates.sorted { $0.score > $1.score }
    var merged: [Detection] = []
    while let best = remaining.first, merged.count < limit {
      let same = remaining.filter { $0.box.iou(best.box) > iouThreshold }
      // An empty box overlaps nothing, not even itself.
      if same.isEmpty { break }
      remaining.removeAll { $0.box.iou(best.box) > iouThreshold }
      let weight = same.reduce(0) { $0 + $1.score }
      func mean(_ point: (Detection) -> Point) -> Point {
        same.reduce(.zero) { $0 + point($1) * $1.score } * (1 / weight)
      }
      var face = best
      face.box = Rectangle(
        from: mean { Point(x: $0.box.x, y: $0.box.y) },
        to: mean { Point(x: $0.box.maxX, y: $0.box.maxY) })
      face.keypoints = best.keypoints.indices.map { index in mean { $0.keypoints[index] } }
      merged.append(face)
    }
    return merged
  }
}
