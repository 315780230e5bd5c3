import CGStreamer
import Pixels
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Background files: right ones, wrong ones, and ones that change while playing.
@Suite(.timeLimit(.minutes(20))) struct ChromaKeyBackgroundTests {
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

  @Test func picturesOfExtremeShapesAreTaken() throws {
    #expect(Registered.now)
    let folder = Folder()
    for (width, height) in [(1, 20_000), (1, 1), (4000, 3000)] {
      let frames = try play(try folder.made("a.png", png("red", width, height)))
      #expect(frames.count == 2 && isColor(frames.last, [255, 0, 0]), "\(width)x\(height)")
    }
    // As wide as GStreamer converts; and wider.
    let widest = PictureBytes.grey(200, width: 32767, height: 1)
    let frames = try play(folder.written("a.pgm", widest))
    #expect(frames.count == 2 && isColor(frames.last, [200, 200, 200]))
    for (width, height) in [(100_000, 1), (1, 100_000)] {
      let bytes = PictureBytes.grey(200, width: width, height: height)
      let path = folder.written("b.pgm", bytes)
      let said = failure(path)?.description ?? ""
      #expect(said.contains("\(path) is too large: \(width) x \(height) pixels"), "\(said)")
    }
  }

  @Test func ofWhatMovesTheFirstPictureIsTaken() throws {
    #expect(Registered.now)
    let folder = Folder()
    let film = try folder.made(
      "film.ogg",
      "videotestsrc pattern=blue num-buffers=10 ! video/x-raw,width=64,height=48"
        + " ! theoraenc ! oggmux")
    #expect(isColor(try play(film).last, [0, 0, 255], tolerance: 12))
    let animation = PictureBytes.animation(
      [(255, 0, 0), (0, 0, 255), (255, 255, 255)], width: 12, height: 9)
    let frames = try play(folder.written("moves.gif", animation))
    #expect(frames.count == 2 && frames.allSatisfy { isColor($0, [255, 0, 0]) })
  }

  @Test func truncatedPicturesAreShownAsFarAsTheyGoOrRefusedByName() throws {
    #expect(Registered.now)
    let folder = Folder()
    let kinds = [
      ("a.png", "pngenc"), ("a.jpg", "jpegenc"), ("a.webp", "webpenc"), ("a.ppm", "pnmenc"),
    ]
    var files = try kinds.map { name, encoder -> (String, [UInt8]) in
      let path = try folder.made(
        name,
        "videotestsrc num-buffers=1 pattern=snow ! video/x-raw,width=60,height=40 ! videoconvert"
          + " ! \(encoder)")
      return (name, ScratchFolder.bytes(path))
    }
    files.append(("a.gif", PictureBytes.animation([(255, 0, 0)], width: 12, height: 9)))
    for (name, bytes) in files {
      #expect(bytes.count > 100)
      for count in [1, 7, 20, bytes.count / 3, bytes.count / 2, bytes.count - 1] {
        let path = folder.written("cut-\(count)-\(name)", Array(bytes.prefix(count)))
        do {
          #expect(try play(path).count == 2)
        } catch let error as Pipeline.Failure {
          #expect(error.description.contains(path), "\(error.description)")
        }
      }
    }
  }

  @Test func aFileThatChangesOrGoesWhileItIsShownChangesNothing() throws {
    #expect(Registered.now)
    let folder = Folder()
    let red = try folder.made("red.png", png("red", 7, 5))
    let pipeline = try Pipeline(
      "videotestsrc name=source pattern=green num-buffers=12 ! video/x-raw,format=RGB,width=48,"
        + "height=32 ! chromakey name=key background=\(red) ! fakesink name=sink")
    var frames: [VideoSamples] = []
    var sent = 0
    try pipeline.watch("source", pad: "src") { [unowned pipeline] _ in
      if sent == 3 { _ = folder.written("red.png", Array("no picture any more".utf8)) }
      if sent == 6 { unlink(red) }
      // Asked for again, by the same name: there is nothing new to load.
      if sent == 9 { pipeline.set("key", "background", red) }
      sent += 1
    }
    try pipeline.watch("sink") { frames.append(VideoSamples($0, .rgb, 48, 32)!) }
    try pipeline.run()
    #expect(frames.count == 12 && frames.allSatisfy { isColor($0, [255, 0, 0]) })
    #expect(pipeline.warnings.isEmpty)
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
      "videotestsrc name=source pattern=green num-buffers=20000 ! video/x-raw,format=RGB,width=48,"
        + "height=32 ! identity sleep-time=1000 ! chromakey name=key background=\(red)"
        + " ! fakesink name=sink")
    var frames: [VideoSamples] = []
    var sent = 0
    try pipeline.watch("source", pad: "src") { [unowned pipeline] _ in
      if sent == 4 { pipeline.set("key", "background", "/nonexistent/sea.jpg") }
      sent += 1
    }
    pipeline.onWarning = { [unowned pipeline] _ in pipeline.set("key", "background", blue) }
    var blues = 0
    try pipeline.watch("sink") { [unowned pipeline] in
      frames.append(VideoSamples($0, .rgb, 48, 32)!)
      blues += self.isColor(frames.last, [0, 0, 255]) ? 1 : 0
      if blues == 5 { pipeline.end() }
    }
    try pipeline.run()
    #expect(pipeline.warnings.count == 1)
    #expect(pipeline.warnings.first?.contains("/nonexistent/sea.jpg") == true)
    let change = try #require(frames.firstIndex { isColor($0, [0, 0, 255]) })
    #expect(change > 4)
    #expect(frames[..<change].allSatisfy { isColor($0, [255, 0, 0]) })
    #expect(frames[change...].allSatisfy { isColor($0, [0, 0, 255]) })
  }
}
