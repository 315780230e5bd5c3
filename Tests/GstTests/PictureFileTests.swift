import CGStreamer
import Decoding
import Files
import Frames
import Pixels
import Support
import Testing
import Threads

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.timeLimit(.minutes(20))) struct PictureFileTests {
  init() { gst_init(nil, nil) }

  private func path(_ name: String) -> String {
    String(cString: g_get_tmp_dir()) + "/mien-\(getpid())-\(name)"
  }

  private func write(_ name: String, _ bytes: [UInt8]) -> String {
    let path = path(name)
    bytes.withUnsafeBytes { data in
      _ = g_file_set_contents(
        path, data.bindMemory(to: gchar.self).baseAddress, gssize(data.count), nil)
    }
    return path
  }

  private func message(_ path: String) -> String? {
    do {
      _ = try PictureFile.decode(PictureFile.open(FilePath(path)))
      return nil
    } catch {
      return error.message
    }
  }

  @Test func aPhotographIsDecodedWhole() throws {
    let frames = try PictureFile.decode(PictureFile.open(FilePath(Photograph.path)))
    let frame = try #require(frames.first)
    #expect(frames.count == 1 && frame.picture.width == 512 && frame.picture.height == 512)
    frame.picture.withPicture { picture in
      let row = picture.plane(0).row(128)
      #expect((0..<4).map { row[224 * 4 + $0] } == [233, 193, 175, 255])
    }
  }

  @Test func aDecoderThatRestsAndSaysNothingIsGivenUpWithinTwoSeconds() throws {
    try #require(RestingDecoder.isRegistered)
    let film = write("resting", RestingDecoder.magic + [UInt8](repeating: 7, count: 60_000))
    defer { unlink(film) }
    let start = ContinuousClock.now
    let said = try #require(message(film))
    #expect(said.contains("its decoder has stalled"), "\(said)")
    // A busy machine is slower, and an emulated one took ten seconds; without a limit it never ended.
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  /// What reads behind the tag pulls, and no event comes with that.
  ///
  /// Warnings end the tests.
  @Test func soundBehindATagIsRefusedInOneSentence() throws {
    // ID3v2.3 of ten bytes, all of them padding.
    let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 10] + [UInt8](repeating: 0, count: 10)
    let wave = path("sound.wav")
    defer { unlink(wave) }
    try Pipeline("audiotestsrc num-buffers=20 ! wavenc ! filesink location=\(wave)").run()
    let tagged = write("tagged.mp3", tag + ScratchFolder.bytes(wave))
    defer { unlink(tagged) }
    #expect(try #require(message(tagged)).contains("cannot be decoded"))
  }

  @Test func aFilmGivesAsManyFramesAsAreAskedFor() throws {
    let film = path("film.avi")
    defer { unlink(film) }
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=12 ! video/x-raw,width=32,height=16,framerate=10/1 ! jpegenc"
        + " ! avimux ! filesink location=\(film)")
    try pipeline.run()
    let all = try PictureFile.decode(PictureFile.open(FilePath(film)), limits: .init(frames: 100))
    #expect(all.count == 12)
    #expect(all[3].time == 300_000_000)
    #expect(
      try PictureFile.decode(PictureFile.open(FilePath(film)), limits: .init(frames: 5)).count == 5
    )
  }

  /// A Matroska file of three pictures that all come first and last longer than time does.
  @Test func timesThatNoClockHoldsAreTakenAsFarAsTheyGo() throws {
    let picture = path("picture.jpg")
    defer { unlink(picture) }
    try Pipeline(
      "videotestsrc num-buffers=1 ! video/x-raw,width=16,height=16 ! jpegenc"
        + " ! filesink location=\(picture)"
    ).run()
    func element(_ id: [UInt8], _ bodies: [[UInt8]]) -> [UInt8] {
      let body: [UInt8] = bodies.flatMap { $0 }
      let size: [UInt8] = [24, 16, 8, 0].map { UInt8(body.count >> $0 & 255) }
      return id + [0x08] + size + body
    }
    let block = element([0xA1], [[0x81, 0, 0, 0], ScratchFolder.bytes(picture)])
    let long = element([0x9B], [[0xC0, 0, 0, 0, 0, 0, 0, 0]])
    let size = [element([0xB0], [[16]]), element([0xBA], [[16]])]
    let track = [
      element([0xD7], [[1]]), element([0x73, 0xC5], [[1]]), element([0x83], [[1]]),
      element([0x86], [Array("V_MJPEG".utf8)]), element([0xE0], size),
    ]
    let film = write(
      "times.mkv",
      element([0x1A, 0x45, 0xDF, 0xA3], [element([0x42, 0x82], [Array("matroska".utf8)])])
        + element(
          [0x18, 0x53, 0x80, 0x67],
          [
            element([0x15, 0x49, 0xA9, 0x66], [element([0x2A, 0xD7, 0xB1], [[1]])]),
            element([0x16, 0x54, 0xAE, 0x6B], [element([0xAE], track)]),
            element(
              [0x1F, 0x43, 0xB6, 0x75],
              [element([0xE7], [[0]])]
                + [[UInt8]](repeating: element([0xA0], [block, long]), count: 3)),
          ]))
    defer { unlink(film) }
    let frames = try PictureFile.decode(
      PictureFile.open(FilePath(film)), limits: .init(frames: 100))
    #expect(
      frames.map(\.time)
        == (GStreamerHabits.refusesLongBlocks ? [0, 0, 0] : [0, 0xC000_0000_0000_0000, .max]))
  }

  @Test func whatIsNoPictureIsRefusedByNameAndReason() {
    let missing = message("/nonexistent.png")
    #expect(missing == "/nonexistent.png cannot be opened: No such file or directory.")
    let folder = message("/tmp")
    #expect(folder == "/tmp is a folder, not a picture.")
    let text = write("text.png", Array("this is no picture".utf8))
    let empty = write("empty.png", [])
    defer {
      unlink(text)
      unlink(empty)
    }
    for path in [text, empty] {
      let refusal = message(path) ?? ""
      #expect(refusal.hasPrefix("\(path) ") && refusal.count > path.count + 15)
    }
  }

  @Test func animationsEndWhereTheirFilesDo() throws {
    let bytes = PictureBytes.animation(
      [(255, 0, 0), (0, 255, 0), (0, 0, 255)], width: 12, height: 9)
    let whole = write("whole.gif", bytes)
    let cut = write("cut.gif", Array(bytes.prefix(400)))
    defer {
      unlink(whole)
      unlink(cut)
    }
    let frames = try PictureFile.decode(
      PictureFile.open(FilePath(whole)), limits: .init(frames: 100))
    #expect(frames.map(\.time) == [0, 100_000_000, 200_000_000])
    let start = g_get_monotonic_time()
    let reasons =
      GStreamerHabits.noticesCutAnimations
      ? ["before end of stream", "Failed to send data"] : ["is truncated"]
    let message = message(cut) ?? ""
    #expect(reasons.contains(where: message.contains), "\(message)")
    // A reader that does not notice would be given a minute.
    #expect(g_get_monotonic_time() - start < 30_000_000)
  }

  @Test(arguments: [4, 6, 8, 10])
  func whatIsCutInAGIFsHeaderIsRefused(count: Int) {
    let bytes = PictureBytes.animation([(255, 0, 0)], width: 12, height: 0)
    let cut = write("header.gif", Array(bytes.prefix(count)))
    defer { unlink(cut) }
    #expect(message(cut) == "\(cut) cannot be decoded: its header is cut off, or it has no area.")
  }

  @Test func aMissingDecoderIsNamedWithWhereItIsHad() {
    // No plugin that Debian has decodes this kind.
    let path = write(
      "a.xcf", Array("gimp xcf v001\0\0\0\u{1}\0".utf8) + [UInt8](repeating: 0, count: 64))
    defer { unlink(path) }
    let refusal = message(path) ?? ""
    #expect(
      refusal.hasPrefix("\(path) cannot be decoded: GStreamer's XFC decoder is not installed."))
    #expect(refusal.contains("gstreamer1.0-libav"))
  }

  @Test func truncatedPicturesAreAnsweredEitherWay() throws {
    var data: UnsafeMutablePointer<gchar>?
    var size: gsize = 0
    #expect(g_file_get_contents(Photograph.path, &data, &size, nil) != 0)
    defer { g_free(data) }
    let bytes = data!.withMemoryRebound(to: UInt8.self, capacity: Int(size)) {
      Array(UnsafeBufferPointer(start: $0, count: Int(size)))
    }
    for count in [8, 33, 60, 1000, bytes.count / 2] {
      let path = write("cut\(count).png", Array(bytes.prefix(count)))
      defer { unlink(path) }
      if let message = message(path) { #expect(message.hasPrefix(path)) }
    }
  }

  @Test func aPlaylistThatCallsItselfAPictureIsNotFollowed() {
    let text =
      "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nhttp://127.0.0.1:9/secret.ts\n#EXT-X-ENDLIST\n"
    let path = write("film.webm", Array(text.utf8))
    defer { unlink(path) }
    let message = message(path)
    #expect(message?.contains("neither a picture nor a film, but application/x-hls") == true)
  }

  @Test func whatIsNotWantedAnyMoreOrTooLongAFileIsNotRead() throws {
    let order = CancellationToken()
    order.cancel()
    let error = #expect(throws: ElementError.self) {
      _ = try PictureFile.decode(PictureFile.open(FilePath(Photograph.path)), order: order)
    }
    #expect(error?.message.contains("was cancelled") == true)
    let late = #expect(throws: ElementError.self) {
      _ = try PictureFile.decode(
        PictureFile.open(FilePath(Photograph.path)), order: CancellationToken(limit: .seconds(-1)))
    }
    #expect(late?.message.contains("took longer") == true)
    let long = write("long.jpg", [0xFF, 0xD8, 0xFF, 0xE0])
    defer { unlink(long) }
    #expect(truncate(long, 300 << 20) == 0)
    #expect(message(long)?.contains("300 MB, at most 256") == true)
  }

  @Test func aPictureOverTheCeilingIsRefused() {
    var limits = PictureFile.Limits()
    limits.pixels = 100 * 100
    do {
      _ = try PictureFile.decode(PictureFile.open(FilePath(Photograph.path)), limits: limits)
      Issue.record("a picture of 512 x 512 passed a limits of 100 x 100")
    } catch {
      #expect(error.message.contains("too large: 512 x 512 pixels"))
    }
  }
}
