import CGStreamer
import Faces
import Pixels
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct FaceMetadataTests {
  private static let source =
    Registered.photograph(.i420, width: 640, height: 640) + " ! facedetect"

  private func frame(_ rest: String) throws -> CapturedFrame {
    try #require(try Registered.frames("\(Self.source) ! \(rest) ! fakesink name=sink").first)
  }

  private func expectFace(_ frame: CapturedFrame) throws {
    let face = try #require(frame.faces.first)
    #expect(frame.faces.count == 1)
    #expect(face.id != 0)
    #expect(face.box.iou(KnownFace.box) > 0.8)
    #expect(face.keypoints.count == 6)
    #expect(abs(face.keypoints[0].x - KnownFace.leftEye.x) < 0.01)
    #expect(abs(face.keypoints[1].x - KnownFace.rightEye.x) < 0.01)
    #expect(frame.measuredOn?.width == 640 && frame.measuredOn?.height == 640)
  }

  @Test(arguments: [
    "identity", "queue", "tee", "videorate ! video/x-raw,framerate=25/1",
    "videoconvert ! video/x-raw,format=RGBA", "videoscale ! video/x-raw,width=320,height=240",
    "videoscale add-borders=false ! video/x-raw,width=200,height=480,pixel-aspect-ratio=1/1",
    "videoconvert ! video/x-raw,format=NV12 ! videoscale ! video/x-raw,width=1001,height=333"
      + " ! videoconvert ! video/x-raw,format=BGR",
  ])
  func facesSurviveWhatKeepsTheFrameWhole(element: String) throws {
    try expectFace(try frame(element))
  }

  @Test(
    .enabled(
      if: !SystemAnalytics.movesMetadata, "from GStreamer 1.28 on metadata moves with the picture"),
    arguments: [
      "videocrop left=100", "videocrop top=3 bottom=10", "videoflip video-direction=horiz",
      "videobox left=50",
    ])
  func facesAreDroppedNotFalsifiedByWhatMovesThem(element: String) throws {
    let frame = try frame(element)
    #expect(frame.measuredOn == nil && frame.faces.isEmpty)
    #expect(frame.regions.isEmpty)
  }

  private static let movesMetadata = ConditionTrait.enabled(
    if: SystemAnalytics.movesMetadata, "before GStreamer 1.28 metadata is dropped there")

  /// Where the eyes are found in the moved picture, there the moved faces have them.
  @Test(
    movesMetadata,
    arguments: [
      "videocrop left=100", "videocrop top=3 bottom=10", "videobox left=50 top=-60",
      "videoflip video-direction=horiz", "aspectratiocrop aspect-ratio=4/3",
      "videoscale ! video/x-raw,width=900,height=480,pixel-aspect-ratio=1/1",
    ])
  func facesMoveWithThePicture(element: String) throws {
    let moved = try frame("\(element)")
    let again = try frame("\(element) ! facedetect")
    let (face, truth) = (try #require(moved.faces.first), try #require(again.faces.first))
    #expect(moved.faces.count == 1 && again.faces.count == 1)
    #expect(face.box.iou(truth.box) > 0.85, "\(face.box) \(truth.box)")
    try #require(face.keypoints.count == 6 && face.landmarks.count == 478)
    for (a, b) in zip(face.keypoints, truth.keypoints) { #expect((a - b).length < 0.02) }
    for (a, b) in zip(face.landmarks, truth.landmarks) { #expect((a - b).length < 0.03) }
    // Regions move too, in whole pixels.
    let size = try #require(moved.measuredOn)
    let region = try #require(moved.regions.first)
    let pixels = face.box.scaled(x: Double(size.width), y: Double(size.height))
    #expect(region.box.iou(pixels) > 0.9, "\(region.box) \(pixels)")
  }

  @Test(
    movesMetadata, arguments: ["90r", "180", "90l", "horiz", "vert", "ul-lr", "ur-ll"])
  func facesTurnWithThePicture(direction: String) throws {
    let moved = try frame("videoflip video-direction=\(direction)")
    let back = ["90r": "90l", "90l": "90r"][direction] ?? direction
    let again = try frame(
      "videoflip video-direction=\(direction) ! videoflip video-direction=\(back)")
    let (whole, face) = (try frame("identity").faces[0], try #require(again.faces.first))
    #expect(moved.faces.count == 1 && moved.faces[0].box.iou(whole.box) < 0.95)
    #expect(face.box.iou(whole.box) > 0.999)
    for (a, b) in zip(face.landmarks, whole.landmarks) { #expect((a - b).length < 1e-4) }
    for (a, b) in zip(face.keypoints, whole.keypoints) { #expect((a - b).length < 1e-4) }
  }

  @Test(movesMetadata) func aFaceThatIsCroppedAwayIsGone() throws {
    let frame = try frame("videocrop left=450")
    #expect(frame.measuredOn?.width == 190 && frame.faces.isEmpty)
  }

  @Test(movesMetadata, arguments: [640, 0])
  func facesOfTwoFramesInOneHaveTheirOwnNumbers(left: Int) throws {
    precondition(Registered.now)
    let pipeline = try Pipeline(
      "compositor name=c sink_1::alpha=0.5 sink_1::xpos=\(left) ! fakesink name=sink"
        + " \(Self.source) ! c.sink_0 \(Self.source) ! c.sink_1")
    let frames = try pipeline.frames()
    let faces = try #require(frames.first).faces
    #expect(faces.count == 2 && Set(faces.map(\.id)).count == 2)
    #expect(abs(faces[1].box.x - faces[0].box.x - (left == 0 ? 0 : 0.5)) < 1e-6)
  }

  @Test func everyFaceIsARegionOfInterestWithParametersToo() throws {
    let frame = try frame("identity")
    let region = try #require(frame.regions.first)
    #expect(frame.regions.count == 1)
    #expect(region.id != 0)
    #expect(region.parameters == ["detection", "landmarks", "object_id"])
    let face = try #require(frame.faces.first)
    let pixels = face.box.scaled(x: 640, y: 640)
    #expect(abs(region.box.x - pixels.x) <= 0.5 && abs(region.box.y - pixels.y) <= 0.5)
    #expect(abs(region.box.width - pixels.width) <= 1)
  }

  @Test func aSecondDetectorReplacesWhatTheFirstSaid() throws {
    let frame = try frame("facedetect accuracy=low")
    #expect(frame.faces.count == 1 && frame.regions.count == 1)
  }

  @Test func regionsAreClippedToTheFrameAndMienFacesAreNot() throws {
    let frames = try Registered.frames(
      "filesrc location=\(Photograph.path) ! pngdec ! videocrop left=190 top=60 bottom=112"
        + " ! facedetect ! fakesink name=sink")
    let frame = try #require(frames.first)
    let face = try #require(frame.faces.first)
    #expect(face.box.x < 0)
    let region = try #require(frame.regions.first)
    #expect(region.box.x == 0)
    #expect(abs(region.box.width - face.box.maxX * 322) <= 1)
  }

  @Test func theMetadataSerialisesToTextAndIsDescribedByGStreamer() {
    #expect(Registered.now)
    let info = gst_meta_get_info("MienFaces")
    #expect(info != nil)
    for tag in ["video", "orientation", "size"] {
      #expect(gst_meta_api_type_has_tag(info!.pointee.api, g_quark_from_string(tag)) != 0)
    }
  }
}
