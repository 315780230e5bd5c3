import Files
import Pixels
import Stickers
import Support
import Testing

/// The packs that come along, and what only version 3 knows.
@Suite(.timeLimit(.minutes(20))) struct OwnPackTests {
  static let names =
    "halo glasses hat moustache dog hearts frame lipstick blush facepaint mask lipstick/rose.json "
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
