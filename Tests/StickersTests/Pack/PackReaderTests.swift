import Files
import Glibc
import Stickers
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct PackReaderTests {
  private static func pack(_ location: String) throws -> StickerPack {
    guard case .pack(let pack) = try PackReader.read(FilePath(location)) else {
      throw PackProblem(location)
    }
    return pack
  }

  @Test func version1IsReadByItsFormat() throws {
    let fixture = PackFixture()
    fixture.makeAngel()
    for location in [fixture.pack, fixture.pack + "/", fixture.pack + "/meta.json"] {
      let pack = try Self.pack(location)
      #expect(pack.name == "angel")
      #expect(pack.preview?.hasSuffix("/preview.jpg") == true)
      #expect(pack.audio?.hasSuffix("/angel_audio.mp3") == true)
      #expect(
        pack.items.map(\.attachment) == [
          .screen(.top), .points(first: 1, centre: 46, last: 8),
          .points(first: 56, centre: 48, last: 55),
        ])
      let halo = pack.items[1]
      #expect(halo.scaleWidth == 3.5 && halo.offsetY == 2 && halo.trigger == .face)
      #expect(halo.width == 351 && halo.height == 159 && halo.loop == 0)
      #expect(halo.frameDuration == 100_000_000 && !halo.isSingleFile)
      // Numbers are compared as numbers: 2 comes before 10.
      let names = halo.files.map { $0.split.name.description }
      #expect(names == (0..<41).map { "halo_\($0).png" })
    }
  }

  @Test func version2IsReadAndUnknownKeysAreIgnored() throws {
    let fixture = PackFixture()
    fixture.makeAngel()
    fixture.write("meta.json", PackFixture.version2)
    let pack = try Self.pack(fixture.pack)
    let first = pack.items[0]
    #expect(first.attachment == .anchor(.headTop) && first.trigger == .smile && first.loop == 2)
    #expect(first.alpha == 0.5 && first.blend == .screen && !first.rotates && first.z == -3)
    #expect(first.files.count == 3 && first.frameDuration == 100_000_000)
    let second = pack.items[1]
    #expect(
      second.attachment == .screen(.cover) && second.trigger == .always && second.isSingleFile)
    #expect(second.files.count == 1 && second.rotates)
    #expect(pack.preview == nil)
  }

  @Test func aSinglePictureIsASource() throws {
    let fixture = PackFixture()
    fixture.write("one.png")
    let source = try PackReader.read(FilePath(fixture.pack + "/one.png"))
    #expect(source == .picture(FilePath(fixture.pack + "/one.png")))
  }

  @Test func filesAreSortedByNumbersOfAnyLength() throws {
    let fixture = PackFixture()
    fixture.makeAngel()
    fixture.folder("mix")
    let names = [
      "a2.png", "a10.png", "a010b.png", "a9999999999999999999999.png", "b.png", "a.png",
      "a02.png", ".hidden.png", "notes.txt",
    ]
    for name in names { fixture.write("mix/" + name) }
    fixture.write(
      "meta.json",
      """
      {"version":2,"name":"n","items":[{"type":0,"anchor":"eyes","scaleWidth":1,"width":1,
       "height":1,"folder":"mix","frames":7}]}
      """)
    let files = try Self.pack(fixture.pack).items[0].files
    #expect(
      files.map { $0.split.name.description } == [
        "a.png", "a02.png", "a2.png", "a10.png", "a010b.png", "a9999999999999999999999.png",
        "b.png",
      ])
  }

  /// A change to the angel pack's manifest, and what the error must say.
  struct Fault: Sendable, CustomStringConvertible {
    let from: String
    let to: String
    let says: [String]
    var description: String { "\(from) -> \(to.prefix(80))" }
  }

  static let faults: [Fault] = [
    Fault(from: "\"version\": 1,", to: "", says: ["\"version\"", "missing"]),
    Fault(from: "\"version\": 1", to: "\"version\": 4", says: ["\"version\"", "4"]),
    Fault(from: "\"version\": 1", to: "\"version\": \"1\"", says: ["\"version\"", "string"]),
    Fault(from: "\"name\": \"angel\"", to: "\"name\": 5", says: ["\"name\"", "5"]),
    Fault(from: "\"items\"", to: "\"things\"", says: ["\"items\"", "missing"]),
    Fault(from: "\"type\": 1,", to: "", says: ["item 1", "light", "\"type\"", "missing"]),
    Fault(from: "\"type\": 1,", to: "\"type\": 7,", says: ["item 1", "\"type\"", "7"]),
    Fault(from: "[1, 46, 8]", to: "[1, 46]", says: ["item 2", "\"alignIndexes\"", "2"]),
    Fault(from: "[1, 46, 8]", to: "[1, 46, 76]", says: ["item 2", "\"alignIndexes\"", "76"]),
    Fault(from: "[1, 46, 8]", to: "[1, 46, -1]", says: ["item 2", "\"alignIndexes\"", "-1"]),
    Fault(from: "[1, 46, 8]", to: "[1, 4.5, 8]", says: ["item 2", "\"alignIndexes\"", "4.5"]),
    Fault(from: "[1, 46, 8]", to: "\"1,46,8\"", says: ["item 2", "\"alignIndexes\"", "array"]),
    Fault(from: "\"alignPos\": 0", to: "\"alignPos\": 5", says: ["item 1", "\"alignPos\""]),
    Fault(
      from: "\"scaleWidth\": 3.5", to: "\"scaleWidth\": 1e999", says: ["item 2", "\"scaleWidth\""]),
    Fault(
      from: "\"scaleWidth\": 3.5", to: "\"scaleWidth\": true",
      says: ["item 2", "\"scaleWidth\"", "true"]),
    Fault(
      from: "\"scaleWidth\": 3.5, ", to: "", says: ["item 2", "halo", "\"scaleWidth\"", "missing"]),
    Fault(from: "\"offsetY\": 2", to: "\"offsetY\": 1e9", says: ["item 2", "\"offsetY\""]),
    Fault(from: "\"width\": 351", to: "\"width\": 0", says: ["item 2", "\"width\"", "0"]),
    Fault(from: "\"height\": 159", to: "\"height\": -3", says: ["item 2", "\"height\"", "-3"]),
    Fault(
      from: "\"frames\": 41", to: "\"frames\": 1000000000", says: ["item 1", "\"frames\"", "1"]),
    Fault(from: "\"frames\": 41", to: "\"frames\": 42", says: ["item 1", "\"frames\"", "41"]),
    Fault(from: "\"frames\": 41", to: "\"frames\": 0", says: ["item 1", "\"frames\"", "0"]),
    Fault(
      from: "\"frameDuration\": 100", to: "\"frameDuration\": 0",
      says: ["item 1", "\"frameDuration\""]),
    Fault(
      from: "\"triggerType\": 1", to: "\"triggerType\": 5", says: ["item 1", "\"triggerType\""]),
    Fault(
      from: "\"light\"", to: "\"../pack/light\"", says: ["item 1", "\"folder\"", "leaves the pack"]),
    Fault(from: "\"light\"", to: "\"/etc\"", says: ["item 1", "\"folder\"", "absolute"]),
    Fault(from: "\"light\"", to: "\"nowhere\"", says: ["item 1", "\"folder\"", "not exist"]),
    Fault(from: "\"light\"", to: "\"one.png\"", says: ["item 1", "\"folder\"", "not a folder"]),
    Fault(from: "\"light\"", to: "\"away\"", says: ["item 1", "\"folder\"", "link"]),
    Fault(from: "\"light\"", to: "\"\"", says: ["item 1", "\"folder\"", "empty"]),
    Fault(from: "\"light\"", to: "null", says: ["item 1", "\"folder\"", "null"]),
    Fault(from: "preview.jpg", to: "../../x.png", says: ["\"preview\"", "leaves the pack"]),
    Fault(from: "\"angel_audio.mp3\"", to: "[]", says: ["\"audio\"", "array"]),
    Fault(from: "\"items\": [", to: "\"items\": [ 4, ", says: ["item 1", "object"]),
    Fault(from: "] }", to: "]", says: ["JSON"]),
    Fault(
      from: "\"name\"",
      to: "\"x\": " + String(repeating: "[", count: 100_000) + "], \"name\"", says: ["brackets"]),
    Fault(
      from: "\"name\"", to: "\"x\": \"" + String(repeating: "a", count: 1 << 20) + "\", \"name\"",
      says: ["bytes, at most"]),
    Fault(from: "\"angel\"", to: "\"an\0gel\"", says: ["zero byte"]),
  ]

  @Test(arguments: faults)
  func everyErrorNamesFileItemAndKey(fault: Fault) throws {
    let fixture = PackFixture()
    fixture.makeAngel()
    fixture.link("away", to: "/usr")
    let start = try #require(PackFixture.angel.range(of: fault.from))
    var manifest = PackFixture.angel
    manifest.replaceSubrange(start, with: fault.to)
    fixture.write("meta.json", manifest)
    let problem = #expect(throws: PackProblem.self) {
      _ = try PackReader.read(FilePath(fixture.pack))
    }
    let text = problem?.description ?? ""
    for part in [fixture.pack + "/meta.json"] + fault.says {
      #expect(text.contains(part), "\(part) is not in: \(text.prefix(300))")
    }
  }

  static let faults2: [Fault] = [
    Fault(from: "\"head-top\"", to: "\"tail\"", says: ["item 1", "\"anchor\"", "head-top"]),
    Fault(from: "\"head-top\"", to: "\"screen\"", says: ["item 1", "\"anchor\"", "type 1"]),
    Fault(from: "\"cover\"", to: "\"head-top\"", says: ["item 2", "\"anchor\"", "cover"]),
    Fault(from: "\"smile\"", to: "\"sneeze\"", says: ["item 1", "\"trigger\"", "smile"]),
    Fault(
      from: "\"smile\"", to: "\"jawOpn > 0.4\"",
      says: ["item 1", "\"trigger\"", "\"jawOpn\"; similar are jawOpen"]),
    Fault(
      from: "\"smile\"", to: "\"jawOpen\"", says: ["item 1", "\"trigger\"", "\"jawOpen > 0.4\""]),
    Fault(from: "\"smile\"", to: "\"jawOpen > 1\"", says: ["item 1", "\"trigger\"", "0.99"]),
    Fault(from: "\"screen\"", to: "\"burn\"", says: ["item 1", "\"blend\"", "multiply"]),
    Fault(from: "0.5", to: "1.5", says: ["item 1", "\"alpha\"", "1.5"]),
    Fault(from: "false", to: "0", says: ["item 1", "\"rotate\"", "true or false"]),
    Fault(from: "\"loop\": 2", to: "\"loop\": -1", says: ["item 1", "\"loop\""]),
    Fault(from: "\"one.png\"", to: "\"none.png\"", says: ["item 2", "\"file\"", "not exist"]),
    Fault(from: "\"one.png\"", to: "\"empty.png\"", says: ["item 2", "\"file\"", "empty"]),
    Fault(from: "\"one.png\"", to: "\"halo\"", says: ["item 2", "\"file\"", "not a file"]),
    Fault(from: "\"one.png\"", to: "\"leak.png\"", says: ["item 2", "\"file\"", "link"]),
  ]

  @Test(arguments: faults2)
  func membersOfVersion2AreValidated(fault: Fault) throws {
    let fixture = PackFixture()
    fixture.makeAngel()
    fixture.write("empty.png", "")
    fixture.link("leak.png", to: "/etc/passwd")
    var manifest = PackFixture.version2
    let start = try #require(manifest.range(of: fault.from))
    manifest.replaceSubrange(start, with: fault.to)
    fixture.write("meta.json", manifest)
    let problem = #expect(throws: PackProblem.self) {
      _ = try PackReader.read(FilePath(fixture.pack))
    }
    let text = problem?.description ?? ""
    for part in fault.says { #expect(text.contains(part), "\(part) is not in: \(text)") }
  }

  @Test func linksToFramesOutsideThePackAreRejected() throws {
    let fixture = PackFixture()
    fixture.makeAngel()
    fixture.write("meta.json", PackFixture.version2)
    unlink(fixture.pack + "/halo/halo_1.png")
    fixture.link("halo/halo_1.png", to: "../shy/shy_1.png")
    #expect(try Self.pack(fixture.pack).items[0].files.count == 3)
    unlink(fixture.pack + "/halo/halo_1.png")
    fixture.link("halo/halo_1.png", to: "/etc/passwd")
    let problem = #expect(throws: PackProblem.self) {
      _ = try PackReader.read(FilePath(fixture.pack))
    }
    #expect(problem?.description.contains("halo_1.png is a link") == true)
  }

  @Test func aManifestThatLinksOutOfThePackIsRejected() {
    let fixture = PackFixture()
    fixture.makeAngel()
    rename(fixture.pack + "/meta.json", fixture.path + "/elsewhere.json")
    fixture.link("meta.json", to: "../elsewhere.json")
    for location in [fixture.pack, fixture.pack + "/meta.json"] {
      let problem = #expect(throws: PackProblem.self) {
        _ = try PackReader.read(FilePath(location))
      }
      #expect(problem?.description.contains("is a link to a file outside the pack") == true)
    }
  }

  @Test func locationsWithoutAPackAreReported() {
    let fixture = PackFixture()
    fixture.write("empty.png", "")
    for (location, says) in [
      (fixture.path + "/none", "does not exist"), (fixture.pack, "meta.json"), ("", "path"),
      (fixture.pack + "/empty.png", "empty"), ("/dev/null", "neither"),
    ] {
      let problem = #expect(throws: PackProblem.self) {
        _ = try PackReader.read(FilePath(location))
      }
      #expect(problem?.description.contains(says) == true, "\(location)")
    }
  }

  @Test func fiveThousandDamagedManifestsNeverTrap() {
    let fixture = PackFixture()
    fixture.makeAngel()
    var random = SplitMix(11)
    let tokens = [
      "null", "true", "-1", "1e308", "1e999", "99999999999999999999", "[]", "{}", "\"\"", "\\u0000",
      "\"../..\"", ",", ":", "\"", "}", "]", "-", "0x1", "NaN", "/*", "//", "\u{FEFF}",
      "\"\\ud800\"",
    ].map { Array($0.utf8) }
    var right = 0
    for round in 0..<5000 {
      var bytes = Array((round % 2 == 0 ? PackFixture.angel : PackFixture.version2).utf8)
      for _ in 0...random.below(3) {
        let at = random.below(bytes.count)
        switch random.below(5) {
        case 0: bytes[at] = UInt8(random.below(256))
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(contentsOf: tokens[random.below(tokens.count)], at: at)
        case 3: bytes.removeSubrange(at..<min(at + random.below(40), bytes.count))
        default:
          let end = min(at + random.below(60), bytes.count)
          bytes.insert(contentsOf: bytes[at..<end], at: at)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      fixture.write("meta.json", bytes)
      let (source, problems, _) = PackReader.check(FilePath(fixture.pack))
      if source != nil { right += 1 }
      #expect((source == nil) == !problems.isEmpty)
      #expect(problems.allSatisfy { $0.description.hasPrefix(fixture.pack) && !$0.reason.isEmpty })
    }
    // Some changes do no harm, in a name or in white space; most do.
    #expect(right > 50 && right < 4000)
  }
}

extension PackProblem {
  fileprivate init(_ file: String) {
    self.init(file: file, item: nil, itemName: nil, key: nil, reason: "is no pack")
  }
}

extension String {
  /// The first place where `part` stands.
  fileprivate func range(of part: String) -> Range<String.Index>? {
    firstRange(of: part)
  }
}
