import Support
import Testing

/// Files of a few bytes whose headers state huge or invalid sizes: each is refused quickly with one
/// line, before its decoder runs.
@Suite(.timeLimit(.minutes(20))) struct PictureHeaderTests {
  private let scratch = ScratchFolder()

  private static func big(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func png(_ width: Int, _ height: Int) -> [UInt8] {
    // The checksum is that of 60000 x 60000; with an invalid one pngparse would fail before the
    // decoder.
    let data: [UInt8] = [0x78, 0x9C, 0x63, 0x60, 0x18, 5, 0xA3, 0x80, 0, 0]
    let parts: [[UInt8]] = [
      [137, 80, 78, 71, 13, 10, 26, 10], big(13), Array("IHDR".utf8), big(width), big(height),
      [8, 2, 0, 0, 0], [0x0F, 0xB0, 0xE2, 0x15], big(data.count), Array("IDAT".utf8), data,
      big(0), big(0), Array("IEND".utf8), [0xAE, 0x42, 0x60, 0x82],
    ]
    return Array(parts.joined())
  }

  /// A grey JPEG with little more than a header.
  private static func jpeg(_ side: Int) -> [UInt8] {
    let size = Array(big(side)[2...])
    func table(_ kind: UInt8) -> [UInt8] {
      [0xFF, 0xC4, 0, 20, kind, 1] + [UInt8](repeating: 0, count: 16)
    }
    let parts: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0], Array(repeating: 1, count: 64),
      [0xFF, 0xC0, 0, 11, 8], size, size, [1, 1, 0x11, 0], table(0), table(0x10),
      [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0], Array(repeating: 0, count: 2000), [0xFF, 0xD9],
    ]
    return Array(parts.joined())
  }

  private static func svg(_ side: Int) -> [UInt8] {
    Array(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(side)\" height=\"\(side)\"><rect/></svg>"
        .utf8)
  }

  private static let files: [(name: String, bytes: [UInt8])] = [
    ("huge.png", png(60000, 60000)), ("long.png", png(1, 16385)), ("none.png", png(0, 5)),
    ("endless.png", png(0x7FFF_FFFF, 0x7FFF_FFFF)), ("huge.jpg", jpeg(65500)),
    ("large.jpg", jpeg(30000)), ("huge.ppm", Array("P6 60000 60000 255\n".utf8)),
    ("endless.pgm", Array("P5\n# so\n99999999999999999999 5\n255\n".utf8)),
    ("none.pbm", Array("P4 0 0\n0000000".utf8)), ("none.pgm", Array("P2\n0 0\n255\n0 0 0 0".utf8)),
    ("large.svg", svg(30000)), ("huge.svg", svg(60000)), ("none.svg", svg(0)),
    (
      "large.y4m",
      Array("YUV4MPEG2 W30000 H30000 F25:1 Ip A1:1 C420\nFRAME\n".utf8)
        + [UInt8](repeating: 0, count: 1000)
    ),
  ]

  @Test(arguments: ["decorate", "faces"])
  func invalidPictureSizesAreRefusedQuickly(_ task: String) throws {
    for (name, bytes) in Self.files {
      let path = scratch.write(name, bytes)
      let begin = Command.now
      let run = try Command.mien([task, path])
      #expect(run.status == 3, "\(task) \(name): \(run.status) \(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(task) \(name): \(run.errors)")
      #expect(Command.now - begin < 5, "\(task) \(name)")
      _ = try Command(["rm", path])
    }
    #expect(try Command(["ls", "-A", scratch.path]).output == "")
  }

  @Test func picturesOfTheMaximumSizeAreDecorated() throws {
    let path = scratch.path + "/wide.png"
    try Pipeline(
      "videotestsrc num-buffers=1 ! video/x-raw,width=16384,height=16 ! videoconvert ! pngenc"
        + " ! filesink location=\(path)"
    ).run()
    let run = try Command.mien(["decorate", path, "--look", "mono"])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func truncatedPicturesAreOneLineOfError() throws {
    let kinds = [("pngenc", "png"), ("jpegenc", "jpg"), ("webpenc", "webp"), ("pnmenc", "ppm")]
    for (encoder, ending) in kinds {
      let path = scratch.path + "/whole.\(ending)"
      try Pipeline(
        "videotestsrc num-buffers=1 ! video/x-raw,width=48,height=32 ! videoconvert ! \(encoder)"
          + " ! filesink location=\(path)"
      ).run()
      let bytes = ScratchFolder.bytes(path)
      for length in [0, 1, 4, 9, 17, 30, bytes.count / 2, bytes.count - 20] {
        let cut = scratch.write("cut.\(ending)", Array(bytes.prefix(length)))
        let run = try Command.mien(["faces", cut, "--summary"])
        // Decoding the upper part of a truncated picture is not an error.
        #expect(
          [0, 3].contains(run.status), "\(length) bytes of \(ending): \(run.status) \(run.errors)")
        let lines = run.errors.split(separator: "\n").count
        #expect(lines == (run.status == 0 ? 0 : 1), "\(length) bytes of \(ending): \(run.errors)")
      }
    }
  }
}
