import Faces
import Pixels
import Reshaping
import Support
import Testing

/// Reshaped portraits, looked at again by the same eyes.
@Suite(.timeLimit(.minutes(20))) struct ReshapedPortraitTests {
  @Test(arguments: Portrait.allCases)
  func slimNarrowsTheJaw(_ portrait: Portrait) throws {
    let portrait = try ReshapedPortrait(portrait)
    let (picture, _) = portrait.reshaped(.with { $0.slim = 1 })
    let found = try portrait.meanPoints(picture)
    let before = ReshapedPortrait.jawWidth(portrait.points(portrait.face))
    let share = 1 - ReshapedPortrait.jawWidth(found) / before
    // The network takes narrow jaws for wider ones, by a portrait more than by the others.
    #expect((0.06...0.15).contains(share))
  }

  /// By the preset, on average over the mesh; and what stickers hang on, by itself.
  @Test(arguments: Portrait.allCases)
  func displacedLandmarksAreWhereTheDetectorFindsThem(_ portrait: Portrait) throws {
    let portrait = try ReshapedPortrait(portrait)
    let (picture, moved) = portrait.reshaped(
      .with { ($0.slim, $0.jaw, $0.eyes, $0.nose) = (0.15, -0.1, 0.15, -0.2) })
    let found = try portrait.meanPoints(picture)
    let limit = 0.01 * portrait.eyeDistance
    let mean = zip(moved, found).reduce(0) { $0 + ($1.0 - $1.1).length } / Double(found.count)
    #expect(mean <= limit)
    for part in [MeshIndex.leftEye, MeshIndex.rightEye, MeshIndex.lips] {
      let off = part.reduce(Point.zero) { $0 + moved[$1] - found[$1] }
      #expect(off.length / Double(part.count) <= limit)
    }
  }
}
