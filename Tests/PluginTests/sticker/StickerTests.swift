import CGStreamer
import Faces
import Pixels
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct StickerTests {
  private static let sizes = [(1, 1), (161, 161), (127, 90)]

  @Test(arguments: PixelFormat.eightBit)
  func aStickerIsSeenInEveryFormatAndSize(format: PixelFormat) throws {
    let folder = StickerFolder()
    let picture = try folder.paint("red.png", 0xFFFF_0000)
    for (width, height) in Self.sizes {
      let source = StickerScene.photograph(
        format, width: width, height: height, detector: StickerScene.fast)
      let plain = try Registered.frames(source + " ! fakesink name=sink")
      let worn = try Registered.frames(
        source + " ! sticker location=\(picture) anchor=screen ! fakesink name=sink")
      // Padding at the ends of rows stays as it was; one picture in two sizes has one colour.
      #expect(plain[0].bytes.count == worn[0].bytes.count)
      #expect(worn[0].changes(from: plain[0]) > 0, "\(width)x\(height)")
      let onFace = try Registered.frames(
        source + " ! sticker location=\(picture) ! fakesink name=sink")
      let changes = onFace[0].changes(from: plain[0])
      #expect(width < 90 || changes > 20, "\(width)x\(height)")
      #expect(width < 90 || changes < plain[0].bytes.count / 3, "\(width)x\(height)")
    }
  }

  @Test func screenStickersHaveTheirColourInEveryFormat() throws {
    let folder = StickerFolder()
    let picture = try folder.paint("teal.png", 0xFF20_A090)
    for format in PixelFormat.eightBit where format != .gray8 {
      let frames = try Registered.frames(
        "videotestsrc num-buffers=1 ! video/x-raw,format=\(format.rawValue),width=33,height=35"
          + " ! sticker location=\(picture) anchor=screen scale=3 ! videoconvert"
          + " ! video/x-raw,format=RGBA ! fakesink name=sink")
      let middle = frames[0].bytes[(17 * 33 + 16) * 4..<(17 * 33 + 17) * 4].map(Int.init)
      for (value, wanted) in zip(middle, [0x20, 0xA0, 0x90, 0xFF]) {
        #expect(abs(value - wanted) <= 3, "\(format): \(middle)")
      }
    }
  }

  @Test(arguments: StickerScene.packs)
  func everyPackIsWorn(pack: String) throws {
    let source = StickerScene.photograph(.rgb, count: 4)
    let plain = try Registered.frames(source + " ! fakesink name=sink")
    let pipeline = try Pipeline(
      source + " ! sticker location=\(StickerScene.pack(pack)) ! fakesink name=sink")
    let worn = try pipeline.frames()
    #expect(worn.count == 4)
    #expect(worn[3].changes(from: plain[3]) > 300)
    #expect(pipeline.messages.count == 1 && pipeline.warnings.isEmpty)
    let message = try #require(pipeline.messages.first)
    #expect(message.hasPrefix("sticker, ") && message.contains("location=(string)"))
    #expect(message.contains("preview.png"))
  }

  private static let size = 512
  private static let source = StickerScene.photograph(.rgb, width: size, height: size)
  /// The photograph's bytes without a sticker, made once.
  private static let plain = Result {
    try Registered.frames(source + " ! fakesink name=sink")[0].bytes
  }

  /// Where a green sticker a quarter of the eyes' distance wide lies, in shares of the photograph.
  private func place(_ anchor: String, _ settings: String = "") throws -> Point? {
    let folder = StickerFolder()
    let picture = try folder.paint("spot.png", 0xFF00_FF00)
    let (size, plain) = (Self.size, try Self.plain.get())
    let worn = try Registered.frames(
      Self.source + " ! sticker location=\(picture) scale=0.1 anchor=\(anchor) \(settings)"
        + " ! fakesink name=sink")[0].bytes
    var (x, y, count) = (0.0, 0.0, 0.0)
    for index in 0..<size * size
    where (0..<3).contains(where: {
      plain[3 * index + $0] != worn[3 * index + $0]
    }) {
      x += Double(index % size)
      y += Double(index / size)
      count += 1
    }
    return count > 0 ? Point(x: x / count / Double(size), y: y / count / Double(size)) : nil
  }

  @Test func everyAnchorIsWhereItsNameSays() throws {
    var places: [String: Point] = [:]
    for anchor in [
      "head-top", "forehead", "eyes", "left-eye", "right-eye", "nose", "mouth", "chin",
      "left-cheek", "right-cheek", "face",
    ] { places[anchor] = try place(anchor) }
    func at(_ name: String) -> Point { places[name] ?? Point(x: 0, y: 0) }
    let column = ["head-top", "forehead", "eyes", "nose", "mouth", "chin"].map(at)
    for (upper, lower) in zip(column, column.dropFirst()) { #expect(upper.y < lower.y) }
    for (name, known) in [("left-eye", KnownFace.leftEye), ("right-eye", KnownFace.rightEye)] {
      #expect((at(name) - known).length < 0.012, "\(name)")
    }
    for name in ["left-eye", "left-cheek"] { #expect(at(name).x < at("nose").x - 0.02) }
    for name in ["right-eye", "right-cheek"] { #expect(at(name).x > at("nose").x + 0.02) }
    let face = KnownFace.box
    #expect(at("face").x > face.x && at("face").x < face.x + face.width)
  }

  @Test func offsetsMoveRightAndUpInEyeDistances() throws {
    let eyes = (KnownFace.rightEye - KnownFace.leftEye).length
    let start = try #require(try place("nose"))
    let right = try #require(try place("nose", "offset-x=1"))
    let up = try #require(try place("nose", "offset-y=0.5"))
    #expect(abs((right - start).length - eyes) < 0.12 * eyes && right.x > start.x)
    #expect(abs((up - start).length - eyes / 2) < 0.12 * eyes && up.y < start.y)
  }

  @Test func aFrameWithoutAFacePassesInTheSameMemory() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      StickerScene.blank(count: 5) + " ! identity name=in"
        + " ! sticker location=\(StickerScene.pack("halo")) ! fakesink name=sink")
    var before: [CapturedFrame] = []
    try pipeline.watch("in") { before.append(CapturedFrame($0)) }
    let after = try pipeline.frames()
    #expect(before.map(\.address) == after.map(\.address))
    #expect(before.map(\.bytes) == after.map(\.bytes) && after.count == 5)
  }

  @Test func aFrameThatOthersHoldTooIsCopied() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      StickerScene.photograph(count: 3) + " ! tee name=t ! queue ! fakesink name=other"
        + " t. ! queue ! sticker location=\(StickerScene.pack("glasses")) ! fakesink name=sink")
    var before: [CapturedFrame] = []
    try pipeline.watch("other") { before.append(CapturedFrame($0)) }
    let after = try pipeline.frames()
    #expect(before.count == 3 && after.count == 3)
    // The picture is frozen, so whatever one branch wrote into shared memory would stay.
    #expect(Set(before.map(\.bytes)).count == 1)
    for (a, b) in zip(before, after) { #expect(a.bytes != b.bytes && b.faces.count == 1) }
  }

  @Test func twoStickersInARowAreEachAsTheyAreAlone() throws {
    let source = StickerScene.photograph(.rgb, count: 2)
    func worn(_ elements: String) throws -> [UInt8] {
      try Registered.frames(source + elements + " ! fakesink name=sink")[1].bytes
    }
    let glasses = " ! sticker location=\(StickerScene.pack("glasses"))"
    let moustache = " ! sticker location=\(StickerScene.pack("moustache"))"
    let plain = try worn("")
    let (one, other) = (try worn(glasses), try worn(moustache))
    let both = try worn(glasses + moustache)
    // They do not touch each other: what one leaves alone is as the other has it, but for the light on the
    // moustache, which is measured on the face with glasses.
    var counts = (one: 0, other: 0)
    for i in plain.indices {
      if one[i] != plain[i] { counts.one += 1 }
      if other[i] != plain[i] { counts.other += 1 }
      let expected = one[i] != plain[i] ? one[i] : other[i]
      #expect(abs(Int(both[i]) - Int(expected)) <= 3)
    }
    #expect(counts.one > 1000 && counts.other > 300)
  }

  @Test func theLastOfTwoStickersInOnePlaceIsOnTop() throws {
    let folder = StickerFolder()
    let red = try folder.paint("red.png", 0xFFFF_0000)
    let blue = try folder.paint("blue.png", 0xFF00_00FF)
    let frames = try Registered.frames(
      StickerScene.photograph(.rgb, width: 64, height: 64)
        + " ! sticker location=\(red) anchor=screen ! sticker location=\(blue) anchor=eyes"
        + " ! sticker location=\(red) anchor=chin scale=0.2 ! fakesink name=sink")
    let bytes = frames[0].bytes
    let colors = stride(from: 0, to: bytes.count, by: 3).map { Array(bytes[$0..<$0 + 3]) }
    let reds = colors.count { $0 == [255, 0, 0] }
    let blues = colors.count { $0 == [0, 0, 255] }
    #expect(reds > 3000 && blues > 100 && reds + blues > colors.count * 9 / 10)
  }

  @Test func presetsAreListedAndLoad() throws {
    #expect(Registered.now)
    try Pipeline.presets(of: "sticker") { element, names in
      #expect(names == ["angel", "border", "faint", "largest face", "upright", "whole frame"])
      for (name, property, value) in [
        ("angel", "location", "halo"), ("border", "location", "frame"), ("faint", "alpha", "0.5"),
        ("largest face", "faces", "largest"), ("upright", "rotate", "false"),
        ("whole frame", "anchor", "screen"),
      ] {
        #expect(gst_preset_load_preset(OpaquePointer(element), name) != 0)
        #expect(Pipeline.value(element, property) == value)
      }
    }
  }

  @Test func bareRectanglesOfAnyDetectorAreEnough() throws {
    #expect(Registered.now)
    // Cropping drops our own metadata; the regions of interest stay away too, so this is a face
    // that only a rectangle tells of.
    let pipeline = try Pipeline(
      "videotestsrc pattern=black num-buffers=1 ! video/x-raw,format=GRAY8,width=64,height=64"
        + " ! identity name=in ! sticker location=\(StickerScene.pack("glasses"))"
        + " ! fakesink name=sink")
    var frame: CapturedFrame?
    try pipeline.watch("in") { buffer in
      gst_buffer_add_video_region_of_interest_meta(buffer, "face", 16, 16, 32, 32)
    }
    try pipeline.watch("sink") { frame = CapturedFrame($0) }
    try pipeline.run()
    #expect(Set(try #require(frame).bytes).count > 3)
  }
}
