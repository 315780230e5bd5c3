import Faces
import Pixels
import Support
import Testing

/// Video whose pixels are not square, as DV's and DVD's.
@Suite(.timeLimit(.minutes(20))) struct FaceDetectAnamorphicTests {
  @Test(arguments: ["", "accuracy=low", "landmarks=false expressions=false", "tracking=false"])
  func facesAreLookedAtAsTheyAreShown(properties: String) throws {
    func faces(_ caps: String, _ turn: String) throws -> CapturedFrame {
      let frames = try Registered.frames(
        Registered.photograph(.nv12, width: 512, height: 512)
          + " ! videoscale add-borders=false ! video/x-raw,\(caps) \(turn)"
          + " \(properties) ! fakesink name=sink")
      return try #require(frames.first)
    }
    let square = "width=512,height=512,pixel-aspect-ratio=1/1"
    let expected = try #require(try faces(square, "! facedetect").faces.first)
    // Half as wide as shown, half as high as shown, and lying on the side as well.
    for caps in [
      "width=256,height=512,pixel-aspect-ratio=2/1", "width=512,height=256,pixel-aspect-ratio=1/2",
    ] {
      for turn in [
        (flip: "! facedetect", orientation: Orientation.up),
        (flip: "! videoflip video-direction=90l ! facedetect video-direction=90r", .right),
      ] {
        let found = try faces(caps, turn.flip).faces
        #expect(found.count == 1)
        let face = try #require(found.first)
        for (point, reference) in zip(face.keypoints, expected.keypoints) {
          let place = turn.orientation.uprightToStored(reference)
          #expect(abs(point.x - place.x) < 0.006 && abs(point.y - place.y) < 0.006)
        }
      }
    }
  }
}
