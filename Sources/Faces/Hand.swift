package import Pixels

/// A hand in a picture, by MediaPipe's 21 points.
///
/// Point 0 is the wrist; 1 to 4 are the thumb's joints from the wrist to its tip, 5 to 8 those of the index
/// finger, 9 to 12 of the middle, 13 to 16 of the ring and 17 to 20 of the little finger.
package struct Hand: Sendable {
  package static let pointCount = 21

  /// In pixels of the stored picture.
  package var points = InlineArray<21, Point>(repeating: .zero)
  /// The depth of each point behind the wrist, in pixels of the upright picture; negative toward the camera.
  package var depths = InlineArray<21, Double>(repeating: 0)
  /// The size of the hand: pixels of the picture for each metre at the hand.
  package var pixelsPerMetre = 0.0
  /// The probability of a hand, 0...1.
  package var score = 0.0
  /// The probability of a right hand, 0...1, in a picture that is not mirrored.
  package var rightScore = 0.5
  /// The probability of each `Gesture`; nil where they were not measured in this picture.
  package var gestureScores: GestureScores?

  package init() {}

  /// The mean of its points.
  package var center: Point {
    var sum = Point.zero
    for index in points.indices { sum = sum + points[index] }
    return sum * (1 / Double(Self.pointCount))
  }

  /// Whether all numbers are finite, and the size is plausible.
  package var isUsable: Bool {
    guard pixelsPerMetre > 1, pixelsPerMetre < 1e6 else { return false }
    for index in points.indices {
      guard abs(points[index].x) < 1e6, abs(points[index].y) < 1e6 else { return false }
    }
    return true
  }
}
