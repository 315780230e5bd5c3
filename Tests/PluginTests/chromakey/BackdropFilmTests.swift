import CGStreamer
import Pixels
import Support
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Films behind that are too long to be kept whole.
@Suite(.timeLimit(.minutes(20))) struct BackdropFilmTests {
  private let scratch = ScratchFolder()
  private var path: String { scratch.path + "/film.avi" }

  /// Two seconds red, two seconds blue: 147 MB once decoded.
  private init() throws {
    #expect(Registered.now)
    let halves = ["red", "blue"].map {
      " videotestsrc pattern=\($0) num-buffers=60"
        + " ! video/x-raw,width=640,height=480,framerate=30/1 ! film."
    }
    try Pipeline(
      "concat name=film ! videoconvert ! jpegenc ! avimux ! filesink location=\(path)"
        + halves.joined()
    ).run()
  }

  private func source(_ frames: Int, _ background: String) -> String {
    "videotestsrc name=source pattern=green num-buffers=\(frames) ! video/x-raw,format=RGB,"
      + "width=32,height=32,framerate=10/1 ! chromakey name=key background=\(background)"
      + " ! fakesink name=sink"
  }

  private func isRed(_ frame: VideoSamples) -> Bool { frame.components[0][0] > 200 }

  @Test func aLongFilmPlaysAgainAndAgainByRunningTime() throws {
    let frames = try VideoSamples.frames(source(100, path), .rgb, 32, 32)
    #expect(frames.map(isRed) == (0..<100).map { $0 / 20 % 2 == 0 })
  }

  /// Once when it starts, to say what is wrong with it, and once to be shown: each time it is opened
  /// by us and by what reads it.
  @Test func itIsDecodedOnceToBeShown() throws {
    let notifier = inotify_init1(Int32(IN_NONBLOCK))
    defer { close(notifier) }
    let watch = inotify_add_watch(notifier, path, UInt32(IN_OPEN))
    try #require(watch >= 0)
    let pipeline = try Pipeline(source(10, path))
    let shown = Mutex(0)
    try pipeline.watch("sink") { _ in shown.withLock { $0 += 1 } }
    pipeline.setState(GST_STATE_PLAYING)
    defer { pipeline.setState(GST_STATE_NULL) }
    var opened = 0
    while shown.withLock({ $0 }) < 10 {
      var event = inotify_event()
      // Each has no name, and is told apart from the one before while that was read.
      while read(notifier, &event, MemoryLayout<inotify_event>.size) > 0 { opened += 1 }
      g_usleep(500)
    }
    #expect((1...4).contains(opened), "it was opened \(opened) times")
  }

  @Test func itBeginsAnewAfterASeek() throws {
    let pipeline = try Pipeline(
      source(200, path).replacing("! chromakey", with: "! identity sleep-time=4000 ! chromakey"))
    let seen = Mutex([(time: Int, isRed: Bool)]())
    try pipeline.watch("sink") { buffer in
      let isRed = isRed(VideoSamples(buffer, .rgb, 32, 32)!)
      seen.withLock { $0.append((Int(buffer.pointee.pts / 100_000_000), isRed)) }
    }
    pipeline.setState(GST_STATE_PLAYING)
    defer { pipeline.setState(GST_STATE_NULL) }
    while seen.withLock({ $0.count }) < 30 { g_usleep(5000) }
    let sink = try #require(pipeline.element("sink"))
    defer { gst_object_unref(sink) }
    // To where the film would be blue if it went on.
    let isDone = gst_element_seek_simple(
      sink, GST_FORMAT_TIME, GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue), 11_000_000_000)
    #expect(isDone != 0)
    try pipeline.wait()
    let frames = seen.withLock { $0 }
    let start = try #require(
      frames.indices.dropFirst().last { frames[$0].time != frames[$0 - 1].time + 1 })
    let after = frames[start...]
    #expect(after.count > 40 && after.first?.time == 110)
    #expect(after.allSatisfy { $0.isRed == (($0.time - 110) / 20 % 2 == 0) })
  }

  @Test func nothingWaitsForItNorStaysOfIt() throws {
    let pipeline = try Pipeline(source(100_000, path))
    let failures = pipeline.countFailedStateChanges(rounds: 40)
    #expect(failures == 0)
  }

  @Test func aFilmThatIsCutPlaysAsFarAsItGoes() throws {
    let whole = ScratchFolder.bytes(path)
    let cut = scratch.write("cut.avi", Array(whole.prefix(whole.count * 3 / 4)))
    let frames = try VideoSamples.frames(source(60, cut), .rgb, 32, 32)
    #expect(frames.count == 60)
    #expect(frames[..<20].allSatisfy(isRed) && !isRed(frames[25]))
    // There it begins again.
    #expect(frames[31..<45].allSatisfy(isRed))
  }
}
