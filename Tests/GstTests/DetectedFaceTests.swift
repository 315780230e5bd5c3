import CGStreamer
import Faces
import Frames
import Metadata
import Pixels
import Testing

/// Faces in the terms of GstAnalytics and back, without its library.
@Suite(.timeLimit(.minutes(20))) struct DetectedFaceTests {
  @Test(arguments: ["face", "Face", "FACE", "human face", "Human-Face", "human_face"])
  func detectorsCallFacesSo(label: String) { #expect(isFaceLabel(g_quark_from_string(label))) }

  @Test(arguments: [
    "", "faces", "fac", "human", "human ", "humanface", "surface", "face mask", "car",
  ])
  func otherThingsAreNoFaces(label: String) { #expect(!isFaceLabel(g_quark_from_string(label))) }

  @Test func boxesAreWholePixelsClippedToTheFrame() {
    let face = Face(
      id: 7, confidence: 0.75, box: Rectangle(x: -0.1, y: 0.25, width: 0.3004, height: 0.5))
    let detected = DetectedFace(face, width: 1000, height: 400)
    #expect(
      detected
        == DetectedFace(x: 0, y: 100, width: 200, height: 200, confidence: 0.75, track: 7))
    #expect(detected.hasArea)
    let outside = Face(confidence: 1, box: Rectangle(x: 2, y: 2, width: 1, height: 1))
    #expect(!DetectedFace(outside, width: 1000, height: 400).hasArea)
    let wild = Face(
      confidence: .nan, box: Rectangle(x: -1e300, y: .nan, width: .infinity, height: 1))
    _ = DetectedFace(wild, width: 16384, height: 16384)
  }

  @Test func aFaceComesBackWithWhatADetectorKnows() {
    var face = Face(
      id: 3, confidence: 1, box: .zero, keypoints: [.zero],
      landmarks: [Landmark(x: 0, y: 0, z: 0)], pose: HeadPose(roll: 1, yaw: 2, pitch: 3),
      expression: Expression(leftEyeOpen: 1, rightEyeOpen: 1, mouthOpen: 0, smile: 0))
    DetectedFace(x: 64, y: 24, width: 32, height: 48, confidence: 0.5, track: 12)
      .copyValues(to: &face, width: 320, height: 240)
    #expect(
      face
        == Face(
          id: 12, confidence: 0.5, box: Rectangle(x: 0.2, y: 0.1, width: 0.1, height: 0.2)))
  }

  @Test func tracksAreNumbersThatAreNeverNobodys() {
    func id(_ track: UInt64?) -> UInt32 {
      var face = Face(confidence: 0, box: .zero)
      DetectedFace(x: 0, y: 0, width: 1, height: 1, confidence: 0, track: track)
        .copyValues(to: &face, width: 1, height: 1)
      return face.id
    }
    #expect(id(nil) == 0 && id(5) == 5)
    // Trackers count from 0.
    #expect(id(0) != 0)
  }

  @Test func sixPointsAreTwelveNumbersAndNoOtherCountIsAny() throws {
    var face = Face(confidence: 1, box: .zero)
    #expect(DetectedFace.pixelKeypoints(of: face, width: 100, height: 100) == nil)
    face.keypoints = (0..<6).map { Point(x: Double($0) / 10, y: $0 == 5 ? .nan : -1e9) }
    let points = try #require(DetectedFace.pixelKeypoints(of: face, width: 100, height: 200))
    #expect(points[2] == 10 && points[3] == -32768)
    let expression = Expression(leftEyeOpen: 0.1, rightEyeOpen: 0.2, mouthOpen: 0.3, smile: 0.4)
    let levels = DetectedFace.confidenceLevels(of: expression)
    #expect((0..<4).map { levels[$0] } == [0.4, 0.3, 0.1, 0.2])
  }

  @Test func aMeshIsPixelsInOneArray() {
    var face = Face(confidence: 1, box: .zero)
    face.landmarks = [Landmark(x: 0.26, y: 0.5, z: 1), Landmark(x: .nan, y: 1e9, z: 0)]
    var places: [Int32] = [7]
    DetectedFace.readMesh(of: face, width: 100, height: 200, into: &places)
    #expect(places == [26, 100, 0, 32767])
  }
}
