import Faces
import Pixels

/// Which expressions a face wears, each with two thresholds so that it does not flicker.
///
/// Mouth, smile and eyes come from the face's own measures where there are any, else from its
/// mesh. Brows always come from the mesh: in the head's own axes, so that nodding is no frown,
/// and against what is usual for this face, which is learnt as it goes.
struct StickerMood: Sendable {
  private(set) var isMouthOpen = false
  private(set) var isSmiling = false
  private(set) var isBlinking = false
  private(set) var areBrowsRaised = false
  private(set) var isFrowning = false

  /// How high the brows usually are when they rest, and how wide apart.
  private var restingHeight = Resting(rises: false)
  private var wornHeight = Resting(rises: true)
  private var wornGap = Resting(rises: true)

  /// Takes in what the face does now, `seconds` after the last time.
  mutating func update(_ face: Face, _ frame: FaceFrame?, seconds: Double) {
    if let measured = face.expression {
      Self.set(&isMouthOpen, measured.mouthOpen, on: 0.5, off: 0.35)
      Self.set(&isSmiling, measured.smile, on: 0.55, off: 0.4)
      Self.set(
        &isBlinking, 1 - max(measured.leftEyeOpen, measured.rightEyeOpen), on: 0.7, off: 0.5)
    } else if let frame {
      measure(frame)
    }
    if let frame { followBrows(frame, min(max(seconds, 0), 1)) }
  }

  /// The same from the mesh: opening of the lips to the mouth's width; width of the mouth and
  /// lift of its corners to the eyes' span; opening of the lids to the eye's width.
  private mutating func measure(_ frame: FaceFrame) {
    guard let lips = frame.distance(13, 14), let mouth = frame.distance(78, 308),
      let span = frame.distance(33, 263), let width = frame.distance(61, 291),
      let corner = frame.elevation(61), let otherCorner = frame.elevation(291),
      let upperLip = frame.elevation(13), let lowerLip = frame.elevation(14), mouth > 0, span > 0
    else { return }
    Self.set(&isMouthOpen, lips / mouth, on: 0.35, off: 0.28)
    let lift = ((corner + otherCorner) / 2 - (upperLip + lowerLip) / 2) / span
    Self.set(
      &isSmiling, 0.5 * (width / span - 0.57) / 0.15 + 0.5 * lift / 0.05, on: 0.55, off: 0.4)
    let left = Self.opening(frame, 33, 133, (160, 144), (158, 153))
    let right = Self.opening(frame, 362, 263, (385, 380), (387, 373))
    guard let left, let right else { return }
    Self.set(&isBlinking, -max(left, right), on: -0.17, off: -0.2)
  }

  private static func opening(
    _ frame: FaceFrame, _ a: Int, _ b: Int, _ first: (Int, Int), _ second: (Int, Int)
  ) -> Double? {
    guard let width = frame.distance(a, b), width > 0,
      let one = frame.distance(first.0, first.1), let two = frame.distance(second.0, second.1)
    else { return nil }
    return (one + two) / (2 * width)
  }

  /// Tells raised and knitted brows from resting ones.
  ///
  /// Raised: the brows' middles are 0.075 pupil distances (some 5 mm) over their resting
  /// height. Frowning: the brows' inner ends have come down by 0.04 and together by 0.05, or
  /// more of the one and less of the other.
  private mutating func followBrows(_ frame: FaceFrame, _ seconds: Double) {
    guard let left = frame.elevation(105), let right = frame.elevation(334),
      let innerLeft = frame.elevation(55), let innerRight = frame.elevation(285),
      let gap = frame.distance(55, 285)
    else { return }
    let height = (left + right) / 2
    let inner = (innerLeft + innerRight) / 2
    let lift = height - restingHeight.follow(height, seconds, isHeld: areBrowsRaised)
    Self.set(&areBrowsRaised, lift, on: 0.075, off: 0.045)
    let drop = wornHeight.follow(inner, seconds, isHeld: isFrowning) - inner
    let pinch = wornGap.follow(gap, seconds, isHeld: isFrowning) - gap
    let strength = drop / 0.08 + pinch / 0.1
    // Brows that only fall back from being raised do not come together.
    Self.set(&isFrowning, pinch > 0.015 ? strength : 0, on: 1, off: 0.6)
  }

  private static func set(_ state: inout Bool, _ value: Double, on: Double, off: Double) {
    guard value.isFinite else { return }
    state = state ? value > off : value >= on
  }

  /// What a measure usually is: quick to follow one way, slow the other, slower still while
  /// the expression it serves is worn.
  private struct Resting: Sendable {
    let rises: Bool
    private var value: Double?

    init(rises: Bool) { self.rises = rises }

    mutating func follow(_ measure: Double, _ seconds: Double, isHeld: Bool) -> Double {
      guard measure.isFinite else { return measure }
      guard let old = value else {
        value = measure
        return measure
      }
      let isQuick = rises ? measure > old : measure < old
      let time = isHeld ? 30 : isQuick ? 0.3 : 6.0
      let new = old + (measure - old) * min(1, seconds / time)
      value = new
      return new
    }
  }

  /// Whether `trigger` holds for a face that is there.
  func holds(_ trigger: StickerTrigger) -> Bool {
    switch trigger {
    case .always, .face: true
    case .noFace: false
    case .mouthOpen: isMouthOpen
    case .smile: isSmiling
    case .blink: isBlinking
    case .browRaise: areBrowsRaised
    case .frown: isFrowning
    }
  }
}
