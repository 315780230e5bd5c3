import CGStreamer
import Faces
import Pixels
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct FaceDetectAsyncTests {
  private static let source =
    "filesrc location=\(Photograph.path) ! pngdec ! videocrop bottom=112 ! imagefreeze"
    + " num-buffers=100000 ! videoconvert ! videoscale ! capsfilter name=shape caps="
  private static let shapes = ["320,height=250", "160,height=126", "400,height=312"]
    .map { "video/x-raw,format=I420,width=\($0),framerate=30/1" }

  @Test func framesDoNotWaitAndCarryTheNewestFaces() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "filesrc location=\(Photograph.path) ! pngdec ! imagefreeze num-buffers=900 ! videoconvert"
        + " ! video/x-raw,format=I420,framerate=30/1"
        + " ! facedetect async=true expressions=false ! fakesink name=sink sync=true")
    var counts: [Int] = []
    var ids: Set<UInt32> = []
    var known = 0
    try pipeline.watch("sink") {
      let faces = CapturedFrame($0).faces
      counts.append(faces.count)
      ids.formUnion(faces.map(\.id))
      known += faces.isEmpty ? 0 : 1
    }
    pipeline.setState(GST_STATE_PLAYING)
    // However long the first look takes.
    for _ in 0..<3000 where known < 20 { g_usleep(10_000) }
    pipeline.setState(GST_STATE_NULL)
    #expect(known >= 20)
    // The first frame cannot know yet; once the face is known, every frame has it.
    #expect(counts.first == 0)
    #expect(counts.last == 1)
    #expect(counts == counts.sorted())
    #expect(ids == [1])
  }

  @Test func turningItOnAndOffWhilePlayingLosesNoFrame() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "filesrc location=\(Photograph.path) ! pngdec ! imagefreeze num-buffers=60 ! videoconvert"
        + " ! videoscale ! video/x-raw,format=I420,width=160,height=160,framerate=30/1"
        + " ! facedetect name=f accuracy=low ! fakesink name=sink")
    var count = 0
    try pipeline.watch("sink") { _ in
      count += 1
      pipeline.set("f", "async", count / 7 % 2 == 0 ? "true" : "false")
    }
    try pipeline.run()
    #expect(count == 60)
  }

  @Test func flushesSeeksCapsAndStatesInAnyOrderNeverShowStaleFaces() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      Self.source + Self.shapes[0]
        + " ! facedetect async=true accuracy=low expressions=false updates=none"
        + " ! fakesink name=sink")
    var last = (pts: UInt64(0), width: UInt32(0))
    var starts = 0
    var stale = 0
    var found = 0
    try pipeline.watch("sink") { buffer in
      let frame = CapturedFrame(buffer)
      found += frame.faces.count
      let width = frame.measuredOn?.width ?? 0
      defer { last = (frame.pts, width) }
      // The first frame after a flush, a start or a change of size comes before any result.
      let isNext = frame.pts > last.pts && frame.pts < last.pts + 40_000_000
      if !isNext || width != last.width {
        starts += 1
        stale += frame.faces.count
      }
    }
    pipeline.setState(GST_STATE_PLAYING)
    var random = SplitMix(11)
    for _ in 0..<Self.rounds {
      let choice = random.below(1 << 24)
      switch choice % 8 {
      case 0: pipeline.setState(GST_STATE_PAUSED)
      case 1: pipeline.set("shape", "caps", Self.shapes[choice / 8 % 3])
      case 2 where choice / 8 % 4 == 0: pipeline.setState(GST_STATE_READY)
      case 3: g_usleep(gulong(choice % 3000))
      default:
        gst_element_seek_simple(
          pipeline.raw, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, gint64(choice % 1000) * 1_000_000)
      }
      pipeline.setState(GST_STATE_PLAYING)
      g_usleep(gulong(choice / 64 % 8000))
    }
    for _ in 0..<200 where found == 0 { g_usleep(100_000) }
    pipeline.setState(GST_STATE_NULL)
    // How many rounds let a frame through before the next one is the machine's affair.
    #expect(starts > Self.rounds / 20)
    #expect(stale == 0)
    #expect(found > 0)
  }

  private static let rounds = 1000
}
