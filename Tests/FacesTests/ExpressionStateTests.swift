import Faces
import Pixels
import Testing

@Suite(.timeLimit(.minutes(20))) struct ExpressionStateTests {
  private func expression(
    mouth: Double = 0, smile: Double = 0, left: Double = 1, right: Double = 1
  ) -> Expression {
    Expression(leftEyeOpen: left, rightEyeOpen: right, mouthOpen: mouth, smile: smile)
  }

  @Test func measuresBetweenTheThresholdsChangeNothing() {
    var state = Hysteresis(on: 0.5, off: 0.38)
    let states = [0.49, 0.5, 0.39, 0.49, 0.38, 0.49, .nan, 0.6, .infinity, .nan, 0.1].map {
      state.update($0)
      return state.isOn
    }
    #expect(
      states == [false, true, true, true, false, false, false, true, true, true, false])
  }

  @Test func mouthAndSmileHaveIndependentStates() {
    var mood = ExpressionState()
    mood.update(expression(mouth: 0.5, smile: 0.54), yaw: 0)
    #expect(mood.isMouthOpen && !mood.isSmiling && !mood.areEyesClosed)
    mood.update(expression(mouth: 0.38, smile: 0.55), yaw: 0)
    #expect(!mood.isMouthOpen && mood.isSmiling)
    mood.update(expression(mouth: 0.49, smile: 0.41), yaw: 0)
    #expect(!mood.isMouthOpen && mood.isSmiling)
  }

  @Test func eyesAreClosedWhenBothAreAndOpenWhenBothAre() {
    var mood = ExpressionState()
    func areClosed(_ left: Double, _ right: Double, yaw: Double = 0) -> Bool {
      mood.update(expression(left: left, right: right), yaw: yaw)
      return mood.areEyesClosed
    }
    #expect(!areClosed(0, 1))
    #expect(areClosed(0.1, 0.29))
    #expect(areClosed(0.69, 1))
    #expect(!areClosed(0.7, 0.71))
    // Of a head turned to the left only the eye at the image's right can be seen.
    #expect(areClosed(1, 0, yaw: -30))
    #expect(!areClosed(0, 1, yaw: -30))
    #expect(areClosed(0, 1, yaw: 40))
    // A pose that is no number hides neither.
    #expect(areClosed(0, 1, yaw: .nan))
    #expect(!areClosed(1, 1, yaw: .nan))
  }

  @Test func theOpenEyeBaselineAdaptsToTheFace() throws {
    var narrow = EyePair()
    for _ in 0..<600 {
      narrow.left.update(0.23, .mesh, seconds: 1.0 / 30)
      narrow.right.update(0.23, .mesh, seconds: 1.0 / 30)
    }
    #expect(narrow.openness(yaw: 0).left > Expression.eyeOpen)
    narrow.left.update(0.16, .mesh, seconds: 1.0 / 30)
    #expect(narrow.openness(yaw: 0).left < Expression.eyeClosed)
    #expect(narrow.openness(yaw: 0).right > Expression.eyeOpen)
    // The eye that is turned away counts as the other.
    #expect(narrow.openness(yaw: 40).right == narrow.openness(yaw: 0).left)
    #expect(EyePair().openness(yaw: 0) == (1, 1))
  }
}
