import Keying
import Pixels
import Support
import Testing
import Vision

/// How near mattes come to the truth on composites of which it is known.
@Suite(.serialized) struct QualityTests {
  private static let backing: UInt32 = 0xff5a_9678

  /// The means over cases of what a still of each is keyed to.
  static func measure(_ cases: [PersonCase]) throws -> PersonScene.Measures {
    let cutout = try PersonCutout.load()
    var sum = PersonScene.Measures()
    let share = 1 / Double(cases.count)
    for one in cases {
      let scene = one.scene(cutout)
      let picture = scene.picture()
      let trial = try Trial(picture.video)
      let faces = [one.pose.face(aspect: Float(scene.width) / Float(scene.height))]
      let matte = try trial.run(picture, faces: faces).opacity
      trial.segmenter.reset()
      let background = Background(color: backing, for: picture.video)
      let composite = try trial.run(picture, faces: faces, background: background).rgbValues
      let found = scene.measures(matte, composite)
      sum.iou += found.iou * share
      sum.boundary += found.boundary * share
      sum.sad += found.sad * share
      sum.edgeSad += found.edgeSad * share
      sum.gradient += found.gradient * share
      sum.psnr += found.psnr * share
      sum.edgePsnr += found.edgePsnr * share
    }
    return sum
  }

  @Test func peopleWhoFillThePictureAreFound() throws {
    let found = try Self.measure(PersonCase.large)
    #expect(found.iou >= 92.5)
    #expect(found.boundary >= 77)
    #expect(found.edgeSad <= 11.5)
    #expect(found.gradient <= 1.3)
  }

  @Test func peopleFarAwayAreFound() throws {
    let found = try Self.measure(PersonCase.small)
    #expect(found.iou >= 96)
  }
}
