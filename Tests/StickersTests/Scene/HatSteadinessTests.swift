import Faces
import Inference
import Pixels
import Stickers
import Support
import Testing

@testable import Vision

/// A hat sits on the skull: what the face does must not move it.
@Suite(.timeLimit(.minutes(20))) struct HatSteadinessTests {
  @Test func mouthAndEyelidsDoNotMoveAHat() throws {
    var settings = FaceFinder.Settings()
    settings.tracking = false
    settings.expressions = false
    let finder = try FaceFinder.loaded(settings)
    func frame(_ picture: OwnedPicture) throws -> (Face, HeadFrame) {
      let face = try #require(
        finder.found(in: picture, time: nil, settings: settings).first)
      return (face, try #require(HeadFrame(face, width: 512, height: 512)))
    }
    let photograph = try Photograph.load(.rgb)
    let (face, _) = try frame(photograph)
    let grimace = Grimace(photograph, face.landmarks.map { $0.inPixels(512, 512) })
    let (_, neutral) = try frame(grimace.picture([]))
    let size = 3 * neutral.unit
    for change: Grimace.Change in [.mouthOpen, [.leftEyeShut, .rightEyeShut], .sober] {
      let (_, moved) = try frame(grimace.picture(change))
      let way = moved.point(.headTop) - neutral.point(.headTop)
      let up = neutral.project(0, 1, 0) - neutral.project(0, 0, 0)
      let rise = abs(way.x * up.x + way.y * up.y) / up.length / size
      #expect(rise < 0.01, "a hat rises by \(rise) of its width")
      #expect(way.length / size < 0.015, "a hat moves by \(way) pixels")
      #expect(abs(moved.unit / neutral.unit - 1) < 0.012)
    }
  }
}
