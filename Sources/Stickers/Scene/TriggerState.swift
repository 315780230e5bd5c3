import Faces

/// Which expressions a face wears.
///
/// Mouth, smile and eyes are those of `ExpressionState`, by the face's own measures where there are any,
/// else by its mesh. Brows always come from the mesh: in the head's own axes, so that nodding is no
/// frown, and against what is usual for this face, which is learnt as it goes.
struct TriggerState {
  private var mood = ExpressionState()
  private var eyes = EyePair()

  /// The lift at which brows count as raised: 0.075 pupil distances, some 5 mm, over their resting
  /// height.
  private var raised = Hysteresis(on: 0.075, off: 0.045)
  /// The strength of a frown is 1 when the brows' inner ends have come down by 0.04 and together by
  /// 0.05, or more of the one and less of the other.
  private var frown = Hysteresis(on: 1, off: 0.6)
  /// How high the brows usually are when they rest, and how wide apart.
  private var restingHeight = Resting(rises: false)
  private var wornHeight = Resting(rises: true)
  private var wornGap = Resting(rises: true)

  /// Takes in what the face does now, `seconds` after the last time.
  mutating func update(_ face: Face, _ frame: HeadFrame?, seconds: Double) {
    if let expression = face.expression {
      mood.update(expression, yaw: face.pose?.yaw ?? 0)
    } else if let mesh = frame?.mesh {
      let yaw = face.pose?.yaw ?? HeadPose(mesh)?.yaw ?? 0
      eyes.left.update(mesh.eyeAspect(isLeft: true), .mesh, seconds: seconds)
      eyes.right.update(mesh.eyeAspect(isLeft: false), .mesh, seconds: seconds)
      mood.update(Expression(mesh, eyes: eyes.openness(yaw: yaw)), yaw: yaw)
    }
    if let frame { followBrows(frame, min(max(seconds, 0), 1)) }
  }

  /// Tells raised and knitted brows from resting ones.
  private mutating func followBrows(_ frame: HeadFrame, _ seconds: Double) {
    let (middles, ends) = (MeshIndex.browMiddles, MeshIndex.innerBrowEnds)
    guard let left = frame.elevation(middles.left), let right = frame.elevation(middles.right),
      let innerLeft = frame.elevation(ends.left), let innerRight = frame.elevation(ends.right),
      let gap = frame.distance(ends.left, ends.right)
    else { return }
    let height = (left + right) / 2
    let inner = (innerLeft + innerRight) / 2
    raised.update(height - restingHeight.follow(height, seconds, isHeld: raised.isOn))
    let drop = wornHeight.follow(inner, seconds, isHeld: frown.isOn) - inner
    let pinch = wornGap.follow(gap, seconds, isHeld: frown.isOn) - gap
    // Brows that only fall back from being raised do not come together.
    frown.update(pinch > 0.015 ? drop / 0.08 + pinch / 0.1 : 0)
  }

  /// What a measure usually is: quick to follow one way, slow the other, slower still while
  /// the expression it serves is worn.
  private struct Resting {
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
    case .mouthOpen: mood.isMouthOpen
    case .smile: mood.isSmiling
    case .blink: mood.areEyesClosed
    case .browRaise: raised.isOn
    case .frown: frown.isOn
    }
  }
}
