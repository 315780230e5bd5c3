import Files
import Stickers
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct PictureSizesTests {
  @Test func picturesTooLargeForAPackAreFoundByTheirHeaders() {
    let fixture = PackFixture()
    let pack = StickerPack(name: "", items: [])
    func header(_ width: UInt32, _ height: UInt32) -> [UInt8] {
      let size = [width, height].flatMap { n in (0..<4).map { UInt8(n >> (24 - 8 * $0) & 255) } }
      return [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82] + size
    }
    for (bytes, says) in [
      (header(0, 5), "0 x 5"), (header(20000, 5), "16384"), (header(16000, 16000), "pixels"),
      (Array("no picture".utf8), "not a PNG file"),
    ] {
      fixture.write("a.png", bytes)
      var sizes = PictureSizes()
      sizes.addPicture(FilePath(fixture.pack + "/a.png"), of: pack)
      #expect(sizes.problems.first?.description.contains(says) == true, "\(says)")
    }
    fixture.write("a.png", header(8000, 8000))
    var sizes = PictureSizes()
    for _ in 0..<10 { sizes.addPicture(FilePath(fixture.pack + "/a.png"), of: pack) }
    // One such picture fits; what does not is named every time.
    #expect(sizes.problems.count == 9)
  }
}
