import Faces
import Pixels

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

  package init(_ kind: Kind, id: UInt32) {
    self.kind = kind
    self.id = id
  }
}

/// What one face is doing, with the hysteresis that turns its measures into events.
struct FaceMood {
  /// Shortest and longest blink, seconds.
  static let blink = 0.06...0.4
  /// Heads turned further, in degrees, hide the eye on the far side.
  static let sideView = 30.0

  private(set) var isMouthOpen = false
  private(set) var isSmiling = false
  var eyes = (left: EyeBaseline(), right: EyeBaseline())
  /// Which eye is looked at next, where they take turns.
  var isLeftsTurn = false
  private var areEyesClosed = false
  private var lastOpen = 0.0
  private var closedSince = 0.0

  /// The eyes that can be seen on a head turned by `yaw` degrees.
  static func visibleEyes(yaw: Double) -> (left: Bool, right: Bool) {
    // A face turned toward the left of the image shows the eye at the image's right.
    (left: yaw > -sideView, right: yaw < sideView)
  }

  /// The events of one picture at `time` seconds.
  mutating func update(
    _ expression: Expression, yaw: Double, time: Double
  ) -> [FaceEvent.Kind] {
    var events: [FaceEvent.Kind] = []
    if isMouthOpen
      ? expression.mouthOpen <= Expression.mouthClosed
      : expression.mouthOpen >= Expression.mouthOpened
    {
      isMouthOpen.toggle()
      events.append(isMouthOpen ? .mouthOpened : .mouthClosed)
    }
    if isSmiling
      ? expression.smile <= Expression.smileFinished
      : expression.smile >= Expression.smileStarted
    {
      isSmiling.toggle()
      events.append(isSmiling ? .smileStarted : .smileFinished)
    }
    let visible = Self.visibleEyes(yaw: yaw)
    // Both eyes must agree: one alone is a wink.
    let most = max(
      visible.left ? expression.leftEyeOpen : 0, visible.right ? expression.rightEyeOpen : 0)
    let least = min(
      visible.left ? expression.leftEyeOpen : 1, visible.right ? expression.rightEyeOpen : 1)
    if areEyesClosed {
      if least >= Expression.eyeOpen {
        areEyesClosed = false
        // The lids moved between two pictures: the time is at most that between the open ones and
        // at least that between the closed ones.
        if time - lastOpen >= Self.blink.lowerBound && time - closedSince <= Self.blink.upperBound {
          events.append(.blink)
        }
      }
    } else if most < Expression.eyeClosed {
      areEyesClosed = true
      closedSince = time
    }
    if !areEyesClosed { lastOpen = time }
    return events
  }
}
