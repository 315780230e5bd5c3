import Faces
import Pixels
import Support
import Testing

@testable import Vision

/// A steady hand is measured in every second picture, any other in each.
@Suite(.timeLimit(.minutes(2))) struct HandMotionTests {
  /// A hand of 100 pixels, moved by (`x`, 0), with its little finger bent by `bend` pixels.
  private static func hand(_ x: Double, bend: Double = 0) -> Hand {
    var hand = Hand()
    for index in hand.points.indices {
      hand.points[index] = Point(x: x + Double(index % 5) * 20, y: Double(index / 5) * 25)
    }
    hand.points[20].y += bend
    hand.pixelsPerMetre = 600
    hand.score = 1
    return hand
  }

  /// For each picture whether the hand, which is at these positions, is measured.
  private static func measured(_ positions: [(x: Double, bend: Double)]) -> [Bool] {
    var (motion, last) = (HandMotion(), Self.hand(positions[0].x))
    return positions.dropFirst().map { position in
      let expected = motion.next(last)
      if motion.isPredictable {
        motion.recordPrediction()
        last = expected
        return false
      }
      last = hand(position.x, bend: position.bend)
      motion.recordMeasurement(last, expected: expected)
      return true
    }
  }

  @Test func aHandThatRestsOrMovesEvenlyIsMeasuredInEverySecondPicture() {
    for speed in [0.0, 12] {
      let all = Self.measured((0..<20).map { (speed * Double($0), 0) })
      #expect(
        all.suffix(16).enumerated().allSatisfy { $0.element == ($0.offset % 2 == 0) }
          || all.suffix(16).enumerated().allSatisfy { $0.element == ($0.offset % 2 == 1) }, "\(all)"
      )
    }
  }

  @Test func aHandThatShakesOrBendsAFingerIsMeasuredInEveryPicture() {
    let shaken = Self.measured((0..<20).map { ($0 % 2 == 0 ? 0 : 8, 0) })
    #expect(!shaken.contains(false))
    let bent = Self.measured((0..<20).map { (0, $0 % 2 == 0 ? 0 : 40) })
    #expect(!bent.contains(false))
  }

  @Test func aPredictedHandIsWhereAnEvenMotionTakesIt() {
    var motion = HandMotion()
    motion.recordMeasurement(Self.hand(6), expected: Self.hand(0))
    let next = motion.next(Self.hand(6))
    #expect(next.points[7].x == Self.hand(12).points[7].x)
    // A picture that is missed counts: the hand moved by 2 pixels in each of two.
    motion = HandMotion()
    motion.recordPrediction()
    motion.recordMeasurement(Self.hand(4), expected: Self.hand(0))
    #expect(motion.next(Self.hand(4)).points[7].x == Self.hand(6).points[7].x)
  }
}
