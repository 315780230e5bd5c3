import Glibc
package import Inference
package import Pixels

/// Detects faces with MediaPipe's short-range network: faces up to about two metres from the camera,
/// in any rotation.
///
/// One thread at a time may use it. The cost hardly depends on the picture's size: the network reads
/// 128 x 128 samples.
package final class FaceDetector {
  /// Of the mediapipe 0.10.14 wheel.
  package static let fileName = "face_detection_short_range.tflite"
  private static let side = 128

  /// The detections that are returned.
  package struct Options: Sendable, Equatable {
    /// The minimum score, 0...1.
    package var minScore = 0.5
    /// The maximum number of detections; the best ones are kept.
    package var count = 16
    /// The minimum size of a box, as a fraction of the picture's shorter side.
    package var minSize = 0.0
    /// The factor of all codes of the picture.
    package var gain: Float = 1

    package init(
      minScore: Double = 0.5, count: Int = 16, minSize: Double = 0, gain: Float = 1
    ) {
      (self.minScore, self.count, self.minSize) = (minScore, count, minSize)
      self.gain = gain
    }
  }

  private let anchors = Anchors.shortRange
  private let network: RegionNetwork

  /// Wraps the network; throws unless its tensors are this model's.
  package init(_ graph: Graph) throws(ModelError) {
    network = try RegionNetwork(
      graph, side: Self.side, range: -1...1,
      // For each anchor the box with its keypoints, and the logit of a face.
      outputs: [[1, anchors.count, 16], [1, anchors.count, 1]])
  }

  /// The faces in `picture`, best score first, in normalized coordinates of the upright picture
  /// (whose width and height are exchanged where `orientation` says so).
  ///
  /// Only `tile`, a square in pixels of the upright picture, is searched, or the whole picture
  /// without one; turned counter-clockwise by so many `quarters` of a circle.
  package func detect(
    in picture: borrowing Picture, orientation: Orientation = .up, options: Options = Options(),
    tile: Rectangle? = nil, quarters: Int = 0
  ) throws(ModelError) -> [Detection] {
    let frame = UprightView(picture, orientation).frame
    let (width, height) = (frame.width, frame.height)
    // The whole picture is letterboxed to a square.
    let side = tile?.width ?? max(width, height)
    let center = tile?.center ?? frame.center
    let step = side / Double(network.side)
    let (c, s) = [(1.0, 0.0), (0, 1), (-1, 0), (0, -1)][quarters & 3]
    let half = Double(network.side) / 2
    let toUpright = Affine(
      a: step * c, b: step * s, c: -step * s, d: step * c,
      tx: center.x - step * half * (c - s), ty: center.y - step * half * (s + c))
    try network.run(on: picture, orientation, toUpright, border: .black, gain: options.gain)

    let normalize = Affine(
      a: Double(network.side), b: 0, c: 0, d: Double(network.side), tx: 0, ty: 0
    ).then(toUpright).then(Affine(a: 1 / width, b: 0, c: 0, d: 1 / height, tx: 0, ty: 0))
    let smallest = options.minSize * min(width, height)
    return WeightedSuppression.merge(candidates(options.minScore), limit: anchors.count)
      .lazy.map { $0.mapped(by: normalize) }
      .filter { min($0.box.width * width, $0.box.height * height) >= smallest }
      .prefix(max(0, options.count)).map { $0 }
  }

  /// The candidates with a score of at least `minScore`, in normalized coordinates of the network's
  /// input.
  private func candidates(_ minScore: Double) -> [Detection] {
    // Slightly below the exact logit: the score itself decides.
    let lowest = minScore <= 0 ? -101.0 : log(minScore / max(1 - minScore, 1e-12)) - 1e-3
    let scores = network.withOutput(1) { logits in
      anchors.indices.compactMap { index -> (anchor: Int, score: Double)? in
        let logit = Double(logits[index])
        guard logit >= lowest else { return nil }
        let score = logistic(logit)
        return score >= minScore ? (index, score) : nil
      }
    }
    return network.withOutput(0) { values in
      scores.compactMap { index, score in
        let anchor = anchors[index]
        func value(_ offset: Int) -> Double {
          Double(values[index * 16 + offset]) / Double(network.side)
        }
        let size = (width: value(2), height: value(3))
        guard size.width >= 0, size.height >= 0, size.width.isFinite, size.height.isFinite else {
          return nil
        }
        let center = Point(x: value(0), y: value(1)) + anchor
        var detection = Detection(
          score: score,
          box: Rectangle(
            x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width,
            height: size.height),
          keypoints: (0..<6).map { Point(x: value(4 + 2 * $0), y: value(5 + 2 * $0)) + anchor })
        detection.samples = max(size.width, size.height) * Double(network.side)
        return detection
      }
    }
  }
}

/// The logistic function; 0 for NaN.
func logistic(_ logit: Double) -> Double {
  logit.isNaN ? 0 : 1 / (1 + exp(-max(-100, min(logit, 100))))
}

/// The centres of the detector's anchors, in normalized coordinates of its square input.
///
/// From MediaPipe's SSD anchor options for this network. All anchors are as large as the
/// input, so only the centres matter. The order is rows, columns, anchors of a cell.
enum Anchors {
  /// Strides 8, 16, 16, 16 on 128 pixels.
  ///
  /// Layers of equal stride share cells: 16 x 16 cells of 2 anchors, then 8 x 8 of 6.
  static let shortRange = grid(cells: 16, perCell: 2) + grid(cells: 8, perCell: 6)

  static func grid(cells: Int, perCell: Int) -> [Point] {
    (0..<cells * cells * perCell).map { index in
      let cell = index / perCell
      return Point(
        x: (Double(cell % cells) + 0.5) / Double(cells),
        y: (Double(cell / cells) + 0.5) / Double(cells))
    }
  }
}
