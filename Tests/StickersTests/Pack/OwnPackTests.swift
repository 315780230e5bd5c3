import Files
import Pixels
import Stickers
import Support
import Testing

/// The packs that come along, and what only version 3 knows.
@Suite(.timeLimit(.minutes(20))) struct OwnPackTests {
  static let names =
    "halo glasses hat moustache dog hearts sparks frame lipstick blush facepaint mask lipstick/rose.json "
    + "lipstick/plum.json facepaint/tiger.json"

  @Test(arguments: names.split(separator: " "))
  func theBundledPacksAreValid(name: Substring) throws {
    let location = FilePath(Photograph.root + "/stickers/" + name)
    let (source, problems, warnings) = PackReader.check(location)
    #expect(problems.isEmpty && warnings.isEmpty)
    guard case .pack(let pack)? = source else {
      Issue.record("\(name) is read as no pack")
      return
    }
    var sizes = PictureSizes()
    for file in pack.items.flatMap(\.files) { sizes.addPicture(file, of: pack) }
    #expect(sizes.problems.isEmpty && UnusedPictures.find(in: pack).isEmpty)
    #expect(pack.preview != nil)
    if name == "halo" { #expect(pack.items[0].files.count == 24) }
  }

  private func check(_ item: String) -> (item: StickerItem?, problems: [String], warnings: [String])
  {
    let fixture = PackFixture()
    fixture.write("a.png")
    fixture.write("b.png")
    fixture.write("meta.json", "{\"version\": 3, \"name\": \"n\", \"items\": [{\(item)}]}")
    let (source, problems, warnings) = PackReader.check(FilePath(fixture.pack))
    guard case .pack(let pack)? = source else {
      return (nil, problems.map { $0.key ?? "" }, warnings.map { $0.key ?? "" })
    }
    #expect(UnusedPictures.find(in: pack).contains { $0.hasSuffix("b.png") })
    return (pack.items[0], [], warnings.map { $0.key ?? "" })
  }

  @Test func texturesAreRead() throws {
    let lips = try #require(
      check(
        "\"type\": 2, \"region\": \"lips\", \"color\": \"#a3081F\", \"blend\": \"soft-light\", "
          + "\"shade\": 0.5, \"soft\": 0.02, \"spare\": [\"mouth\"], \"trigger\": \"smile\", \"z\": 2"
      ).item)
    let surface = try #require(lips.surface)
    #expect(surface.region == .lips && surface.color == SIMD3(0xA3, 0x08, 0x1F))
    #expect(surface.shade == 0.5 && surface.softness == 0.02 && surface.spared == [.mouth])
    #expect(lips.blend == .softLight && lips.trigger == .smile && lips.z == 2)
    let face = try #require(check("\"type\": 2, \"file\": \"a.png\"").item)
    #expect(face.surface?.region == .face && face.surface?.spared == [.eyes, .mouth])
    #expect(face.files == ["a.png"] && face.isSingleFile)
  }

  @Test func billboardsAreRead() throws {
    let item = try #require(
      check(
        "\"type\": 0, \"space\": \"head\", \"from\": [-1, 0, 0], \"to\": [1, 0, -1], \"down\": [0, 0, 1], "
          + "\"round\": true, \"hidden\": false, \"file\": \"a.png\", \"width\": 2, \"height\": 1"
      ).item)
    let quad = try #require(item.quad)
    #expect(quad.isRound && !quad.isOccluded && quad.down == Point3(x: 0, y: 0, z: 1))
  }

  private static let end = ", \"file\": \"a.png\", \"width\": 2, \"height\": 1"
  private static let ends =
    "\"type\": 0, \"space\": \"head\", \"from\": [-1, 0, 0], \"to\": [1, 0, 0], "

  @Test func bodiesAreRead() throws {
    let lathe = try #require(
      check(
        Self.ends + "\"body\": \"lathe\", \"profile\": [[0, 1], [1, 0.5]], \"depth\": 1.2, "
          + "\"hidden\": false, \"shade\": 0.5" + Self.end
      ).item?.body)
    #expect(lathe.shape == .lathe([Point(x: 0, y: 1), Point(x: 1, y: 0.5)]))
    #expect(lathe.depth == 1.2 && !lathe.isOccluded && lathe.shade == 0.5 && lathe.anchor == nil)
    let torus = check(Self.ends + "\"body\": \"torus\", \"thickness\": 0.2" + Self.end).item
    #expect(torus?.body?.shape == .torus(0.2) && torus?.quad == nil)
    let sheet = try #require(
      check(
        Self.ends + "\"body\": \"sheet\", \"bend\": [0.5, -0.1], \"anchor\": \"nose\"" + Self.end
      ).item?.body)
    #expect(sheet.shape == .sheet(Point(x: 0.5, y: -0.1)) && sheet.anchor == .nose)
  }

  @Test(arguments: [
    ("\"body\": \"cone\"", "body"), ("\"body\": 1", "body"), ("\"body\": \"lathe\"", "profile"),
    ("\"body\": \"lathe\", \"profile\": [[0, 1]]", "profile"),
    ("\"body\": \"lathe\", \"profile\": [[0, 1], [1]]", "profile"),
    ("\"body\": \"lathe\", \"profile\": [[0, 1], [1, \"0\"]]", "profile"),
    ("\"body\": \"lathe\", \"profile\": [[0, 1], [-1, 0]]", "profile"),
    ("\"body\": \"lathe\", \"profile\": [[0, 1], [9, 0]]", "profile"),
    ("\"body\": \"lathe\", \"profile\": [[0, 1], [0, 0]]", "profile"),
    ("\"body\": \"lathe\", \"profile\": [[1, 1], [1, 1]]", "profile"),
    (
      "\"body\": \"lathe\", \"profile\": ["
        + String(repeating: "[1, 1], ", count: 16) + "[1, 0]]", "profile"
    ),
    ("\"body\": \"torus\"", "thickness"), ("\"body\": \"torus\", \"thickness\": 0", "thickness"),
    ("\"body\": \"torus\", \"thickness\": 1e300", "thickness"),
    ("\"body\": \"torus\", \"thickness\": 0.1, \"depth\": 0", "depth"),
    ("\"body\": \"torus\", \"thickness\": 0.1, \"down\": [1, 0, 0]", "down"),
    ("\"body\": \"torus\", \"thickness\": 0.1, \"down\": [0, 0, 0]", "down"),
    ("\"body\": \"sheet\", \"bend\": 1", "bend"), ("\"body\": \"sheet\", \"bend\": [9, 0]", "bend"),
    ("\"body\": \"sheet\", \"anchor\": \"screen\"", "anchor"),
    ("\"body\": \"sheet\", \"anchor\": \"ear\"", "anchor"),
    ("\"body\": \"sheet\", \"shade\": 2", "shade"),
    ("\"body\": \"sheet\", \"hidden\": 1", "hidden"),
  ])
  func invalidBodiesAreReported(members: String, key: String) {
    let (read, problems, _) = check(Self.ends + members + Self.end)
    #expect(read == nil && problems.contains(key), "\(members): \(problems)")
  }

  @Test func invalidMembersAreReported() {
    for (item, key) in [
      ("\"type\": 2", "color"), ("\"type\": 2, \"color\": \"red\"", "color"),
      ("\"type\": 2, \"color\": \"#12345\"", "color"),
      ("\"type\": 2, \"color\": \"#123456\", \"file\": \"a.png\"", "color"),
      ("\"type\": 2, \"color\": \"#123456\", \"region\": \"ears\"", "region"),
      ("\"type\": 2, \"color\": \"#123456\", \"soft\": 9", "soft"),
      ("\"type\": 2, \"color\": \"#123456\", \"shade\": -1", "shade"),
      ("\"type\": 2, \"color\": \"#123456\", \"spare\": [\"ears\"]", "spare"),
      ("\"type\": 2, \"color\": \"#123456\", \"spare\": \"eyes\"", "spare"),
      (
        "\"type\": 0, \"space\": \"head\", \"from\": [-1, 0, 0], \"to\": [1, 0, 0], \"down\": [0, 0, 0], "
          + "\"file\": \"a.png\", \"width\": 2, \"height\": 1", "down"
      ),
    ] {
      let (read, problems, _) = check(item)
      #expect(read == nil && problems.contains(key), "\(item): \(problems)")
    }
  }

  @Test func unknownKeysAreReportedAndIgnored() {
    let (item, _, warnings) = check(
      "\"type\": 2, \"file\": \"a.png\", \"colour\": 1, \"spred\": []")
    #expect(item != nil && warnings == ["colour", "spred"])
  }
}
