import CGStreamer
import Pixels
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct StickerErrorTests {
  /// What the element says of `location` when it starts with it; nil when it plays.
  private func failure(_ location: String) -> Pipeline.Failure? {
    #expect(Registered.now)
    return Pipeline.failure(
      of: "videotestsrc num-buffers=2 ! video/x-raw,width=64,height=48"
        + " ! sticker location=\(location) ! fakesink")
  }

  @Test func aWrongPackFailsTheStateChangeAndNamesFileItemAndKey() throws {
    #expect(Registered.now)
    let folder = StickerFolder()
    try folder.pack(
      "\"type\": 0, \"anchor\": \"elbow\", \"scaleWidth\": \"wide\"")
    let pipeline = try Pipeline(
      "videotestsrc ! sticker location=\(folder.path) ! fakesink")
    #expect(pipeline.setState(GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE)
    pipeline.setState(GST_STATE_NULL)
    let error = try #require(failure(folder.path))
    for part in [folder.path + "/meta.json", "item 1 (frames)", "\"anchor\"", "elbow"] {
      #expect(error.description.contains(part), "\(error.description)")
    }
  }

  @Test func whatIsNowhereIsAnErrorThatNamesThePlaces() throws {
    let error = try #require(failure("no-such-pack"))
    #expect(error.description.contains("no-such-pack was not found"))
    #expect(error.detail.contains("/stickers/no-such-pack"))
    #expect(try #require(failure("/nonexistent")).description.contains("/nonexistent"))
  }

  @Test func packsThatComeAlongAreFoundByName() {
    for pack in StickerScene.packs { #expect(failure(pack) == nil) }
  }

  @Test func manifestsThatAreNoneAreRefused() throws {
    for text in ["", "{", "[]", "{\"version\": 3}", "{\"version\": 2, \"name\": \"x\"}", "\u{0}"] {
      let folder = StickerFolder()
      folder.write("meta.json", Array(text.utf8))
      let error = try #require(failure(folder.path))
      #expect(error.description.contains(folder.path + "/meta.json"))
    }
  }

  @Test func aPictureThatSaysItIsLargerThanAnyIsRefused() throws {
    // Signature and header of a PNG file of 2^32 - 1 by 2^32 - 1 pixels, and its end.
    let header: [UInt8] =
      [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [UInt8](repeating: 0xFF, count: 8) + [8, 6, 0, 0, 0, 0, 0, 0, 0]
    let end: [UInt8] = [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
    let folder = StickerFolder()
    try folder.pack("\"type\": 1, \"anchor\": \"top\", \"scaleWidth\": 1", colors: [0xFFFF_0000])
    let picture = try #require(
      try Command(["find", folder.path, "-name", "*.png"]).output.split(separator: "\n").first)
    folder.write(String(picture.dropFirst(folder.path.count + 1)), header + end)
    let error = try #require(failure(folder.path))
    #expect(error.description.contains(String(picture)), "\(error.description)")
  }

  @Test func aCorruptPictureInsideAPackIsNamed() throws {
    let fields = "\"type\": 1, \"anchor\": \"top\", \"scaleWidth\": 1"
    for (name, damage) in [("text", 0), ("cut", 40), ("half", 60)] {
      let folder = StickerFolder()
      try folder.pack(fields, colors: [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF])
      var data: UnsafeMutablePointer<gchar>?
      var size: gsize = 0
      #expect(g_file_get_contents(folder.path + "/frames/1.png", &data, &size, nil) != 0)
      defer { g_free(data) }
      let bytes = UnsafeRawBufferPointer(start: data, count: Int(size))
      folder.write(
        "frames/1.png", damage == 0 ? Array("no picture".utf8) : Array(bytes.prefix(damage)))
      let error = try #require(failure(folder.path), "\(name)")
      #expect(error.description.contains("/frames/1.png"), "\(name): \(error.description)")
    }
  }

  /// The bytes of a PNG file that says it is so large, and holds nothing.
  private func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
    var body = Array("IHDR".utf8)
    for (side, shift) in product([width, height], [24, 16, 8, 0]) {
      body.append(UInt8(side >> UInt32(shift) & 255))
    }
    body += [1, 0, 0, 0, 0]
    var crc = UInt32.max
    for byte in body {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 != 0 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    let check = [24, 16, 8, 0].map { UInt8(~crc >> UInt32($0) & 255) }
    return [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13] + body + check
  }

  @Test(arguments: [(60_000, 60_000), (16_384, 16_384), (1_000_000, 1)])
  func enormousPicturesAreRefused(width: UInt32, height: UInt32) throws {
    let folder = StickerFolder()
    try folder.pack("\"type\": 1, \"anchor\": \"top\", \"scaleWidth\": 1")
    folder.write("frames/0.png", png(width, height))
    let error = try #require(failure(folder.path))
    #expect(error.description.contains("/frames/0.png"))
    folder.write("alone.png", png(width, height))
    let other = try #require(failure(folder.path + "/alone.png"))
    #expect(other.description.contains("/alone.png"))
  }

  @Test func theElementWorksAgainAfterARefusedPack() throws {
    #expect(Registered.now)
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=2 ! video/x-raw,width=64,height=64"
        + " ! sticker name=s location=/nonexistent ! fakesink")
    #expect(throws: Pipeline.Failure.self) { try pipeline.run() }
    pipeline.set("s", "location", StickerScene.pack("hat"))
    try pipeline.run()
  }

  @Test func aHundredFramesWithoutAWordAboutFacesAreOneWarning() throws {
    #expect(Registered.now)
    let frames = "videotestsrc num-buffers=350 ! video/x-raw,width=64,height=48"
    let wear = " ! sticker location=\(StickerScene.pack("hat")) ! fakesink"
    let pipeline = try Pipeline(frames + wear)
    try pipeline.run()
    #expect(pipeline.warnings.count == 1)
    #expect(pipeline.warnings.first?.contains("facedetect") == true)
    let told = try Pipeline(StickerScene.blank(count: 120) + wear)
    try told.run()
    #expect(told.warnings.isEmpty)
  }
}
