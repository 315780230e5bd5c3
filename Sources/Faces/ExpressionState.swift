/// A Schmitt trigger: it switches on at one threshold and off at a lower one, so that a noisy
/// measure does not make it flicker.
package struct Hysteresis: Sendable {
  /// On from the value `on`, off at `off` and below.
  private let on, off: Double
  package private(set) var isOn: Bool

  package init(on: Double, off: Double, isOn: Bool = false) {
    (self.on, self.off, self.isOn) = (on, off, isOn)
  }

  /// Updates the state; a measure that is not finite changes nothing.
  package mutating func update(_ value: Double) {
    guard value.isFinite else { return }
    isOn = isOn ? value > off : value >= on
  }
}

/// The expression of one face as states, for events and for stickers that wait for them.
package struct ExpressionState: Sendable {
  /// The yaw in degrees from which the far eye is hidden.
  private static let sideView = 30.0

  /// On at an opening of 0.35 of the mouth's width, off at 0.28.
  private var mouth = Hysteresis(on: 0.5, off: 0.38)
  private var smile = Hysteresis(on: 0.55, off: 0.40)
  private var eyes = Hysteresis(on: Expression.eyeOpen, off: Expression.eyeClosed, isOn: true)

  package init() {}

  package var isMouthOpen: Bool { mouth.isOn }
  package var isSmiling: Bool { smile.isOn }
  package var areEyesClosed: Bool { !eyes.isOn }

  /// The visible eyes of a head with this yaw in degrees (`HeadPose`).
  package static func visibleEyes(yaw: Double) -> (left: Bool, right: Bool) {
    // A face that is turned to the left of the image shows the eye at the image's right.
    (left: !(yaw <= -sideView), right: !(yaw >= sideView))
  }

  /// Updates the states with the expression of a head with this yaw in degrees.
  package mutating func update(_ expression: Expression, yaw: Double) {
    mouth.update(expression.mouthOpen)
    smile.update(expression.smile)
    let visible = Self.visibleEyes(yaw: yaw)
    let (left, right) = (expression.leftEyeOpen, expression.rightEyeOpen)
    // Both eyes must agree: one alone is a wink.
    eyes.update(
      areEyesClosed
        ? min(visible.left ? left : 1, visible.right ? right : 1)
        : max(visible.left ? left : 0, visible.right ? right : 0))
  }
}

extension Expression {
  /// The openness at which an eye becomes closed, and open again.
  package static let eyeClosed = 0.3
  package static let eyeOpen = 0.7

  /// Mouth and smile from a mesh, and the openness of the eyes.
  package init(_ mesh: some MeshPoints, eyes: (left: Double, right: Double)) {
    self.init(
      leftEyeOpen: eyes.left, rightEyeOpen: eyes.right, mouthOpen: mesh.mouthOpen,
      smile: mesh.smile)
  }
}

/// The aspect ratio of an open eye of one face, which measures are compared with.
package struct EyeBaseline: Sendable {
  /// The origin of a measure: closed eyes keep a larger ratio in the mesh of 468 points than in the
  /// iris model, and in the iris model than in the mesh of 478 points.
  package enum Source: Sendable { case irisModel, mesh, meshWithIrises }

  /// Height over width of the open eye.
  private var aspect = 0.28
  /// The latest openness; nil before the first.
  package private(set) var openness: Double?

  package init() {}

  /// Updates the openness with a measure, `seconds` after the last one.
  ///
  /// The baseline follows wider eyes with a time constant of 0.2 s and narrower ones with 5 s, so
  /// that a blink hardly changes it.
  package mutating func update(_ measured: Double, _ source: Source, seconds: Double) {
    if measured.isFinite, seconds > 0 {
      let weight = seconds / (seconds + (measured > aspect ? 0.2 : 5))
      aspect = max(0.22, min(aspect + weight * (measured - aspect), 0.38))
    }
    openness = openness(measured, source)
  }

  /// 0 for a closed eye, 1 for an open one, by the thresholds of `Expression`.
  private func openness(_ measured: Double, _ source: Source) -> Double {
    // Fractions of the baseline. With those of the mesh with irises all of 30 closed pairs of eyes in
    // films are closed, and one of 57 open ones.
    let (closed, open) =
      switch source {
      case .irisModel: (0.70, 0.82)
      case .mesh: (0.80, 0.90)
      case .meshWithIrises: (0.45, 0.55)
      }
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

  /// The openness of both eyes; the hidden eye of a head with this yaw, in degrees, equals the
  /// other.
  package func openness(yaw: Double) -> (left: Double, right: Double) {
    let visible = ExpressionState.visibleEyes(yaw: yaw)
    let left = visible.left ? left.openness : nil
    let right = visible.right ? right.openness : nil
    return (left ?? right ?? 1, right ?? left ?? 1)
  }
}
