/// A gesture of a hand, in the order of the scores of MediaPipe's canned_gesture_classifier.
package enum Gesture: Int, CaseIterable, Sendable {
  /// A hand that makes none of the others.
  case none
  case closedFist, openPalm, pointingUp, thumbDown, thumbUp, victory, iLoveYou

  /// MediaPipe's names, in order.
  package static let names = [
    "None", "Closed_Fist", "Open_Palm", "Pointing_Up", "Thumb_Down", "Thumb_Up", "Victory",
    "ILoveYou",
  ]

  package var name: String { Self.names[rawValue] }

  /// Nil for a name that is not one of the eight.
  package init?(name: some StringProtocol) {
    guard let index = Self.names.firstIndex(where: { $0 == name }) else { return nil }
    self.init(rawValue: index)
  }

  /// The gesture of the highest score, and this score.
  package static func best(_ scores: GestureScores) -> (gesture: Gesture, score: Double) {
    let index = scores.indices.max { scores[$0] < scores[$1] } ?? 0
    return (Gesture(rawValue: index) ?? .none, Double(scores[index]))
  }
}

/// A score for each `Gesture`, 0...1; their sum is 1.
package typealias GestureScores = InlineArray<8, Float>
