import Faces

/// Something that happened to a face since the last picture.
package struct FaceEvent: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case found
    case lost
    case mouthOpened = "mouth-opened"
    case mouthClosed = "mouth-closed"
    case smileStarted = "smile-started"
    case smileFinished = "smile-finished"
    case blink
  }

  package var kind: Kind
  /// The face's tracking number.
  package var id: UInt32

  package init(_ kind: Kind, id: UInt32) { (self.kind, self.id) = (kind, id) }
}

/// Turns what one face does into events.
struct FaceWatch {
  /// Shortest and longest blink, seconds.
  static let blink = 0.06...0.4

  var eyes = EyePair()
  /// Which eye is looked at next, where they take turns.
  var isLeftsTurn = false
  private var mood = ExpressionState()
  private var lastOpen = 0.0
  private var closedSince = 0.0

  /// The events of one picture at `time` seconds, of a head turned by `yaw` degrees.
  mutating func update(_ expression: Expression, yaw: Double, time: Double) -> [FaceEvent.Kind] {
    let before = mood
    mood.update(expression, yaw: yaw)
    var events: [FaceEvent.Kind] = []
    if mood.isMouthOpen != before.isMouthOpen {
      events.append(mood.isMouthOpen ? .mouthOpened : .mouthClosed)
    }
    if mood.isSmiling != before.isSmiling {
      events.append(mood.isSmiling ? .smileStarted : .smileFinished)
    }
    switch (before.areEyesClosed, mood.areEyesClosed) {
    case (false, true): closedSince = time
    case (true, false):
      // The lids moved between two pictures: the time is at most that between the open ones and
      // at least that between the closed ones.
      if time - lastOpen >= Self.blink.lowerBound && time - closedSince <= Self.blink.upperBound {
        events.append(.blink)
      }
    default: break
    }
    if !mood.areEyesClosed { lastOpen = time }
    return events
  }
}
