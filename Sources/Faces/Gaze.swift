/// The direction of the eyes relative to the head, in degrees.
package struct Gaze: Sendable, Equatable {
  /// Positive: toward the right of the image, which is the person's left.
  package var yaw: Double
  /// Positive: down.
  package var pitch: Double

  package init(yaw: Double, pitch: Double) { (self.yaw, self.pitch) = (yaw, pitch) }

  /// The angles of a score of 1: eyes turn about 40 degrees to the side and 35 up or down.
  ///
  /// From the example of iFacialMocap's protocol (ifacialmocap.com/for-developer), which has scores
  /// and angles of one moment: 0.17 down and 6.03 degrees, 0.06 and 0.04 to the side and 2.44 and
  /// 1.67.
  private static let side = 40.0
  private static let height = 35.0

  /// The gaze of each eye by the eyeLook scores.
  package static func eyes(_ score: (Blendshape) -> Double) -> (left: Gaze, right: Gaze) {
    (
      left: Gaze(
        yaw: side * (score(.eyeLookOutLeft) - score(.eyeLookInLeft)),
        pitch: height * (score(.eyeLookDownLeft) - score(.eyeLookUpLeft))),
      right: Gaze(
        yaw: side * (score(.eyeLookInRight) - score(.eyeLookOutRight)),
        pitch: height * (score(.eyeLookDownRight) - score(.eyeLookUpRight)))
    )
  }

  /// The mean of both eyes.
  package init(_ score: (Blendshape) -> Double) {
    let eyes = Self.eyes(score)
    self.init(
      yaw: (eyes.left.yaw + eyes.right.yaw) / 2, pitch: (eyes.left.pitch + eyes.right.pitch) / 2)
  }
}
