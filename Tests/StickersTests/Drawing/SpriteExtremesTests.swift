import Pixels
import Stickers
import Support
import Testing

/// Sprites that can hardly be drawn, or not at all.
@Suite(.timeLimit(.minutes(20))) struct SpriteExtremesTests {
  @Test func degenerateTransformsDrawNothing() throws {
    let pixels = SpriteScene.pixels(width: 9, height: 9)
    let sprite = try #require(SpriteScene.sprite(pixels, width: 9, height: 9, for: .nv12))
    let compositor = SpriteCompositor(width: 32)
    let ground = SpriteScene.ground(.nv12, width: 32, height: 31, colorimetry: .bt709)
    let before = ground.tightBytes
    let wild = [
      0, -0.0, 1, -1, 1e-12, 1e-5, 1e5, 1e12, 1e300, -1e300, .nan, .infinity, -.infinity,
    ]
    var random = SplitMix(3)
    func pick() -> Double { wild[random.below(wild.count)] }
    for _ in 0..<5000 {
      let map = Affine(a: pick(), b: pick(), c: pick(), d: pick(), tx: pick(), ty: pick())
      ground.withPicture { _ = compositor.draw(sprite, by: map, on: $0) }
    }
    let still = SpriteScene.ground(.nv12, width: 32, height: 31, colorimetry: .bt709)
    let far = [
      Affine(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: 0), Affine(a: 0, b: 0, c: 0, d: 0, tx: 4, ty: 4),
      Affine(a: 1, b: 0, c: 0, d: 1, tx: 1e9, ty: 0),
      Affine(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: -10),
      Affine(a: 1, b: 1, c: 1, d: 1, tx: 0, ty: 0),
    ]
    for map in far {
      still.withPicture { _ = compositor.draw(sprite, by: map, on: $0) }
    }
    let middle = Affine(a: 1, b: 0, c: 0, d: 1, tx: 4, ty: 4)
    for alpha in [0, -1, Double.nan] {
      still.withPicture {
        _ = compositor.draw(sprite, by: middle, alpha: alpha, on: $0)
      }
    }
    let wrongSpace = try #require(SpriteScene.sprite(pixels, width: 9, height: 9, for: .rgba))
    let isDrawn = still.withPicture {
      compositor.draw(wrongSpace, by: middle, on: $0)
    }
    #expect(!isDrawn)
    #expect(still.tightBytes == before)
  }

  @Test func picturesOfOnePixelAreSourcesAndTargets() throws {
    for format in PixelFormat.eightBit {
      let sprite = try #require(
        SpriteScene.sprite([255, 255, 255, 255], width: 1, height: 1, for: format))
      for (width, height) in [(1, 1), (1, 5), (2, 1), (3, 3)] {
        let ground = SpriteScene.flat(format, width: width, height: height)
        let compositor = SpriteCompositor(width: width)
        ground.withPicture {
          _ = compositor.draw(
            sprite, by: Affine(a: 8, b: 0, c: 0, d: 8, tx: -3, ty: -3), on: $0)
        }
        let first = ground.withPicture { $0.component(0)[0, 0] }
        #expect(first > 200, "\(format)")
      }
    }
  }

  @Test func aWhiteSpriteStaysWhiteInsideAtEveryScale() throws {
    let compositor = SpriteCompositor(width: 24)
    for (width, height) in product(1...17, [1, 2, 5, 16, 33]) {
      let white = [UInt8](repeating: 255, count: 4 * width * height)
      let sprite = try #require(
        SpriteScene.sprite(white, width: width, height: height, for: .gray8))
      for scale in [0.07, 0.3, 0.61, 4] {
        let ground = SpriteScene.flat(.gray8, width: 24, height: 24)
        ground.withPicture {
          _ = compositor.draw(
            sprite, by: Affine(a: scale, b: 0, c: 0, d: scale, tx: 2, ty: 2), on: $0)
        }
        let bytes = ground.tightBytes
        #expect(bytes.allSatisfy { (30...235).contains($0) })
        // Its light is that of its area, give or take the roundings of small sizes.
        let light = bytes.reduce(0.0) { $0 + (Double($1) - 30) / 205 }
        let area = min(Double(width) * scale, 22) * min(Double(height) * scale, 22)
        if scale < 1, area > 1 { #expect(abs(light - area) < 0.12 * area + 0.3) }
      }
    }
  }

  @Test func unsupportedPicturesAreRejectedAsSprites() {
    let wrong = OwnedPicture(format: .bgra, width: 4, height: 4, colorimetry: .rgb)
    #expect(Sprite.make(from: wrong, space: .rgb) == nil)
    let long = OwnedPicture(
      format: .rgba, width: Sprite.maximumSide + 1, height: 1, colorimetry: .rgb)
    #expect(Sprite.make(from: long, space: .rgb) == nil)
  }
}
