import Faces
import Pixels
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct FaceDetectOrientationTests {
  struct Turn: Sendable, CustomTestStringConvertible {
    let orientation: Orientation
    /// What videoflip does to the upright photograph to store it so.
    let flip: String
    /// What facedetect is told, and what the stream's tag says.
    let direction: String
    let tag: String
    var testDescription: String { direction }
  }

  static let turns = [
    Turn(orientation: .up, flip: "identity", direction: "identity", tag: "rotate-0"),
    Turn(orientation: .upMirrored, flip: "horiz", direction: "horiz", tag: "flip-rotate-0"),
    Turn(orientation: .down, flip: "180", direction: "180", tag: "rotate-180"),
    Turn(orientation: .downMirrored, flip: "vert", direction: "vert", tag: "flip-rotate-180"),
    Turn(orientation: .leftMirrored, flip: "ul-lr", direction: "ul-lr", tag: "flip-rotate-270"),
    Turn(orientation: .right, flip: "90l", direction: "90r", tag: "rotate-90"),
    Turn(orientation: .rightMirrored, flip: "ur-ll", direction: "ur-ll", tag: "flip-rotate-90"),
    Turn(orientation: .left, flip: "90r", direction: "90l", tag: "rotate-270"),
  ]

  private func check(_ turn: Turn, _ element: String) throws {
    let frames = try Registered.frames(
      Registered.photograph(.rgb, width: 600, height: 400)
        + " ! videoflip video-direction=\(turn.flip) ! \(element) ! fakesink name=sink")
    let face = try #require(frames.first?.faces.first)
    #expect(frames.first?.faces.count == 1)
    // Found on the upright picture without any turning.
    let upright = try Registered.frames(
      Registered.photograph(.rgb, width: 600, height: 400)
        + " ! facedetect ! fakesink name=sink")
    let expected = try #require(upright.first?.faces.first)
    for (found, reference) in zip(face.keypoints, expected.keypoints) {
      let place = turn.orientation.uprightToStored(reference)
      #expect(abs(found.x - place.x) < 0.002 && abs(found.y - place.y) < 0.002)
    }
    #expect(abs(face.confidence - expected.confidence) < 1e-6)
  }

  @Test(arguments: turns)
  func placesAreThoseOfTheFrameAsItIsStored(turn: Turn) throws {
    try check(turn, "facedetect video-direction=\(turn.direction)")
  }

  @Test(arguments: turns)
  func autoFollowsTheImageOrientationTag(turn: Turn) throws {
    try check(
      turn,
      "taginject tags=\"image-orientation=\(turn.tag)\" ! facedetect video-direction=auto")
  }
}
