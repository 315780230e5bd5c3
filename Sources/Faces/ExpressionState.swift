/// A measure that counts as on from one threshold and as off from another, so that a measure
/// between the two changes nothing and no state flickers.
package struct Hysteresis: Sendable {
  /// On from this value, and off from that value down.
  private let on, off: Double
  package private(set) var isOn: Bool

  package init(on: Double, off: Double, isOn: Bool = false) {
    (self.on, self.off, self.isOn) = (on, off, isOn)
  }

  /// Takes in the measure; one that is not finite changes nothing.
  package mutating func follow(_ value: Double) {
    guard value.isFinite else { return }
    isOn = isOn ? value > off : value >= on
  }
}

/// What one face is doing, by its measures: what events tell of, and what stickers wait for.
package struct ExpressionState: Sendable {
  /// Heads turned further, in degrees, hide the eye on the far side.
  private static let sideView = 30.0

  /// An opening of 0.35 of the mouth's width, and of 0.28.
  private var mouth = Hysteresis(on: 0.5, off: 0.38)
  private var smile = Hysteresis(on: 0.55, off: 0.40)
  private var eyes = Hysteresis(on: Expression.eyeOpen, off: Expression.eyeClosed, isOn: true)

  package init() {}

  package var isMouthOpen: Bool { mouth.isOn }
  package var isSmiling: Bool { smile.isOn }
  package var areEyesClosed: Bool { !eyes.isOn }

  /// The eyes that can be seen on a head turned by `yaw` degrees (`HeadPose`).
  package static func visibleEyes(yaw: Double) -> (left: Bool, right: Bool) {
    // A face turned toward the left of the image shows the eye at the image's right.
    (left: !(yaw <= -sideView), right: !(yaw >= sideView))
  }

  /// Takes in what a face does whose head is turned by `yaw` degrees.
  package mutating func update(_ expression: Expression, yaw: Double) {
    mouth.follow(expression.mouthOpen)
    smile.follow(expression.smile)
    let visible = Self.visibleEyes(yaw: yaw)
    let (left, right) = (expression.leftEyeOpen, expression.rightEyeOpen)
    // Both eyes must agree: one alone is a wink.
    eyes.follow(
      areEyesClosed
        ? min(visible.left ? left : 1, visible.right ? right : 1)
        : max(visible.left ? left : 0, visible.right ? right : 0))
  }
}

extension Expression {
  /// Where an eye counts as closed, and as open again.
  package static let eyeClosed = 0.3
  package static let eyeOpen = 0.7

  /// Mouth and smile as measured on a mesh, and how far the eyes are open.
  package init(_ mesh: some MeshPoints, eyes: (left: Double, right: Double)) {
    self.init(
      leftEyeOpen: eyes.left, rightEyeOpen: eyes.right, mouthOpen: mesh.mouthOpen,
      smile: mesh.smile)
  }
}

/// What the eyes of one face look like when they are open: the measure they are compared with.
package struct EyeBaseline: Sendable {
  /// How the measure of openness was made; closed eyes keep more of the mesh's than of the iris
  /// model's.
  package enum Source: Sendable { case lids, mesh }

  /// Height over width of the open eye.
  private var aspect = 0.28
  /// How open the eye was when it was last looked at; nil before that.
  package private(set) var openness: Double?

  package init() {}

  /// Takes a new measure of the eye, `seconds` after the last one.
  ///
  /// What counts as open follows wider eyes within 0.2 s and narrower ones over 5 s, so that a
  /// blink hardly counts.
  package mutating func learn(_ measured: Double, _ source: Source, seconds: Double) {
    if measured.isFinite, seconds > 0 {
      let share = seconds / (seconds + (measured > aspect ? 0.2 : 5))
      aspect = max(0.22, min(aspect + share * (measured - aspect), 0.38))
    }
    openness = openness(measured, source)
  }

  /// 0 for a shut eye, 1 for an open one, by the thresholds of `Expression`.
  private func openness(_ measured: Double, _ source: Source) -> Double {
    // 0.70 and 0.82 of the open eye's measure for the iris model, 0.80 and 0.90 for the mesh.
    let (closed, open) = source == .lids ? (0.70, 0.82) : (0.80, 0.90)
    let low = Expression.eyeClosed
    let slope = (Expression.eyeOpen - low) / (open - closed)
    let value = low + (measured / aspect - closed) * slope
    return value.isNaN ? 0 : max(0, min(value, 1))
  }
}

/// The two eyes of one face.
package struct EyePair: Sendable {
  package var left = EyeBaseline()
  package var right = EyeBaseline()

  package init() {}

  /// How far they are open; one on the far side of a head turned by `yaw` degrees counts as the
  /// other.
  package func openness(yaw: Double) -> (left: Double, right: Double) {
    let visible = ExpressionState.visibleEyes(yaw: yaw)
    let left = visible.left ? left.openness : nil
    let right = visible.right ? right.openness : nil
    return (left ?? right ?? 1, right ?? left ?? 1)
  }
}
