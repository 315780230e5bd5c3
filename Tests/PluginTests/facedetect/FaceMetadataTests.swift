import CGStreamer
import Faces
import Pixels
import Support
import Testing

@Suite struct FaceMetadataTests {
  private static let source =
    Registered.photograph(.i420, width: 640, height: 640) + " ! facedetect"

  private func frame(_ rest: String) throws -> CapturedFrame {
    try #require(try Registered.frames("\(Self.source) ! \(rest) ! fakesink name=sink").first)
  }

  private func expectFace(_ frame: CapturedFrame) throws {
    let face = try #require(frame.faces.first)
    #expect(frame.faces.count == 1)
    #expect(face.id != 0)
    #expect(face.box.iou(KnownFace.box) > 0.85)
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

  @Test(arguments: [
    "videocrop left=100", "videocrop top=3 bottom=10", "videoflip video-direction=horiz",
    "videobox left=50",
  ])
  func facesAreDroppedNotFalsifiedByWhatMovesThem(element: String) throws {
    let frame = try frame(element)
    #expect(frame.measuredOn == nil && frame.faces.isEmpty)
    #expect(frame.regions.count == (GStreamerHabits.regionsMoveWithPixels ? 1 : 0))
    #expect(frame.regions.allSatisfy { $0.parameters.isEmpty })
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
