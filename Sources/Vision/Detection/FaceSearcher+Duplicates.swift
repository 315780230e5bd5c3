import Pixels

/// Several detections of one face, and which of them is the best.
extension FaceSearcher {
  /// A rotation from which on BlazeFace's keypoints are better than YuNet's, in radians.
  private static let largeRoll = 35 * Double.pi / 180

  /// Whether a detection is of a face that YuNet sees badly or not at all.
  static func isTurned(_ detection: Detection) -> Bool {
    detection.network == .blazeFace && abs(detection.roll) > largeRoll
  }

  /// The detections without duplicates, the better ones of two first.
  ///
  /// Two detections are one face if their IoU is over 0.3, or they share 0.6 of the smaller one.
  static func mergeDuplicates(_ detections: [Detection]) -> [Detection] {
    firstOfEach(detections.sorted(by: isBetter)).sorted { $0.score > $1.score }
  }

  /// The same for detections of one network, of which the one with the higher score is better.
  static func mergeOverlaps(_ detections: [Detection]) -> [Detection] {
    firstOfEach(detections.sorted { $0.score > $1.score })
  }

  private static func firstOfEach(_ detections: [Detection]) -> [Detection] {
    var faces: [Detection] = []
    for detection in detections {
      let box = detection.box
      let isKnown = faces.contains {
        $0.box.iou(box) > 0.3
          || $0.box.intersection(box).area > 0.6 * min($0.box.area, box.area)
      }
      if !isKnown { faces.append(detection) }
    }
    return faces
  }

  private static func isBetter(_ a: Detection, _ b: Detection) -> Bool {
    let (first, second) = (rank(a), rank(b))
    if first != second { return first < second }
    return a.score > b.score
  }

  /// Turned faces of BlazeFace are the most exact, then YuNet's with enough samples; those that are
  /// coarse may suppress two exact ones.
  private static func rank(_ detection: Detection) -> Int {
    switch detection.network {
    case .blazeFace: isTurned(detection) && detection.score > 0.6 ? 0 : 2
    case .yuNet: detection.samples >= exactSamples / 1.5 ? 1 : 3
    }
  }
}
