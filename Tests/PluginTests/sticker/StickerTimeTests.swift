import CGStreamer
import Pixels
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct StickerTimeTests {
  private static let colors: [UInt32] = [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF]

  /// Which of the three colours the middle of an RGB frame 64 x 48 has; 3 for none of them.
  private func shown(_ frame: CapturedFrame) -> Int {
    let at = (24 * 64 + 32) * 3
    return (0..<3).first { frame.bytes[at + $0] > 250 && frame.bytes[at + ($0 + 1) % 3] < 5 } ?? 3
  }

  private func animation(_ fields: String = "") throws -> StickerFolder {
    let folder = StickerFolder()
    try folder.pack(
      "\"type\": 1, \"anchor\": \"cover\", \"scaleWidth\": 1, \"frameDuration\": 250\(fields)",
      colors: Self.colors)
    return folder
  }

  /// The picture an animation of 3 x 250 ms is at, `time` milliseconds after its start.
  private func due(_ time: Int) -> Int { time / 250 % 3 }

  @Test func theAnimationFollowsTheRunningTimeAndNotTheFrameCount() throws {
    let folder = try animation()
    for rate in [10, 4, 30] {
      let frames = try Registered.frames(
        "videotestsrc num-buffers=24 ! video/x-raw,format=RGB,width=64,height=48,framerate=\(rate)/1"
          + " ! sticker location=\(folder.path) ! fakesink name=sink")
      #expect(frames.map(shown) == frames.map { due(Int($0.pts / 1_000_000)) }, "\(rate)")
    }
    let frozen = try Registered.frames(
      "videotestsrc num-buffers=1 ! video/x-raw,format=RGB,width=64,height=48"
        + " ! imagefreeze num-buffers=20 ! video/x-raw,framerate=10/1"
        + " ! sticker location=\(folder.path) ! fakesink name=sink")
    #expect(frozen.map(shown) == (0..<20).map { due($0 * 100) })
  }

  @Test func aSeekThatFlushesStartsTheAnimationAnew() throws {
    #expect(Registered.now)
    let folder = try animation()
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=400 ! video/x-raw,format=RGB,width=64,height=48,framerate=10/1"
        + " ! sticker location=\(folder.path) ! fakesink name=sink")
    var seen: [(time: Int, shown: Int)] = []
    try pipeline.watch("sink") { buffer in
      let frame = CapturedFrame(buffer)
      seen.append((Int(frame.pts / 1_000_000), self.shown(frame)))
    }
    pipeline.setState(GST_STATE_PAUSED)
    gst_element_get_state(pipeline.raw, nil, nil, 10_000_000_000)
    for second in [7, 3, 11] {
      let flags = GstSeekFlags(
        rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
      gst_element_seek_simple(
        pipeline.raw, GST_FORMAT_TIME, flags, gint64(second) * 1_000_000_000)
      gst_element_get_state(pipeline.raw, nil, nil, 10_000_000_000)
    }
    try pipeline.run()
    // The last seek went to 11 s; running time started from 0 there.
    let start = try #require(seen.lastIndex { $0.time == 11_000 })
    let last = seen[start...]
    #expect(last.count > 50)
    #expect(last.map(\.shown) == last.map { due($0.time - 11_000) })
  }

  @Test func roundsEndAndTheStickerGoes() throws {
    let folder = try animation(", \"loop\": 2")
    let frames = try Registered.frames(
      "videotestsrc num-buffers=20 ! video/x-raw,format=RGB,width=64,height=48,framerate=10/1"
        + " ! sticker location=\(folder.path) ! fakesink name=sink")
    #expect(frames[..<15].map(shown) == (0..<15).map { due($0 * 100) })
    let plain = try Registered.frames(
      "videotestsrc num-buffers=20 ! video/x-raw,format=RGB,width=64,height=48,framerate=10/1"
        + " ! fakesink name=sink")
    for (a, b) in zip(frames[15...], plain[15...]) { #expect(a.bytes == b.bytes) }
  }

  @Test func anAnimatedPictureKeepsItsOwnTimes() throws {
    #expect(Registered.now)
    let folder = StickerFolder()
    let film = try folder.film()
    let frames = try Registered.frames(
      "videotestsrc num-buffers=20 ! video/x-raw,format=RGB,width=64,height=48,framerate=5/1"
        + " ! sticker anchor=screen location=\(film) ! fakesink name=sink")
    let reds = frames.map { Int($0.bytes[(24 * 64 + 32) * 3]) > 128 }
    #expect(reds == (0..<20).map { $0 % 10 < 5 })
  }
}
