import CGStreamer
import Pixels
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Background files: right ones, wrong ones, and ones that change while playing.
@Suite struct ChromaKeyBackgroundTests {
  /// A folder with files that GStreamer's own encoders made; removed with it.
  private final class Folder {
    private let scratch = ScratchFolder()
    var path: String { scratch.path }

    func made(_ name: String, _ description: String) throws -> String {
      try Pipeline(description + " ! filesink location=\(path)/\(name)").run()
      return path + "/" + name
    }

    func written(_ name: String, _ bytes: [UInt8]) -> String { scratch.write(name, bytes) }
  }

  private func png(_ pattern: String, _ width: Int, _ height: Int, _ more: String = "") -> String {
    "videotestsrc num-buffers=1 pattern=\(pattern) \(more) ! video/x-raw,format=RGBA,"
      + "width=\(width),height=\(height) ! pngenc"
  }

  /// Plays green frames with a background; the frames, or the error.
  private func play(
    _ background: String, _ more: String = "", format: PixelFormat = .rgb
  ) throws -> [VideoSamples] {
    try VideoSamples.frames(
      "videotestsrc pattern=green num-buffers=2 ! video/x-raw,format=\(format.rawValue),width=48,"
        + "height=32 ! chromakey background=\(background) \(more) ! fakesink name=sink",
      format, 48, 32)
  }

  private func failure(_ background: String) -> Pipeline.Failure? {
    do {
      _ = try play(background)
      return nil
    } catch {
      return error as? Pipeline.Failure
    }
  }

  private func isColor(_ frame: VideoSamples?, _ color: [UInt8], tolerance: Int = 2) -> Bool {
    guard let frame else { return false }
    return zip(frame.color, color).allSatisfy { samples, wanted in
      samples.allSatisfy { abs(Int($0) - Int(wanted)) <= tolerance }
    }
  }

  @Test func aPictureIsPutBehind() throws {
    #expect(Registered.now)
    let folder = Folder()
    let red = try folder.made("red.png", png("red", 7, 5))
    let frames = try play(red)
    #expect(frames.count == 2 && isColor(frames.last, [255, 0, 0]))
  }

  @Test func theColourShowsThroughAPictureWithAlpha() throws {
    #expect(Registered.now)
    let folder = Folder()
    let clear = try folder.made(
      "clear.png", png("solid-color", 7, 5, "foreground-color=0x00000000"))
    let through = try play(clear, "background-color=0xff0000ff")
    #expect(isColor(through.last, [0, 0, 255]))
    let half = try folder.made("half.png", png("solid-color", 7, 5, "foreground-color=0x80ff0000"))
    let mixed = try play(half, "background-color=0xff0000ff")
    #expect(isColor(mixed.last, [128, 0, 127], tolerance: 3))
  }

  @Test func extremeAndMovingPicturesAreTaken() throws {
    #expect(Registered.now)
    let folder = Folder()
    for (width, height) in [(100_000, 1), (1, 20_000), (1, 1), (4000, 3000)] {
      // videotestsrc ends at 32767 columns.
      let path: String
      if width > 32767 {
        path = folder.written(
          "wide.pgm",
          Array("P5 \(width) \(height) 255\n".utf8)
            + [UInt8](repeating: 200, count: width * height))
        guard hasElement("avdec_pgm") else { continue }
      } else {
        path = try folder.made("a.png", png("red", width, height))
      }
      let frames = try play(path)
      #expect(frames.count == 2, "\(width)x\(height)")
      let expected: [UInt8] = width > 32767 ? [200, 200, 200] : [255, 0, 0]
      #expect(isColor(frames.last, expected), "\(width)x\(height)")
    }
    let film = try folder.made(
      "film.ogg",
      "videotestsrc pattern=blue num-buffers=10 ! video/x-raw,width=64,height=48"
        + " ! theoraenc ! oggmux")
    let moving = try play(film)
    #expect(isColor(moving.last, [0, 0, 255], tolerance: 12))
  }

  private func hasElement(_ name: String) -> Bool {
    guard let factory = gst_element_factory_find(name) else { return false }
    gst_object_unref(UnsafeMutableRawPointer(factory))
    return true
  }

  @Test func aWrongFileAtStartIsAnErrorThatNamesIt() throws {
    #expect(Registered.now)
    let folder = Folder()
    let good = try folder.made("good.png", png("snow", 300, 200))
    var data: UnsafeMutablePointer<gchar>?
    var size: gsize = 0
    g_file_get_contents(good, &data, &size, nil)
    let bytes = data!.withMemoryRebound(to: UInt8.self, capacity: Int(size)) {
      Array(UnsafeBufferPointer(start: $0, count: Int(size)))
    }
    g_free(data)
    let pipe = folder.path + "/pipe"
    mkfifo(pipe, 0o600)
    for path in [
      "/nonexistent/sea.jpg", folder.path, folder.written("empty.png", []), pipe,
      folder.written("text.png", Array("not a picture at all".utf8)),
      folder.written("cut.png", Array(bytes.prefix(100))),
      folder.written("header.png", Array(bytes.prefix(8))),
    ] {
      let error = try #require(failure(path))
      #expect(error.description.contains(path), "\(error.description)")
    }
  }

  @Test func theElementPlaysAgainAfterAWrongFile() throws {
    #expect(Registered.now)
    let folder = Folder()
    let red = try folder.made("red.png", png("red", 7, 5))
    let pipeline = try Pipeline(
      "videotestsrc pattern=green num-buffers=2 ! video/x-raw,format=RGB,width=48,height=32"
        + " ! chromakey name=key background=/nonexistent.png ! fakesink name=sink")
    var last: VideoSamples?
    try pipeline.watch("sink") { last = VideoSamples($0, .rgb, 48, 32) }
    #expect(throws: Pipeline.Failure.self) { try pipeline.run() }
    #expect(last == nil)
    pipeline.set("key", "background", red)
    try pipeline.run()
    #expect(isColor(last, [255, 0, 0]))
  }

  @Test func aWrongFileWhilePlayingIsAWarningAndTheLastGoodOneStays() throws {
    #expect(Registered.now)
    let folder = Folder()
    let red = try folder.made("red.png", png("red", 7, 5))
    let blue = try folder.made("blue.png", png("blue", 9, 9))
    let pipeline = try Pipeline(
      "videotestsrc name=source pattern=green num-buffers=30 ! video/x-raw,format=RGB,width=48,"
        + "height=32 ! chromakey name=key background=\(red) ! fakesink name=sink")
    var frames: [VideoSamples] = []
    var sent = 0
    // Loading takes a while on its own thread; frames are held back so that it can.
    try pipeline.watch("source", pad: "src") { [unowned pipeline] _ in
      if sent == 4 { pipeline.set("key", "background", "/nonexistent/sea.jpg") }
      if sent == 14 { pipeline.set("key", "background", blue) }
      if sent > 4 { usleep(30_000) }
      sent += 1
    }
    try pipeline.watch("sink") { frames.append(VideoSamples($0, .rgb, 48, 32)!) }
    try pipeline.run()
    #expect(pipeline.warnings.count == 1)
    #expect(pipeline.warnings.first?.contains("/nonexistent/sea.jpg") == true)
    #expect(frames.count == 30)
    for frame in [0, 4, 5, 12, 14] { #expect(isColor(frames[frame], [255, 0, 0]), "\(frame)") }
    #expect(isColor(frames[29], [0, 0, 255]))
  }
}
