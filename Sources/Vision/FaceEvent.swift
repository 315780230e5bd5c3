import Faces

/// A change of a face since the last picture.
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
  /// The face's track id.
  package var id: UInt32

  package init(_ kind: Kind, id: UInt32) { (self.kind, self.id) = (kind, id) }
}

/// Derives the events of one face from its expressions.
struct ExpressionEventDetector {
  /// The duration of a blink, in seconds.
  static let blink = 0.06...0.4

  var eyes = EyePair()
  /// Which eye is measured next, where they alternate.
  var isLeftEyeNext = false
  private var state = ExpressionState()
  private var lastOpen = 0.0
  private var closedSince = 0.0

  /// The events of the picture at `time` seconds; the head's yaw is in degrees.
  mutating func update(_ expression: Expression, yaw: Double, time: Double) -> [FaceEvent.Kind] {
    let before = state
    state.update(expression, yaw: yaw)
    var events: [FaceEvent.Kind] = []
    if state.isMouthOpen != before.isMouthOpen {
      events.append(state.isMouthOpen ? .mouthOpened : .mouthClosed)
    }
    if state.isSmiling != before.isSmiling {
      events.append(state.isSmiling ? .smileStarted : .smileFinished)
    }
    switch (before.areEyesClosed, state.areEyesClosed) {
    case (false, true): closedSince = time
    case (true, false):
      // The duration of a blink lies between the time from the first closed picture to the last and
      // the time between the open pictures around them.
      if time - lastOpen >= Self.blink.lowerBound && time - closedSince <= Self.blink.upperBound {
        events.append(.blink)
      }
    default: break
    }
    if !state.areEyesClosed { lastOpen = time }
    return events
  }
}
