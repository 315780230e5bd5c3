import CGStreamer
import Faces
import Pixels
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.timeLimit(.minutes(20))) struct StickerChangeTests {
  /// Frames of grey until `end` is called, at most `count`; `change` is called before frame `index`,
  /// `look` with the middle of every frame that comes out.
  private func run(
    _ sticker: String, count: Int = 20_000, slow: Bool = true,
    change: @escaping (_ pipeline: Pipeline, _ index: Int) -> Void = { _, _ in },
    look: @escaping (_ pipeline: Pipeline, _ color: [UInt8]) -> Void = { _, _ in },
    warned: @escaping (_ pipeline: Pipeline) -> Void = { _ in }
  ) throws -> (colors: [[UInt8]], pipeline: Pipeline) {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      StickerScene.blank(.rgb, count: count) + " ! identity name=in sleep-time=\(slow ? 1000 : 0)"
        + " ! sticker name=s \(sticker) ! fakesink name=sink")
    var colors: [[UInt8]] = []
    var index = 0
    try pipeline.watch("in") { [unowned pipeline] _ in
      change(pipeline, index)
      index += 1
    }
    try pipeline.watch("sink") { [unowned pipeline] in
      colors.append(Array(CapturedFrame($0).bytes[(24 * 64 + 32) * 3..<(24 * 64 + 33) * 3]))
      look(pipeline, colors[colors.count - 1])
    }
    pipeline.onWarning = { [unowned pipeline] _ in warned(pipeline) }
    try pipeline.run()
    return (colors, pipeline)
  }

  private static let red: [UInt8] = [255, 0, 0]
  private static let blue: [UInt8] = [0, 0, 255]
  private static let gray: [UInt8] = [128, 128, 128]

  @Test func aNewLocationIsPutOnWithoutAFrameBetween() throws {
    let folder = StickerFolder()
    let red = try folder.paint("red.png", 0xFFFF_0000)
    let blue = try folder.paint("blue.png", 0xFF00_00FF)
    var blues = 0
    let (colors, pipeline) = try run("anchor=screen location=\(red)") { pipeline, index in
      if index == 20 { pipeline.set("s", "location", blue) }
    } look: { pipeline, color in
      blues += color == Self.blue ? 1 : 0
      if blues == 10 { pipeline.end() }
    }
    let change = try #require(colors.firstIndex(of: Self.blue))
    #expect(change >= 20)
    #expect(colors[..<change].allSatisfy { $0 == Self.red })
    #expect(colors[change...].allSatisfy { $0 == Self.blue })
    #expect(pipeline.messages.count == 2 && pipeline.warnings.isEmpty)
  }

  @Test func aWrongLocationIsAWarningAndTheLastGoodOneStays() throws {
    let folder = StickerFolder()
    let red = try folder.paint("red.png", 0xFFFF_0000)
    folder.write("broken.png", Array("this is no picture".utf8))
    for wrong in ["/nonexistent/pack", folder.path + "/broken.png"] {
      let (colors, pipeline) = try run("anchor=screen location=\(red)") { pipeline, index in
        if index == 10 { pipeline.set("s", "location", wrong) }
      } warned: {
        $0.end()
      }
      #expect(colors.count > 10 && colors.allSatisfy { $0 == Self.red })
      #expect(pipeline.warnings.count == 1)
      #expect(pipeline.warnings.first?.contains(wrong) == true)
      #expect(pipeline.messages.count == 1)
    }
  }

  @Test func aFirstLocationMayComeWhilePlayingAndBeWrong() throws {
    let folder = StickerFolder()
    let red = try folder.paint("red.png", 0xFFFF_0000)
    var reds = 0
    let (colors, pipeline) = try run("anchor=screen") { pipeline, index in
      if index == 5 { pipeline.set("s", "location", "/nonexistent") }
    } look: { pipeline, color in
      reds += color == Self.red ? 1 : 0
      if reds == 10 { pipeline.set("s", "location", "") }
      if reds >= 10 && color == Self.gray { pipeline.end() }
    } warned: {
      $0.set("s", "location", red)
    }
    let first = try #require(colors.firstIndex(of: Self.red))
    let after = try #require(colors[first...].firstIndex(of: Self.gray))
    #expect(first > 5 && colors[..<first].allSatisfy { $0 == Self.gray })
    #expect(colors[first..<after].allSatisfy { $0 == Self.red })
    #expect(colors[after...].allSatisfy { $0 == Self.gray })
    #expect(pipeline.warnings.count == 1)
  }

  @Test func lookSettingsActOnTheNextFrame() throws {
    let folder = StickerFolder()
    let red = try folder.paint("red.png", 0xFFFF_0000)
    let (colors, _) = try run(
      "anchor=screen location=\(red)", count: 50, slow: false
    ) { pipeline, index in
      switch index {
      case 10: pipeline.set("s", "alpha", "0")
      case 20: pipeline.set("s", "alpha", "0.5")
      case 30: pipeline.set("s", "offset-x", "2")
      case 40: pipeline.set("s", "anchor", "eyes")
      default: break
      }
    }
    #expect(colors[..<10].allSatisfy { $0 == Self.red })
    #expect(colors[10..<20].allSatisfy { $0 == Self.gray })
    #expect(colors[20..<30].allSatisfy { abs(Int($0[0]) - 192) <= 1 && abs(Int($0[2]) - 64) <= 1 })
    #expect(colors[30...].allSatisfy { $0 == Self.gray })
  }

  @Test func otherColoursInMidStreamMakeTheSpritesAnew() throws {
    #expect(Registered.now)
    let folder = StickerFolder()
    let picture = try folder.paint("teal.png", 0xFF20_A090)
    func part(_ caps: String) -> String {
      " videotestsrc num-buffers=3 ! video/x-raw,width=64,height=48,\(caps) ! c."
    }
    let pipeline = try Pipeline(
      "concat name=c ! sticker anchor=screen location=\(picture) ! videoconvert"
        + " ! video/x-raw,format=RGB,width=64,height=48 ! fakesink name=sink"
        + part("format=I420,colorimetry=bt601") + part("format=RGB")
        + part("format=NV12,colorimetry=bt709") + part("format=UYVY,colorimetry=bt601")
        + part("format=BGRx"))
    let frames = try pipeline.frames()
    #expect(frames.count == 15)
    for frame in frames {
      let middle = frame.bytes[(24 * 64 + 32) * 3..<(24 * 64 + 33) * 3].map(Int.init)
      for (value, wanted) in zip(middle, [0x20, 0xA0, 0x90]) {
        // Codes of another matrix would be 9 or more away.
        #expect(abs(value - wanted) <= 5, "\(middle)")
      }
    }
    #expect(pipeline.messages.count == 1)
  }

  @Test func aPictureThatIsGoneWhenTheColoursChangeIsAWarningAndFramesPass() throws {
    #expect(Registered.now)
    let folder = StickerFolder()
    let picture = try folder.paint("teal.png", 0xFF20_A090)
    func part(_ format: String) -> String {
      " videotestsrc num-buffers=5 ! video/x-raw,width=64,height=48,format=\(format) ! c."
    }
    let pipeline = try Pipeline(
      "concat name=c ! sticker anchor=screen location=\(picture) ! fakesink name=sink"
        + part("RGB") + part("NV12"))
    var frames = 0
    try pipeline.watch("sink") { _ in
      if frames == 0 { unlink(picture) }
      frames += 1
    }
    try pipeline.run()
    #expect(frames == 10)
    // The other one is that no detector is there.
    #expect(pipeline.warnings.count == 2 && pipeline.warnings[0].contains(picture))
  }

  @Test func propertiesMayChangeOnAnyThreadWhileFramesPass() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      StickerScene.photograph(.nv12, width: 160, height: 120, count: 250)
        + " ! identity sleep-time=1000 ! sticker name=s ! fakesink")
    var random = SplitMix(5)
    let packs = StickerScene.packs.map(StickerScene.pack) + ["", "/nonexistent", Photograph.path]
    try pipeline.play(changing: "s", rounds: 300, pause: 500, &random) { _, random in
      [
        ("location", packs.randomElement(using: &random)!),
        ("anchor", "\(Int.random(in: 0..<12, using: &random))"),
        ("scale", "\(Double.random(in: 0.01...20, using: &random))"),
        ("offset-x", "\(Double.random(in: -10...10, using: &random))"),
        ("offset-y", "\(Double.random(in: -10...10, using: &random))"),
        ("alpha", "\(Double.random(in: 0...1, using: &random))"),
        ("rotate", "\(Bool.random(using: &random))"),
        ("faces", ["all", "largest"].randomElement(using: &random)!),
      ]
    }
  }

  @Test func roundsThroughTheStatesEndWhereTheyBegan() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc ! video/x-raw,width=64,height=64"
        + " ! sticker name=s location=\(StickerScene.pack("glasses")) ! fakesink")
    let failures = pipeline.countFailedStateChanges(rounds: 15) { round in
      if round % 3 == 0 { pipeline.set("s", "location", StickerScene.pack("hat")) }
    }
    #expect(failures == 0)
  }

  @Test func anotherAnchorDoesNotStartAnAnimatedPictureAnew() throws {
    #expect(Registered.now)
    let folder = StickerFolder()
    let film = try folder.film()
    let pipeline = try Pipeline(
      StickerScene.photograph(.rgb, width: 64, height: 64, count: 40)
        + " ! identity name=in ! sticker name=s location=\(film) anchor=screen scale=20"
        + " ! fakesink name=sink")
    var index = 0
    try pipeline.watch("in") { [unowned pipeline] _ in
      let anchors = [7: "face", 13: "eyes", 26: "screen", 33: "nose"]
      if let anchor = anchors[index] { pipeline.set("s", "anchor", anchor) }
      index += 1
    }
    var reds: [Bool] = []
    try pipeline.watch("sink") { buffer in
      let bytes = CapturedFrame(buffer).bytes
      reds.append(bytes[(32 * 64 + 32) * 3] > 128 && bytes[(32 * 64 + 32) * 3 + 2] < 128)
    }
    try pipeline.run()
    // Red for a second, blue for a second.
    #expect(reds == (0..<40).map { $0 % 20 < 10 })
  }
}
