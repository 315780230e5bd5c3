import CGStreamer
import Client
import Elements
import Pixels
import Support
import Testing

/// `mienlook`, compared with the chains of elements that it stands for.
@Suite(.timeLimit(.minutes(20))) struct MienLookTests {
  private static let picture = Photograph.path

  private static func photograph(_ format: PixelFormat = .i420, count: Int = 3) -> String {
    Registered.photograph(format, width: 320, height: 240, count: count)
  }

  private static func frames(
    _ elements: String, _ format: PixelFormat = .i420, count: Int = 3
  ) throws -> [[UInt8]] {
    try Registered.frames(
      "\(photograph(format, count: count)) ! \(elements) ! fakesink name=sink"
    ).map(\.bytes)
  }

  /// The properties and the chain of elements of the same effect.
  static let chains = [
    ("sticker=halo", "facedetect ! sticker location=halo"),
    ("sticker=\(picture)", "facedetect ! sticker location=\(picture)"),
    ("retouch=0.7", "facedetect ! beautifymask intensity=0.7"),
    ("look=noir", "photoeffect look=noir"),
    (
      "cube=\(Photograph.root)/Tests/Fuzz/corpus/cubes/warm.cube look=noir",
      "photoeffect cube=\(Photograph.root)/Tests/Fuzz/corpus/cubes/warm.cube"
    ),
    ("key=#20a0ff", "chromakey background-color=0xff20a0ff"),
    ("key=\(picture)", "chromakey background=\(picture)"),
    ("person=blur", "facedetect ! personkey blur=4"),
    ("person=blur=9", "facedetect ! personkey blur=9"),
    ("person=#000000", "facedetect ! personkey background-color=0xff000000"),
    ("person=alpha", "facedetect ! personkey"),
    ("person=office", "facedetect ! personkey background=office"),
    (
      "hide=blur",
      "facedetect min-confidence=0.4 max-faces=64 detect-interval=1 tiles=3x3 smoothing=0"
        + " ! facehide mode=blur"
    ),
    (
      "sticker=hat look=sepia retouch=1 person=blur n-threads=2",
      "facedetect ! personkey blur=4 ! beautifymask intensity=1 ! photoeffect look=sepia"
        + " ! sticker location=hat"
    ),
  ]

  @Test(arguments: chains)
  func eachPropertyGivesTheFramesOfItsElements(properties: String, chain: String) throws {
    #expect(Registered.now)
    let source =
      properties.hasPrefix("key")
      ? "videotestsrc num-buffers=3 pattern=green ! video/x-raw,format=I420" : Self.photograph()
    func frames(_ elements: String) throws -> [[UInt8]] {
      try Pipeline("\(source) ! \(elements) ! fakesink name=sink").frames().map(\.bytes)
    }
    let look = try frames("mienlook \(properties)")
    let (isPlain, isChanged) = (try frames(chain) == look, try frames("identity") != look)
    #expect(look.count == 3 && isPlain && isChanged)
  }

  @Test func eachReshapingIsThePresetOfFaceReshape() throws {
    #expect(Registered.now)
    let names = try Pipeline.presets(of: "facereshape") { $1 }
    #expect(names.count == 7)
    for name in names {
      let plain = try Pipeline(
        "\(Self.photograph()) ! facedetect ! facereshape name=r ! fakesink name=sink")
      let reshaper = try #require(plain.element("r"))
      defer { gst_object_unref(reshaper) }
      #expect(Element(reshaper).loadPreset(name))
      let expected = try plain.frames().map(\.bytes)
      #expect(try Self.frames("mienlook reshape=\(name)") == expected, "\(name)")
    }
  }

  @Test(arguments: PixelFormat.allCases)
  func withoutEffectsFramesPassWithTheirMemory(format: PixelFormat) throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=3 ! video/x-raw,format=\(format.rawValue),width=33,height=17"
        + " ! mienlook name=l ! fakesink name=sink")
    var before: [UInt] = []
    try pipeline.watch("l") { before.append(CapturedFrame($0).address) }
    let after = try pipeline.frames().map(\.address)
    #expect(after.count == 3 && before == after)
  }

  @Test(arguments: PixelFormat.eightBit)
  func everyFormatAndSizeIsTaken(format: PixelFormat) throws {
    for (width, height) in [(1, 1), (3, 5), (17, 1), (161, 121)] {
      let frames = try Registered.frames(
        "videotestsrc num-buffers=2 ! video/x-raw,format=\(format.rawValue),width=\(width),height=\(height)"
          + " ! mienlook look=noir retouch=1 reshape=doll hide=mosaic ! fakesink name=sink")
      #expect(frames.count == 2, "\(width)x\(height)")
    }
  }

  // MARK: Controllers and editors

  @Test func retouchingIsFadedInByAController() throws {
    #expect(Registered.now)
    let run = try Command(
      [
        "/usr/bin/python3", "-c",
        """
        import gi
        gi.require_version("Gst", "1.0")
        gi.require_version("GstController", "1.0")
        from gi.repository import Gst, GstController
        Gst.init(None)
        pipeline = Gst.parse_launch("\(Self.photograph(count: 20)),framerate=10/1 ! mienlook name=l"
                                    " ! fakesink name=sink signal-handoffs=true")
        look = pipeline.get_by_name("l")
        source = GstController.InterpolationControlSource()
        source.set_property("mode", GstController.InterpolationMode.LINEAR)
        look.add_control_binding(GstController.DirectControlBinding.new(look, "retouch", source))
        source.set(0, 0)
        source.set(Gst.SECOND, 1)
        frames = []
        def see(_sink, buffer, _pad):
            frames.append(buffer.extract_dup(0, buffer.get_size()))
        pipeline.get_by_name("sink").connect("handoff", see)
        pipeline.set_state(Gst.State.PLAYING)
        message = pipeline.get_bus().timed_pop_filtered(
            60 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
        assert message.type == Gst.MessageType.EOS, message.parse_error()
        pipeline.set_state(Gst.State.NULL)
        change = [sum(abs(a - b) for a, b in zip(frame, frames[0])) for frame in frames]
        print(len(frames), 0 < change[3] < change[6] < change[10], change[15] < 1.1 * change[11], change)
        """,
      ], environment: Command.pluginEnvironment())
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("20 True True "), "\(run.output)\(run.errors)")
  }

  @Test func anEditorRendersAClipWithIt() throws {
    let scratch = ScratchFolder()
    let film = scratch.path + "/film.webm", out = scratch.path + "/out.webm"
    let made = try Command(
      [
        "gst-launch-1.0", "-q", "videotestsrc", "num-buffers=10", "!",
        "video/x-raw,width=64,height=48", "!",
        "vp8enc", "!", "webmmux", "!", "filesink", "location=\(film)",
      ])
    #expect(made.status == 0, "\(made.errors)")
    let run = try Command(
      [
        "ges-launch-1.0", "+clip", film, "+effect", "mienlook look=mono", "-o", out,
        "--format=video/webm:video/x-vp8",
      ], environment: Command.pluginEnvironment())
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let frames = try Pipeline(
      "filesrc location=\(out) ! decodebin ! videoconvert ! video/x-raw,format=AYUV ! fakesink name=sink"
    ).frames()
    #expect(frames.count >= 9)
    for frame in frames {
      let chroma = stride(from: 0, to: frame.bytes.count, by: 4).flatMap {
        [frame.bytes[$0 + 2], frame.bytes[$0 + 3]]
      }
      #expect(chroma.allSatisfy { (122...134).contains($0) }, "it is not grey")
    }
  }
}
