import Faces
import Pixels

/// The motion of a hand from picture to picture, by which a steady one is measured in every second picture only.
struct HandMotion {
  /// The root mean square of the points' errors, in the hand's size, up to which its motion counts as steady.
  private static let steadyError = 0.015

  /// From picture to picture, in pixels of the stored one.
  private var step = Point.zero
  /// Whether the last measurement was where the hand was expected.
  private var isSteady = false
  /// The pictures since the hand was measured.
  private var missing = 0

  /// Whether the next picture may do without a measurement.
  var isPredictable: Bool { isSteady && missing == 0 }

  /// The hand as it is expected in the next picture.
  func next(_ hand: Hand) -> Hand {
    var moved = hand
    moved.gestureScores = nil
    for index in moved.points.indices { moved.points[index] = hand.points[index] + step }
    return moved
  }

  /// Records that a picture was not measured.
  mutating func recordPrediction() { missing += 1 }

  /// Records the hand that was measured where `expected` was.
  mutating func recordMeasurement(_ hand: Hand, expected: Hand) {
    var (sum, squares) = (Point.zero, 0.0)
    for index in hand.points.indices {
      let error = hand.points[index] - expected.points[index]
      sum = sum + error
      squares += error.x * error.x + error.y * error.y
    }
    let count = Double(Hand.pointCount)
    let limit = Self.steadyError * hand.size
    isSteady = squares <= count * limit * limit
    step = step + sum * (1 / (count * Double(missing + 1)))
    missing = 0
  }
}
