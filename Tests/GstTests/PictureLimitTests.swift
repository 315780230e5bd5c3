import CGStreamer
import Decoding
import Files
import Frames
import Glibc
import Pixels
import Support
import Testing
import Threads

/// Files of a few bytes that would take all of the memory.
@Suite(.timeLimit(.minutes(20))) struct PictureLimitTests {
  /// The same little-endian or big-endian number in so many bytes.
  private static func number(_ value: Int, _ count: Int, big: Bool = false) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 255) }
    return big ? bytes.reversed() : bytes
  }

  /// A chunk of a PNG file, with the sum that ISO/IEC 15948 asks for.
  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    var sum: UInt32 = ~0
    for byte in body {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return number(data.count, 4, big: true) + body + number(Int(~sum), 4, big: true)
  }

  private static func png(_ width: Int, _ height: Int) -> [UInt8] {
    [137, 80, 78, 71, 13, 10, 26, 10]
      + chunk("IHDR", number(width, 4, big: true) + number(height, 4, big: true) + [8, 6, 0, 0, 0])
      + chunk("IDAT", [0x78, 0x9C, 0x63, 0, 0, 0, 1, 0, 1])
  }

  private static func bmp(_ width: Int, _ height: Int) -> [UInt8] {
    var bytes = Array("BM".utf8)
    for value in [1000, 0, 54, 40, width, height] { bytes += number(value, 4) }
    for value in [1, 24] { bytes += number(value, 2) }
    return bytes + [UInt8](repeating: 0, count: 24 + 200)
  }

  private static func gif(_ width: Int, _ height: Int) -> [UInt8] {
    var bytes = PictureBytes.animation([(255, 0, 0)], width: 12, height: 9)
    bytes.replaceSubrange(6..<10, with: number(width, 2) + number(height, 2))
    return bytes
  }

  private static func tiff(_ width: Int, _ height: Int) -> [UInt8] {
    let entries = [
      (256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, height),
      (279, 100),
    ]
    var bytes: [UInt8] = Array("II*".utf8) + [0]
    bytes += number(8, 4)
    bytes += number(entries.count, 2)
    for (tag, value) in entries {
      bytes += number(tag, 2)
      bytes += number(4, 2)
      bytes += number(1, 4)
      bytes += number(value, 4)
    }
    return bytes + [UInt8](repeating: 0, count: 104)
  }

  /// A picture of GStreamer's own whose size, where the encoder wrote it, is made another.
  private static func encoded(
    _ encoder: String, as size: [UInt8], by larger: [UInt8], _ folder: ScratchFolder
  ) throws -> [UInt8] {
    try Pipeline(
      "videotestsrc num-buffers=1 ! video/x-raw,format=I420,width=48,height=32 ! \(encoder)"
        + " ! filesink location=\(folder.path)/encoded"
    ).run()
    var bytes = ScratchFolder.bytes(folder.path + "/encoded")
    let at = try #require(
      bytes.indices.first { bytes[$0...].starts(with: size) }, "\(encoder) writes no such size")
    bytes.replaceSubrange(at..<at + size.count, with: larger)
    return bytes
  }

  /// A lossless WebP picture of one colour (RFC 9649, 3): no bit for any of its pixels.
  private static func webp(_ width: Int, _ height: Int) -> [UInt8] {
    var bits: [Int] = []
    func put(_ value: Int, _ count: Int) { bits += (0..<count).map { value >> $0 & 1 } }
    put(width - 1, 14)
    put(height - 1, 14)
    // No alpha, version 0; no transform, no cache, no further codes.
    put(0, 1 + 3 + 1 + 1 + 1)
    for _ in 0..<5 {
      // A simple code of one symbol, of eight bits.
      put(0b101, 3)
      put(0, 8)
    }
    var data: [UInt8] = [0x2F]
    for start in stride(from: 0, to: bits.count, by: 8) {
      let byte = bits[start..<min(start + 8, bits.count)].enumerated().reduce(0) {
        $0 | $1.element << $1.offset
      }
      data.append(UInt8(byte))
    }
    // Readers look ahead.
    data += [UInt8](repeating: 0, count: 17 - data.count % 2)
    data += data.count % 2 == 0 ? [] : [0]
    let chunk = Array("WEBPVP8L".utf8) + number(data.count, 4) + data
    return Array("RIFF".utf8) + number(chunk.count, 4) + chunk
  }

  private static func svg(_ size: String, _ content: String) -> [UInt8] {
    Array(
      ("<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\""
        + " \(size)>\(content)</svg>").utf8)
  }

  /// An image element that holds a picture.
  private static func image(_ bytes: [UInt8]) -> String {
    let coded = g_base64_encode(bytes, gsize(bytes.count))
    defer { g_free(coded) }
    return "<image width=\"9\" height=\"9\" xlink:href=\"data:image/png;base64,"
      + "\(coded.map { String(cString: $0) } ?? "")\"/>"
  }

  private static let filled = "<rect width=\"100%\" height=\"100%\" fill=\"#00f\"/>"

  private static func files(_ folder: ScratchFolder) throws -> [(String, [UInt8])] {
    return [
      ("a.png", png(20_000, 20_000)), ("a.bmp", bmp(30_000, 30_000)),
      ("empty.svg", svg("width=\"30000\" height=\"30000\"", "")),
      ("drawn.svg", svg("width=\"30000\" height=\"30000\"", filled)),
      (
        "bare.svg",
        Array("<svg width=\"30000\" height=\"30000\"><rect width=\"9\" height=\"9\"/></svg>".utf8)
      ),
      ("picture.svg", svg("width=\"9\" height=\"9\"", image(png(20_000, 20_000)))),
      ("flat.webp", webp(16_383, 16_383)),
      (
        "a.webm",
        try encoded(
          "vp8enc ! webmmux", as: [0x9D, 1, 0x2A, 48, 0, 32, 0],
          by: [0x9D, 1, 0x2A, 0xFF, 0x3F, 0xFF, 0x3F], folder)
      ),
      ("a.gif", gif(65_535, 65_535)), ("a.tif", tiff(30_000, 30_000)),
      ("a.pgm", Array("P5 30000 30000 255\n".utf8) + [UInt8](repeating: 9, count: 500)),
      (
        "a.jpg",
        try encoded("jpegenc", as: [0, 32, 0, 48, 3], by: [0x75, 0x30, 0x75, 0x30, 3], folder)
      ),
      (
        "a.webp",
        try encoded(
          "webpenc", as: [0x9D, 1, 0x2A, 48, 0, 32, 0],
          by: [0x9D, 1, 0x2A, 0xFF, 0x3F, 0xFF, 0x3F], folder)
      ),
    ]
  }

  /// Of this process since it was last asked, in kilobytes.
  private static func peak() -> Int {
    let line = ScratchFolder.bytes("/proc/self/status").split(separator: 10)
      .map { String(decoding: $0, as: UTF8.self) }.first { $0.hasPrefix("VmHWM:") }
    let kilobytes = line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    if let file = fopen("/proc/self/clear_refs", "w") {
      fputs("5", file)
      fclose(file)
    }
    return kilobytes
  }

  /// Decodes a file of that name, and returns what was said and how many kilobytes it took.
  private static func decode(
    _ path: String, frames: Int = 1, vectorSide: Int? = nil
  ) -> (said: String, kilobytes: Int) {
    _ = peak()
    let before = peak()
    var said = ""
    do throws(ElementError) {
      let file = try PictureFile.open(FilePath(path))
      let limits = PictureFile.Limits(frames: frames, vectorSide: vectorSide)
      // How long it takes is not asked here: the usual minute is too short where all is emulated.
      let order = CancellationToken(limit: .seconds(1200))
      _ = try PictureFile.decode(file, limits: limits, order: order)
    } catch { said = error.message }
    return (said, peak() - before)
  }

  @Test func whatIsTooLargeIsRefusedBeforeItTakesMemory() async {
    await #expect(processExitsWith: .success) {
      gst_init(nil, nil)
      GStreamerHabits.silenceRSVGWarnings()
      let folder = ScratchFolder()
      for (name, bytes) in try Self.files(folder) {
        let path = folder.write(name, bytes)
        // The first time brings the decoder's libraries in.
        _ = Self.decode(path)
        let (said, kilobytes) = Self.decode(path)
        #expect(said.hasPrefix(path), "\(name): \(said)")
        #expect(kilobytes < 100 << 10, "\(name) took \(kilobytes >> 10) MB: \(said)")
      }
    }
  }

  /// Each of these is drawn as large as it is wanted, or refused by name.
  @Test func aDocumentTakesLittleMemoryWhateverSizeItSaysItHas() async {
    await #expect(processExitsWith: .success) {
      gst_init(nil, nil)
      GStreamerHabits.silenceRSVGWarnings()
      let folder = ScratchFolder()
      let box = "viewBox=\"0 0 30000 30000\""
      let sizes = [
        "width=\"30000px\" height=\"30000px\"", "width=\"9000mm\" height=\"9000mm\"",
        "width=\"400in\" height=\"400in\"", "width=\"3000em\" height=\"3000em\"",
        "width=\"100%\" height=\"100%\" " + box, "width=\"3000000%\" height=\"3000000%\" " + box,
        "width=\"100%\" height=\"100%\"", box, "", "width=\"30000\"",
        "viewBox=\"0 0 1e30 1e30\"", "width=\"1e9\" height=\"1e9\"", "width=\"-5\" height=\"-9\"",
        "width=\"0\" height=\"0\"", "style=\"width:30000px;height:30000px\"",
      ]
      let nested = "<svg width=\"1e6\" height=\"1e6\">" + Self.filled + "</svg>"
      let documents =
        sizes.map { ($0, Self.svg($0, Self.filled)) } + [
          ("nested", Self.svg("width=\"30000\" height=\"30000\"", nested)),
          ("of its content's size", Self.svg("", "<rect width=\"30000\" height=\"30000\"/>")),
          (
            "two",
            Self.svg("width=\"9\" height=\"9\"", Self.filled)
              + Self.svg("width=\"30000\" height=\"30000\"", Self.filled)
          ),
          (
            "with a picture of the same name",
            Self.svg("", "<image xlink:href=\"a.png\"/>" + Self.filled)
          ),
        ]
      for (size, bytes) in documents {
        let path = folder.write("a.svg", bytes)
        _ = Self.decode(path, vectorSide: 200)
        let (said, kilobytes) = Self.decode(path, vectorSide: 200)
        #expect(said.isEmpty || said.hasPrefix(path), "\(size): \(said)")
        #expect(kilobytes < 100 << 10, "\(size) took \(kilobytes >> 10) MB: \(said)")
      }
    }
  }

  /// What compresses a document is followed no further.
  @Test func aCompressedDocumentIsRefused() throws {
    gst_init(nil, nil)
    let folder = ScratchFolder()
    let path = folder.write("a.svg", Self.svg("width=\"30000\" height=\"30000\"", Self.filled))
    _ = try Command(["gzip", path])
    let packed = folder.write("b.svgz", ScratchFolder.bytes(path + ".gz"))
    let (said, _) = Self.decode(packed, vectorSide: 200)
    #expect(said.contains("neither a picture nor a film, but application/x-gzip"), "\(said)")
  }

  @Test func aFilmOfTooManyFramesIsRefusedWithoutKeepingThem() async {
    await #expect(processExitsWith: .success) {
      let folder = ScratchFolder()
      let film = folder.path + "/long.avi"
      try Pipeline(
        "videotestsrc pattern=white num-buffers=90 ! video/x-raw,format=I420,width=1920,height=1080"
          + " ! jpegenc ! avimux ! filesink location=\(film)"
      ).run()
      let (said, kilobytes) = Self.decode(film, frames: 1000)
      #expect(said == "\(film) is too large: more than 512 MB of frames.")
      #expect(kilobytes < 100 << 10, "it took \(kilobytes >> 10) MB")
    }
  }

  @Test func aFilmThatIsNotKeptAtFirstIsDecodedAgain() throws {
    let folder = ScratchFolder()
    let film = folder.path + "/film.avi"
    try Pipeline(
      "videotestsrc num-buffers=70 ! video/x-raw,format=I420,width=640,height=480,framerate=10/1"
        + " ! jpegenc ! avimux ! filesink location=\(film)"
    ).run()
    let file = try PictureFile.open(FilePath(film))
    let frames = try PictureFile.decode(file, limits: .init(frames: 100))
    #expect(frames.map(\.time) == (0..<70).map { $0 * 100_000_000 })
    #expect(try PictureFile.decode(file, limits: .init(frames: 60)).count == 60)
  }

  @Test(arguments: [("10", "5", 200, 100), ("30000", "15000", 200, 100), ("1", "90000", 1, 200)])
  func whatIsDescribedIsDrawnAsLargeAsItIsWanted(
    width: String, height: String, drawnWidth: Int, drawnHeight: Int
  ) throws {
    gst_init(nil, nil)
    GStreamerHabits.silenceRSVGWarnings()
    let folder = ScratchFolder()
    let svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\">"
      + "<rect width=\"100%\" height=\"100%\" fill=\"#00f\"/></svg>"
    let file = try PictureFile.open(FilePath(folder.write("a.svg", Array(svg.utf8))))
    let picture = try PictureFile.decode(file, limits: .init(vectorSide: 200))[0].picture
    try #require(picture.width == drawnWidth && picture.height == drawnHeight)
    // One that is a five-hundredth of a pixel wide is not seen.
    if drawnWidth == 1 { return }
    picture.withPicture {
      let row = $0.plane(0).row(drawnHeight / 2)
      #expect((0..<4).map { row[4 * (drawnWidth / 2) + $0] } == [0, 0, 255, 255])
    }
  }
}
