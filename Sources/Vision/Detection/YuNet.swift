import Glibc
package import Inference
package import Pixels
package import Threads

/// Detects faces with YuNet (Wu, Peng, Yu: "YuNet: A Tiny Millisecond-level Face Detector", 2023; the
/// file face_detection_yunet_2023mar.onnx).
///
/// The network takes any size of input: it is that of the picture, scaled to a longer side and rounded
/// up to whole cells. Faces are found from about 10 samples on, turned by up to about 30 degrees. One
/// thread at a time may use it.
package final class YuNet {
  package static let fileName = "face_detection_yunet_2023mar.onnx"

  /// The strides of the three levels, and the largest: sides of the input are multiples of it.
  static let strides = [8, 16, 32]
  static let cell = 32

  /// The size of the input in samples.
  let width, height: Int
  private let graph: Graph
  private let sampler: RegionSampler

  /// The size of the input for pictures of this aspect, with `longerSide` samples along the longer
  /// side; whole cells.
  package static func inputSize(
    of frame: Rectangle, longerSide: Int
  ) -> (width: Int, height: Int) {
    let scale = Double(longerSide) / max(frame.width, frame.height, 1)
    func side(_ length: Double) -> Int {
      let cells = (length * scale / Double(cell) - 1e-6).rounded(.up)
      return cell * max(1, min(Int(cells), longerSide / cell))
    }
    return (side(frame.width), side(frame.height))
  }

  /// Builds the network for inputs of this size; throws unless the file is YuNet's.
  package init(
    _ model: ONNXModel, width: Int, height: Int, threads: ThreadPool? = nil
  ) throws(ModelError) {
    (self.width, self.height) = (width, height)
    graph = try Graph(model, height: height, width: width, threads: threads)
    let cells = Self.strides.map { height / $0 * (width / $0) }
    try graph.requireShapes(
      input: [1, height, width, 3],
      // Two logits of each cell, for the class and for an object; a box; five points.
      outputs: [1, 1, 4, 10].flatMap { depth in cells.map { [1, $0, depth] } })
    sampler = RegionSampler(width: width, height: height, range: 0...255, order: .bgr)
  }

  /// The confidence of a face with this score, on the scale of MediaPipe's full-range detector.
  ///
  /// At equal confidence both detected as many faces in 57 pictures without people: at 0.3, 0.5 and
  /// 0.65 of that detector, where YuNet's scores are 0.33, 0.6 and 0.75. Linear between.
  static func confidence(ofScore score: Double) -> Double {
    interpolate(score, from: calibration.map(\.score), to: calibration.map(\.confidence))
  }

  /// The inverse of `confidence(ofScore:)`.
  static func score(ofConfidence confidence: Double) -> Double {
    interpolate(confidence, from: calibration.map(\.confidence), to: calibration.map(\.score))
  }

  private static let calibration: [(score: Double, confidence: Double)] = [
    (0, 0), (0.33, 0.3), (0.6, 0.5), (0.75, 0.65), (1, 1),
  ]

  private static func interpolate(_ x: Double, from xs: [Double], to ys: [Double]) -> Double {
    let upper = xs.indices.dropFirst().first { x <= xs[$0] } ?? xs.count - 1
    let weight = (x - xs[upper - 1]) / (xs[upper] - xs[upper - 1])
    return ys[upper - 1] + max(0, min(weight, 1)) * (ys[upper] - ys[upper - 1])
  }

  /// The faces in a picture, best score first, in pixels of the upright picture.
  ///
  /// Only `tile`, in pixels of the upright picture, is searched, or the whole picture without one.
  /// Codes of the picture are multiplied by `gain`.
  package func detect(
    in picture: borrowing Picture, orientation: Orientation = .up, minScore: Double,
    tile: Rectangle? = nil, gain: Float = 1
  ) throws(ModelError) -> [Detection] {
    let view = UprightView(picture, orientation)
    let area = tile ?? view.frame
    // What the input has more than the area lies at its right and bottom, and is black.
    let step = max(area.width / Double(width), area.height / Double(height))
    let toUpright = Affine(a: step, b: 0, c: 0, d: step, tx: area.x, ty: area.y)
    let map = toUpright.then(view.toStoredPixels)
    graph.withInput {
      sampler.sample(picture, map, border: .black, gain: gain, graph.inputLayout, into: &$0)
    }
    try graph.invoke()
    return Self.suppress(candidates(minScore)).map { $0.mapped(by: toUpright) }
  }

  // MARK: Decoding

  /// The candidates with a score of at least `minScore`, in samples of the input.
  ///
  /// OpenCV's decoding (objdetect/src/face_detect.cpp): the score is the geometric mean of both
  /// probabilities; centres are counted from a cell's top left corner.
  func candidates(_ minScore: Double) -> [Detection] {
    var found: [Detection] = []
    for (level, stride) in Self.strides.enumerated() {
      let scores = scores(level, minScore)
      graph.withOutput(6 + level) { boxes in
        graph.withOutput(9 + level) { points in
          for (cell, score) in scores {
            let corner = Point(
              x: Double(cell % (width / stride)), y: Double(cell / (width / stride)))
            if let face = Self.face(cell, corner, stride, score, boxes, points) {
              found.append(face)
            }
          }
        }
      }
    }
    return found
  }

  private func scores(_ level: Int, _ minScore: Double) -> [(cell: Int, score: Double)] {
    // Both probabilities are at least the square of the score: most cells fail the first test.
    let lowest = minScore * minScore
    let logit = lowest <= 0 ? -101 : Float(log(lowest / max(1 - lowest, 1e-12)) - 1e-3)
    return graph.withOutput(level) { classes in
      graph.withOutput(3 + level) { objects in
        classes.indices.compactMap { cell in
          guard objects[cell] >= logit, classes[cell] >= logit else { return nil }
          let score = (logistic(Double(classes[cell])) * logistic(Double(objects[cell])))
            .squareRoot()
          return score >= minScore ? (cell, score) : nil
        }
      }
    }
  }

  private static func face(
    _ cell: Int, _ corner: Point, _ stride: Int, _ score: Double, _ boxes: Span<Float>,
    _ points: Span<Float>
  ) -> Detection? {
    let scale = Double(stride)
    func point(_ number: Int) -> Point {
      (corner
        + Point(
          x: Double(points[cell * 10 + 2 * number]), y: Double(points[cell * 10 + 2 * number + 1])))
        * scale
    }
    let center =
      (corner + Point(x: Double(boxes[cell * 4]), y: Double(boxes[cell * 4 + 1]))) * scale
    let size = (
      width: exp(Double(boxes[cell * 4 + 2])) * scale,
      height: exp(Double(boxes[cell * 4 + 3])) * scale
    )
    guard size.width.isFinite, size.height.isFinite, center.x.isFinite, center.y.isFinite else {
      return nil
    }
    let (eye, otherEye, nose) = (point(0), point(1), point(2))
    let mouth = (point(3) + point(4)) * 0.5
    let keypoints = [eye, otherEye, nose, mouth] + ears(eye, otherEye)
    guard keypoints.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
    var detection = Detection(
      score: score,
      box: Rectangle(
        x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width,
        height: size.height),
      keypoints: keypoints, network: .yuNet)
    detection.samples = max(size.width, size.height)
    return detection
  }

  /// Where the ears are if the face is seen from the front: the network does not find them.
  ///
  /// In eye distances outwards and down, as MediaPipe's detectors place them in frontal faces.
  private static func ears(_ eye: Point, _ other: Point) -> [Point] {
    let (across, down) = (0.57, 0.29)
    let right = other - eye
    let below = Point(x: -right.y, y: right.x) * down
    return [eye - right * across + below, other + right * across + below]
  }

  /// Greedy non-maximum suppression: of detections whose IoU exceeds 0.3 the best remains.
  static func suppress(_ candidates: [Detection]) -> [Detection] {
    var kept: [Detection] = []
    for candidate in candidates.sorted(by: { $0.score > $1.score })
    where !kept.contains(where: { $0.box.iou(candidate.box) > 0.3 }) {
      kept.append(candidate)
    }
    return kept
  }
}
