import Faces

/// The expressions of a face, for triggers.
///
/// Mouth, smile and eyes are those of `ExpressionState`, from the measured expression or else from
/// the mesh. Brows are measured on the mesh along the head's axes, so that nodding is not a frown,
/// relative to a baseline of the face that is learnt over time.
struct TriggerState {
  private var expressions = ExpressionState()
  private var eyes = EyePair()

  /// Brows count as raised 0.075 pupil distances, about 5 mm, above their baseline.
  private var raised = Hysteresis(on: 0.075, off: 0.045)
  /// A frown has strength 1 if the inner brow ends have moved down by 0.04 and together by 0.05
  /// pupil distances, or by an equivalent combination.
  private var frown = Hysteresis(on: 1, off: 0.6)
  /// Baselines of the height of the brows, the height of their inner ends, and the distance of
  /// these ends.
  private var browBaseline = Baseline(rises: false)
  private var innerBrowBaseline = Baseline(rises: true)
  private var browGapBaseline = Baseline(rises: true)
  /// Each blendshape that the pack waits for.
  private var shapes: [(trigger: BlendshapeTrigger, state: Hysteresis)] = []

  init() {}

  /// The state of a face whose stickers wait for these blendshapes too.
  init(_ triggers: [BlendshapeTrigger]) { shapes = triggers.map { ($0, $0.hysteresis) } }

  /// Starts anew, in the same memory.
  mutating func reset() {
    var new = TriggerState()
    swap(&new.shapes, &shapes)
    for index in new.shapes.indices {
      new.shapes[index].state = new.shapes[index].trigger.hysteresis
    }
    self = new
  }

  /// Updates the state with a face, `seconds` after the last update.
  mutating func update(_ face: Face, _ frame: HeadFrame?, seconds: Double) {
    if let expression = face.expression {
      expressions.update(expression, yaw: face.pose?.yaw ?? 0)
    } else if let mesh = frame?.mesh {
      let yaw = face.pose?.yaw ?? HeadPose(mesh)?.yaw ?? 0
      let source = mesh.hasIrises ? EyeBaseline.Source.meshWithIrises : .mesh
      eyes.left.update(mesh.eyeAspect(isLeft: true), source, seconds: seconds)
      eyes.right.update(mesh.eyeAspect(isLeft: false), source, seconds: seconds)
      expressions.update(Expression(mesh, eyes: eyes.openness(yaw: yaw)), yaw: yaw)
    }
    for index in shapes.indices {
      let shape = shapes[index].trigger.shape.rawValue
      // Without scores a trigger is off.
      let score = face.blendshapes.count == Blendshape.count ? face.blendshapes[shape] : 0
      shapes[index].state.update(Double(score))
    }
    if let frame { updateBrows(frame, min(max(seconds, 0), 1)) }
  }

  /// Detects raised and knitted brows.
  private mutating func updateBrows(_ frame: HeadFrame, _ seconds: Double) {
    let (middles, ends) = (MeshIndex.browMiddles, MeshIndex.innerBrowEnds)
    guard let left = frame.elevation(middles.left), let right = frame.elevation(middles.right),
      let innerLeft = frame.elevation(ends.left), let innerRight = frame.elevation(ends.right),
      let gap = frame.distance(ends.left, ends.right)
    else { return }
    let height = (left + right) / 2
    let inner = (innerLeft + innerRight) / 2
    raised.update(height - browBaseline.update(height, seconds, isHeld: raised.isOn))
    let lowering = innerBrowBaseline.update(inner, seconds, isHeld: frown.isOn) - inner
    let narrowing = browGapBaseline.update(gap, seconds, isHeld: frown.isOn) - gap
    // Brows that sink after being raised do not come together.
    frown.update(narrowing > 0.015 ? lowering / 0.08 + narrowing / 0.1 : 0)
  }

  /// The baseline of a measure: follows it quickly in one direction, slowly in the other, and more
  /// slowly while the expression is active.
  private struct Baseline {
    let rises: Bool
    private var value: Double?

    init(rises: Bool) { self.rises = rises }

    mutating func update(_ measure: Double, _ seconds: Double, isHeld: Bool) -> Double {
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

  /// Whether `trigger` holds for a visible face.
  func holds(_ trigger: StickerTrigger) -> Bool {
    switch trigger {
    case .always, .face: true
    case .noFace, .gesture: false
    case .mouthOpen: expressions.isMouthOpen
    case .smile: expressions.isSmiling
    case .blink: expressions.areEyesClosed
    case .browRaise: raised.isOn
    case .frown: frown.isOn
    case .blendshape(let trigger): shapes.contains { $0.trigger == trigger && $0.state.isOn }
    }
  }
}
