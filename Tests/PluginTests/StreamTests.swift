import CGStreamer
import Faces
import Pixels
import Support
import Testing

/// Streams that are not as usual: longer frames, other segments, seeks that flush or go backward.
@Suite(.timeLimit(.minutes(20))) struct StreamTests {
  @Test(arguments: ["chromakey method=green", "chromakey method=green background-color=0xff102030"])
  func framesThatAreLongerThanNeededAreTaken(element: String) throws {
    #expect(Registered.now)
    // vp9dec hands out frames with room around the picture where GstVideoMeta is understood.
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=3 ! video/x-raw,format=I420,width=320,height=240"
        + " ! vp9enc deadline=1 cpu-used=8 ! vp9dec ! \(element) ! fakesink name=sink")
    var count = 0
    try pipeline.watch("sink") { _ in count += 1 }
    try pipeline.run()
    #expect(count == 3)
  }

  @Test func aStreamInBytesIsAStreamWithoutTimes() throws {
    let scratch = ScratchFolder()
    let file = scratch.write("raw", [UInt8](repeating: 90, count: 64 * 48 * 3 / 2 * 3))
    // G_DEBUG=fatal-warnings: a complaint of GStreamer's ends it.
    let text =
      "gst-launch-1.0 -q filesrc location=\(file) blocksize=\(64 * 48 * 3 / 2)"
      + " ! video/x-raw,format=I420,width=64,height=48,framerate=30/1 ! facedetect ! beautifymask"
      + " mask=full ! chromakey ! sticker location=frame ! fakesink"
    let run = try Command(
      text.split(separator: " ").map(String.init), environment: Command.pluginEnvironment())
    #expect(run.status == 0, "\(run.errors)")
  }

  /// The numbers of the faces of each frame, before and after a seek in the paused stream.
  private func faces(
    _ description: String, rate: Double
  ) throws -> (before: [[UInt32]], after: [[UInt32]]) {
    #expect(Registered.now)
    let pipeline = try Pipeline(description)
    var frames: [[UInt32]] = []
    try pipeline.watch("sink") { frames.append(CapturedFrame($0).faces.map(\.id)) }
    pipeline.setState(GST_STATE_PAUSED)
    let element = try #require(pipeline.element("sink"))
    defer { gst_object_unref(UnsafeMutableRawPointer(element)) }
    gst_element_get_state(element, nil, nil, 20 * 1_000_000_000)
    let before = frames
    frames = []
    #expect(
      gst_element_seek(
        element, rate, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 0,
        GST_SEEK_TYPE_SET, 1_000_000_000) != 0)
    try pipeline.run()
    return (before, frames)
  }

  @Test func aFlushDoesNotForgetHowTheStreamIsTurned() throws {
    let (before, after) = try faces(
      Registered.photograph(width: 256, height: 256)
        + " ! videoflip video-direction=180 ! imagefreeze num-buffers=8"
        + " ! video/x-raw,framerate=10/1 ! taginject tags=image-orientation=rotate-180"
        + " ! facedetect video-direction=auto ! fakesink name=sink", rate: 1)
    #expect(before.first?.count == 1)
    #expect(after.count > 3 && after.allSatisfy { $0.count == 1 })
  }

  @Test func facesAreFollowedBackwardToo() throws {
    let (_, after) = try faces(
      Registered.photograph(width: 256, height: 256)
        + " ! imagefreeze num-buffers=8 ! video/x-raw,framerate=10/1"
        + " ! facedetect ! fakesink name=sink", rate: -1)
    #expect(after.count > 3)
    #expect(Set(after.flatMap { $0 }).count == 1 && after.allSatisfy { $0.count == 1 })
  }
}
