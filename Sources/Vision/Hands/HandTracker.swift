import Faces
import Pixels

/// Gives the measured hands of a film their ids, and smooths their points and gestures.
struct HandTracker {
  /// A hand is reported from the picture on in which its score is at least this.
  private static let birthScore = 0.8
  /// Pictures for which a hand may be missing and keep its id.
  private static let maximumMissing = 10
  /// How far a hand may have moved, in its own size, for each picture since it was seen.
  private static let reach = 0.6, reachGrowth = 0.1
  /// The time constant of the filter of gestures at a smoothing of 1, in seconds.
  fileprivate static let gestureTime = 0.15

  fileprivate struct Track {
    var id: UInt32
    var smoother = PointSmoother()
    var points: [Point3] = []
    /// Nil until they are measured; and the seconds since they were.
    var gestureScores: GestureScores?
    var secondsSinceGesture = 0.0
    /// The probability of a right hand, a mean over time.
    var rightScore = 0.5
    var center = Point.zero
    var size = 0.0
    /// The pictures since the hand was seen; 0 in this one.
    var missing = 0
  }

  private var tracks: [Track] = []

  /// Drops all hands, as at a cut.
  mutating func reset() { tracks.removeAll(keepingCapacity: true) }

  /// The hands of the next picture as their metadata describes them, at most `limit`, known ones first.
  ///
  /// `seconds` since the last picture; `smoothing` is 0 for raw values, 1 for the smoothest; `newID` makes the ids
  /// of new hands.
  mutating func update(
    _ hands: [Hand], _ view: UprightView, seconds: Double, smoothing: Double, limit: Int,
    newID: () -> UInt32
  ) -> [TrackedHand] {
    for index in tracks.indices { tracks[index].missing += 1 }
    var found: [(id: UInt32, hand: TrackedHand)] = []
    for hand in hands {
      guard let index = match(hand) ?? add(hand, limit, newID) else { continue }
      tracks[index].record(hand, seconds: seconds, smoothing: smoothing)
      found.append((tracks[index].id, tracks[index].described(hand, view)))
    }
    found.sort { $0.id < $1.id }
    tracks.removeAll { $0.missing > Self.maximumMissing }
    return found.prefix(limit).map(\.hand)
  }

  /// The track of a hand: the nearest one that is not seen yet in this picture.
  private func match(_ hand: Hand) -> Int? {
    var (best, nearest) = (Int?.none, Double.infinity)
    for index in tracks.indices where tracks[index].missing > 0 {
      let track = tracks[index]
      let reach = (Self.reach + Self.reachGrowth * Double(track.missing - 1)) * track.size
      let distance = (hand.center - track.center).length
      if distance < min(reach, nearest) { (best, nearest) = (index, distance) }
    }
    return best
  }

  private mutating func add(_ hand: Hand, _ limit: Int, _ newID: () -> UInt32) -> Int? {
    guard hand.score >= Self.birthScore, tracks.count(where: { $0.missing == 0 }) < limit else {
      return nil
    }
    tracks.append(Track(id: newID()))
    return tracks.count - 1
  }
}

extension HandTracker.Track {
  /// Records the hand of this picture.
  fileprivate mutating func record(_ hand: Hand, seconds: Double, smoothing: Double) {
    let isNew = size == 0
    secondsSinceGesture += seconds
    if missing > 1 { smoother.reset() }
    (center, size, missing) = (hand.center, hand.size, 0)
    points.removeAll(keepingCapacity: true)
    for index in hand.points.indices {
      points.append(
        Point3(x: hand.points[index].x, y: hand.points[index].y, z: hand.depths[index]))
    }
    smoother.smooth(&points, size: hand.size, seconds: seconds, amount: smoothing)
    let time = HandTracker.gestureTime * smoothing
    func weight(_ seconds: Double) -> Double { seconds <= 0 ? 1 : seconds / (seconds + time) }
    rightScore += (isNew ? 1 : weight(seconds)) * (hand.rightScore - rightScore)
    guard let measured = hand.gestureScores else { return }
    if var scores = gestureScores {
      let weight = Float(weight(secondsSinceGesture))
      for gesture in scores.indices {
        scores[gesture] += weight * (measured[gesture] - scores[gesture])
      }
      gestureScores = scores
    } else {
      gestureScores = measured
    }
    secondsSinceGesture = 0
  }

  /// The metadata of the hand, in normalized coordinates of the stored picture.
  fileprivate func described(_ hand: Hand, _ view: UprightView) -> TrackedHand {
    var tracked = TrackedHand(id: id, confidence: hand.score)
    for index in tracked.landmarks.indices {
      tracked.landmarks[index] = view.normalizedStored(points[index])
    }
    tracked.side = rightScore >= 0.5 ? .right : .left
    tracked.sideConfidence = max(rightScore, 1 - rightScore)
    if let best = gestureScores.map({ Gesture.best($0) }) {
      (tracked.gesture, tracked.gestureConfidence) = (best.gesture, best.score)
    }
    return tracked
  }
}

extension Hand {
  /// The larger side of the bounds of its points.
  var size: Double {
    var (low, high) = (points[0], points[0])
    for index in points.indices {
      low = Point(x: min(low.x, points[index].x), y: min(low.y, points[index].y))
      high = Point(x: max(high.x, points[index].x), y: max(high.y, points[index].y))
    }
    return max(high.x - low.x, high.y - low.y)
  }
}
