import Faces
import Pixels
import Stickers
import Support
import Testing

/// Stickers lie behind what covers the face.
@Suite(.timeLimit(.minutes(20))) struct CoveredStickerTests {
  @Test(arguments: PixelFormat.eightBit) func coveredPixelsAreUnchanged(format: PixelFormat) throws
  {
    let video = VideoFormat(
      format: format, width: 67, height: 50, colorimetry: format.colorimetry(.bt601))
    for blend in [SpriteBlend.over, .multiply] {
      let space = SpriteSpace(format: format, colorimetry: video.colorimetry, blend: blend)
      let source = OwnedPicture(format: .rgba, width: 8, height: 8, colorimetry: .rgb)
      source.withPicture { $0.fillBytes { x, _ in [200, 30, 60, 255][x % 4] } }
      let sprite = try #require(source.withPicture { Sprite($0, space: space) })
      let compositor = SpriteCompositor(width: video.width)
      func drawn(_ cover: CoverMap?) -> OwnedPicture {
        let picture = OwnedPicture.noise(video)
        compositor.setCover(cover, width: video.width, height: video.height)
        picture.withPicture { picture in
          _ = compositor.draw(
            sprite, by: Affine(a: 5, b: 0.3, c: -0.2, d: 5, tx: 8, ty: 4), blend: blend, on: picture
          )
        }
        return picture
      }
      var cover = CoverMap()
      // It reaches beyond the frame, since its outermost cells fade.
      (cover.width, cover.height) = (24, 12)
      cover.region = Rectangle(x: -1, y: -1, width: 3, height: 3)
      cover.alpha = Array(repeating: 255, count: 24 * 12)
      let before = OwnedPicture.noise(video).tightBytes
      let bare = drawn(nil).tightBytes
      #expect(bare != before)
      #expect(drawn(cover).tightBytes == before, "\(blend)")
      // The left half is covered: there the picture is as before, and far to the right as drawn.
      cover.alpha = (0..<24 * 12).map { $0 % 24 < 12 ? 255 : 0 }
      let half = drawn(cover)
      let (old, full) = (OwnedPicture.noise(video), drawn(nil))
      for y in 0..<video.height {
        #expect(half.rows(0)[y][..<24] == old.rows(0)[y][..<24], "\(blend) \(y)")
        for x in 48..<video.width {
          #expect(abs(Int(half.rows(0)[y][x]) - Int(full.rows(0)[y][x])) <= 1)
        }
      }
    }
  }
}
