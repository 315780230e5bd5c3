import Support
import Testing

/// `--hide` removes all metadata of pictures.
@Suite(.timeLimit(.minutes(20))) struct PictureMetadataRemovalTests {
  private let scene = MienScene()
  private static let word = Array("SecretOfTheTest".utf8)

  private static func big(_ value: Int, _ size: Int = 4) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func little(_ value: Int) -> [UInt8] { big(value).reversed() }

  private static func join(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
    join([0xFF, marker], big(contents.count + 2, 2), contents)
  }

  /// An EXIF record with one text.
  private static let exif = join(
    text("II"), [42, 0, 8, 0, 0, 0, 1, 0, 0x0E, 1, 2, 0], little(word.count), little(26),
    [0, 0, 0, 0], word)

  /// An ICC profile of version 2 with the primaries of sRGB and a gamma of 2.2, with texts as
  /// description and copyright, and with a private tag.
  private static let profile: [UInt8] = {
    func xyz(_ x: Int, _ y: Int, _ z: Int) -> [UInt8] {
      join(Self.text("XYZ "), [0, 0, 0, 0], big(x), big(y), big(z))
    }
    let curve = join(text("curv"), [0, 0, 0, 0], big(1), [2, 0x33, 0, 0])
    let words = join(text("text"), [0, 0, 0, 0], word, [0])
    let tags: [(String, [UInt8])] = [
      ("desc", words), ("cprt", words), ("meta", words), ("dmdd", words),
      ("wtpt", xyz(0xF351, 0x10000, 0x116CC)), ("rXYZ", xyz(0x6FA2, 0x38F5, 0x390)),
      ("gXYZ", xyz(0x6299, 0xB785, 0x18DA)), ("bXYZ", xyz(0x24A0, 0xF84, 0xB6CF)),
      ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]
    var (table, contents) = (big(tags.count), [UInt8]())
    let start = 132 + 12 * tags.count
    for (name, tag) in tags {
      table += join(text(name), big(start + contents.count), big(tag.count))
      contents += tag
    }
    var header = join(
      big(start + contents.count), Array(word.prefix(4)), [2, 0x10, 0, 0], text("mntrRGB XYZ "),
      Array(word.prefix(12)), text("acsp"), word, word)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return join(header, table, contents)
  }()

  private static func jpeg(_ picture: [UInt8], cover: [UInt8]) -> [UInt8] {
    func marked(_ marker: UInt8, _ mark: String, _ contents: [UInt8]) -> [UInt8] {
      segment(marker, join(text(mark), [0], contents))
    }
    return join(
      Array(picture[..<2]), marked(0xE0, "JFXX", [0x10] + cover.prefix(60_000)),
      marked(0xE1, "Exif", [0] + exif), marked(0xE1, "http://ns.adobe.com/xap/1.0/", word),
      marked(0xE1, "http://ns.adobe.com/xmp/extension/", word),
      marked(0xE2, "ICC_PROFILE", [1, 1] + profile), marked(0xE2, "MPF", word),
      marked(0xED, "Photoshop 3.0", word), segment(0xE7, word), segment(0xFE, word),
      Array(picture[2...]), cover)
  }

  private static func png(_ picture: [UInt8], cover: [UInt8]) -> [UInt8] {
    func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
      let body = text(name) + contents
      var sum = ~UInt32(0)
      for byte in body {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
      }
      return join(big(contents.count), body, big(Int(~sum)))
    }
    // After the header of 33 bytes, and after the end.
    return join(
      Array(picture[..<33]), chunk("tEXt", join(text("Title"), [0], word)),
      chunk("iTXt", join(text("XML:com.adobe.xmp"), [0, 0, 0, 0, 0], word)), chunk("eXIf", exif),
      chunk("prVt", word + cover), chunk("tIME", [7, 209, 2, 3, 0, 0, 0]), Array(picture[33...]),
      cover)
  }

  private static func webp(_ picture: [UInt8], cover: [UInt8]) -> [UInt8] {
    func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
      let padding: [UInt8] = contents.count % 2 == 1 ? [0] : []
      return join(text(name), little(contents.count), contents, padding)
    }
    let size = Array(little(511).prefix(3))
    let chunks = join(
      text("WEBP"), chunk("VP8X", join([0x0C, 0, 0, 0], size, size)), Array(picture[12...]),
      chunk("EXIF", exif), chunk("XMP ", word), chunk("COVR", cover))
    return join(text("RIFF"), little(chunks.count), chunks)
  }

  /// An animation with a comment, an application extension, and data after its end.
  private static func gif(cover: [UInt8]) -> [UInt8] {
    let film = PictureBytes.animation(
      [(200, 30, 30), (30, 200, 30), (30, 30, 200)], width: 15, height: 15)
    let note = join([UInt8(word.count)], word, [0])
    // After the header and its 256 colours.
    return join(
      Array(film[..<781]), [0x21, 0xFE], note, [0x21, 0xFF, 11], text("XMP DataXMP"), note,
      Array(film[781...]), cover)
  }

  @Test func hidingRemovesAllPictureMetadata() throws {
    let encode = "videoscale ! video/x-raw,width=160,height=160 ! jpegenc"
    let cover = ScratchFolder.bytes(try scene.photograph("cover.jpg", encode))
    let part = cover[(cover.count / 2)..<(cover.count / 2 + 24)]
    let encoded = try ["jpegenc", "pngenc", "webpenc", "pnmenc"].map {
      ScratchFolder.bytes(try scene.photograph("plain", $0))
    }
    let note = Self.join(Self.text("# "), Self.word, Self.text("\n"))
    let pictures: [(String, [UInt8])] = [
      ("a.jpg", Self.jpeg(encoded[0], cover: cover)), ("b.png", Self.png(encoded[1], cover: cover)),
      ("c.webp", Self.webp(encoded[2], cover: cover)), ("d.gif", Self.gif(cover: cover)),
      ("e.ppm", Self.join(Array(encoded[3][..<3]), note, Array(encoded[3][3...]))),
    ]
    for (name, bytes) in pictures {
      let input = scene.scratch.write(name, bytes)
      for ending in ["jpg", "png"] {
        let output = scene.path("\(name).\(ending)")
        let run = try Command.mien(["decorate", input, output, "--hide"])
        #expect(run.status == 0, "\(name): \(run.errors)")
        let made = ScratchFolder.bytes(output)
        #expect(made.count > 60, "\(output)")
        #expect(!made.holds(Self.word), "\(output)")
        #expect(!made.holds(part), "\(output)")
        #expect(!made.holds(Self.word.prefix(12)), "\(output)")
        #expect(try !scene.described(output).contains("2001"), "\(output)")
      }
    }
  }

  /// Phones append a preview of another size.
  ///
  /// Such files once ended with the message that nothing had moved for two seconds.
  @Test func aSecondPictureInTheFileDoesNotBlock() throws {
    let plain = ScratchFolder.bytes(try scene.photograph("plain.jpg", "jpegenc"))
    let small = ScratchFolder.bytes(
      try scene.photograph("small.jpg", "videoscale ! video/x-raw,width=160,height=160 ! jpegenc"))
    let input = scene.scratch.write("a.jpg", plain + small)
    let run = try Command.mien(["decorate", input, scene.path("out.jpg"), "--look", "mono"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try scene.described("out.jpg").contains("Width: 512\n"))
    let faces = try Command.mien(["faces", input, "--json"])
    #expect(faces.status == 0, "\(faces.errors)")
    #expect(faces.output.split(separator: "\n").count == 1, "\(faces.output)")
  }

  @Test func hidingKeepsOnlyTheColoursOfAProfile() throws {
    let plain = ScratchFolder.bytes(try scene.photograph("plain.jpg", "jpegenc"))
    let input = scene.scratch.write("a.jpg", Self.jpeg(plain, cover: []))
    let output = scene.path("out.jpg")
    let run = try Command.mien(["decorate", input, output, "--hide"])
    #expect(run.status == 0, "\(run.errors)")
    let made = ScratchFolder.bytes(output)
    #expect(made.holds(Array("ICC_PROFILE".utf8)))
    // The green primary, and the tone curve.
    let zeros: [UInt8] = [0, 0, 0, 0]
    #expect(made.holds(Self.join(Self.text("XYZ "), zeros, Self.big(0x6299), Self.big(0xB785))))
    #expect(made.holds(Self.join(Self.text("curv"), zeros, Self.big(1), [2, 0x33])))
    for name in ["meta", "dmdd"] { #expect(!made.holds(Array(name.utf8))) }
  }

  /// Truncated profiles, and profiles with texts in place of numbers, are dropped.
  @Test func invalidProfilesAreDropped() throws {
    let plain = ScratchFolder.bytes(try scene.photograph("plain.jpg", "jpegenc"))
    let whole = Self.profile
    var cases: [[UInt8]] = [Self.word, [], Array(whole.prefix(131)), Array(whole.prefix(300))]
    for place in [128, 132, 136, 140, 200, 230, whole.count - 60] {
      var profile = whole
      profile.replaceSubrange(place..<place + 8, with: Self.word.prefix(8))
      cases.append(profile)
    }
    for (index, profile) in cases.enumerated() {
      let segment = Self.segment(0xE2, Self.join(Self.text("ICC_PROFILE"), [0, 1, 1], profile))
      let input = scene.scratch.write(
        "a.jpg", Self.join(Array(plain[..<2]), segment, Array(plain[2...])))
      let output = scene.path("out.jpg")
      let run = try Command.mien(["decorate", input, output, "--hide", "--force"])
      #expect(run.status == 0, "\(index): \(run.errors)")
      #expect(!ScratchFolder.bytes(output).holds(Self.word.prefix(8)), "\(index)")
    }
  }

  /// gst-libav's GIF demuxer never ends the stream, and delayed frames once stayed in the
  /// lookahead.
  @Test func animationsHideFacesFromTheFirstFrame() throws {
    let input = scene.scratch.write("a.gif", Self.gif(cover: []))
    let start = Command.now
    let run = try Command.mien(["decorate", input, "--hide"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "wrote \(scene.path("a-mien.png"))\n")
    #expect(Command.now - start < 15)
  }
}
