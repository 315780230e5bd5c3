import Support
import Testing

/// `mien check` with packs whose textures exceed the face.
@Suite(.timeLimit(.minutes(20))) struct CheckTests {
  private let scene = MienScene()

  /// A pack with one texture: a test pattern, with a transparent margin.
  private func pack(_ name: String, inset: Int) throws -> String {
    try #require(try Command(["mkdir", scene.path(name)]).status == 0)
    let side = 256 - 2 * inset
    try Pipeline(
      "videotestsrc num-buffers=1 pattern=red ! video/x-raw,format=RGBA,width=\(side),height=\(side)"
        + " ! videobox left=-\(inset) right=-\(inset) top=-\(inset) bottom=-\(inset) border-alpha=0"
        + " ! video/x-raw,format=AYUV ! videoconvert ! video/x-raw,format=RGBA ! pngenc"
        + " ! filesink location=\(scene.path(name))/paint.png"
    ).run()
    scene.scratch.write(
      name + "/meta.json",
      Array(#"{"version": 3, "name": "Red", "items": [{"type": 2, "file": "paint.png"}]}"#.utf8))
    return scene.path(name)
  }

  /// The face fills 71 % of the texture, including its whole centre.
  @Test func texturesBeyondTheFaceAreReported() throws {
    let over = try Command.mien(["check", try pack("over", inset: 0)])
    #expect(over.status == 0, "\(over.output)\(over.errors)")
    let note = over.output.split(separator: "\n").first ?? ""
    #expect(note.contains(" of the paint of paint.png lies beside the face"), "\(over.output)")
    let percent = Int(note.dropFirst("note: ".count).prefix { $0.isNumber }) ?? 0
    #expect((25...40).contains(percent), "\(note)")
    let inside = try Command.mien(["check", try pack("inside", inset: 80)])
    #expect(inside.output.hasPrefix(scene.path("inside") + ": right."), "\(inside.output)")
  }

  @Test func texturesBeyondTheFaceAreDrawnInRed() throws {
    let pack = try pack("over", inset: 0)
    let picture = scene.path("textures.png")
    #expect(try Command.mien(["check", pack, "--show", picture]).status == 0)
    let bytes = ScratchFolder.bytes(picture)
    var shown: [UInt8] = []
    let pipeline = try Pipeline(
      "filesrc location=\(picture) ! pngdec ! video/x-raw,format=RGB,width=256,height=256"
        + " ! fakesink name=shown")
    try pipeline.watch("shown") { shown = CapturedFrame($0).bytes }
    try pipeline.run()
    #expect(Array(shown.prefix(3)) == [225, 20, 20])
    let middle = 3 * (128 * 256 + 128)
    #expect(shown[middle] > 245 && shown[middle + 1] < 10 && shown[middle + 2] < 10)
    // An existing picture is not overwritten.
    let again = try Command.mien(["check", pack, "--show", picture])
    #expect(again.status == 2 && again.errors.contains("--force"), "\(again.errors)")
    #expect(ScratchFolder.bytes(picture) == bytes)
    #expect(try Command.mien(["check", pack, "--show", picture, "--force"]).status == 0)
    #expect(try Command(["sh", "-c", "ls -A '\(scene.folder)'"]).output == "over\ntextures.png\n")
  }

  @Test func aTextureThatIsNotAPictureIsAnError() throws {
    let pack = try pack("broken", inset: 0)
    let whole = ScratchFolder.bytes(pack + "/paint.png")
    scene.scratch.write("broken/paint.png", Array(whole.prefix(60)))
    let run = try Command.mien(["check", pack])
    #expect(run.status == 1)
    #expect(run.output.hasPrefix("wrong: ") && run.output.contains("paint.png"), "\(run.output)")
  }
}
