import Faces
import Pixels
import Support
import Testing

/// What counts as a smile, on a made mesh whose lips are where each test puts them.
@Suite(.timeLimit(.minutes(20))) struct SmileTests {
  /// The face with its mouth's corners and the middles of its lips at these heights, in pupil
  /// distances, and the corners `width` apart.
  private func mesh(
    width: Double, corners: Double, upper: Double, lower: Double, roll: Double = 0
  ) throws -> PixelMesh {
    let face = HeadMesh.make(
      middle: Point(x: 500, y: 350), unit: 90, roll: roll,
      moving: [
        61: (-width / 2, corners, 0.35), 291: (width / 2, corners, 0.35),
        78: (0.06 - width / 2, corners, 0.36), 308: (width / 2 - 0.06, corners, 0.36),
        13: (0, upper, 0.5), 14: (0, lower, 0.5),
      ])
    return try #require(PixelMesh(face, width: 1000, height: 800))
  }

  @Test(arguments: [0.0, 25, -40]) func aRoundMouthIsNotASmile(roll: Double) throws {
    // From a spoken "O" to a shout: the jaw drops, the corners stay.
    for drop in [0.25, 0.3, 0.4, 0.5, 0.6] {
      let said = try mesh(
        width: 0.86 - 0.2 * drop, corners: -0.98, upper: -0.88, lower: -0.96 - drop, roll: roll)
      #expect(said.mouthOpen > 0.4)
      #expect(said.smile < 0.3)
    }
  }

  @Test func aShoutIsNotASmileAtAnyWidth() throws {
    let shout = try mesh(width: 1.1, corners: -0.9, upper: -0.9, lower: -1.5)
    #expect(shout.mouthOpen >= 0.8 && shout.smile == 0)
  }

  @Test func smilesStaySmilesWithAndWithoutTeeth() throws {
    let closed = try mesh(width: 1, corners: -0.91, upper: -0.95, lower: -0.96)
    let toothy = try mesh(width: 1.07, corners: -0.95, upper: -0.935, lower: -1.12)
    let laughing = try mesh(width: 1.15, corners: -0.94, upper: -0.92, lower: -1.2)
    // Where a smile starts (`ExpressionState`).
    for smile in [closed, toothy, laughing] { #expect(smile.smile > 0.55) }
    #expect(laughing.mouthOpen > 0.25)
    #expect(try mesh(width: 0.84, corners: -0.97, upper: -0.95, lower: -0.96).smile < 0.1)
  }
}
