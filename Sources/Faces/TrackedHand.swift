package import Pixels

/// A hand of a frame, as its metadata describes it.
///
/// Coordinates are normalized to the frame's width and height, as those of `Face`.
package struct TrackedHand: Sendable {
  /// Which hand of a person it is, if the picture is not mirrored.
  package enum Side: String, CaseIterable, Sendable {
    case left, right

    package var opposite: Side { self == .left ? .right : .left }
  }

  /// The track id, never 0, and never reused in a stream, nor that of a face.
  package var id: UInt32
  /// The probability of a hand, 0...1.
  package var confidence: Double
  /// MediaPipe's 21 points, in the order of `Hand`; z is the depth behind the wrist in frame widths.
  package var landmarks = InlineArray<21, Landmark>(repeating: Landmark(x: 0, y: 0, z: 0))
  package var side = Side.right
  /// The probability of `side`, 0.5...1.
  package var sideConfidence = 1.0
  /// Nil where gestures were not measured.
  package var gesture: Gesture?
  /// The probability of `gesture`, 0...1.
  package var gestureConfidence = 0.0

  package init(id: UInt32 = 0, confidence: Double = 0) {
    (self.id, self.confidence) = (id, confidence)
  }

  /// The maximum number of hands in a frame; metadata with more is ignored.
  package static let maximumPerFrame = 64

  /// The bounds of its points.
  package var box: Rectangle {
    var (low, high) = (landmarks[0], landmarks[0])
    for index in landmarks.indices {
      let point = landmarks[index]
      (low.x, low.y) = (min(low.x, point.x), min(low.y, point.y))
      (high.x, high.y) = (max(high.x, point.x), max(high.y, point.y))
    }
    return Rectangle(
      from: Point(x: Double(low.x), y: Double(low.y)),
      to: Point(x: Double(high.x), y: Double(high.y)))
  }

  /// Whether all points are finite.
  package var isUsable: Bool {
    for index in landmarks.indices {
      let point = landmarks[index]
      guard abs(point.x) < 1e4, abs(point.y) < 1e4, abs(point.z) < 1e4 else { return false }
    }
    return true
  }

  /// The joints from the wrist to the end of each finger, thumb first.
  package static let fingers = [
    [0, 1, 2, 3, 4], [0, 5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16], [0, 17, 18, 19, 20],
  ]
  /// The joints across the palm.
  package static let knuckles = [5, 9, 13, 17]

  /// The hand in the new frame; nil if no part of its bounds is visible.
  package func transformed(by transform: FrameTransform) -> TrackedHand? {
    guard isUsable, transform.apply(to: box).intersection(transform.visible).area > 0 else {
      return nil
    }
    var hand = self
    for index in landmarks.indices {
      let point = landmarks[index]
      let place = transform.apply(to: Point(x: Double(point.x), y: Double(point.y)))
      hand.landmarks[index] = Landmark(
        x: Float(place.x), y: Float(place.y), z: point.z * transform.depthScale)
    }
    if transform.isMirrored { hand.side = side.opposite }
    return hand
  }
}
