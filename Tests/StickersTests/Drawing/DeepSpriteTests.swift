import Pixels
import Stickers
import Support
import Testing

/// Sprites on the bits of 10-bit streams.
@Suite(.timeLimit(.minutes(20))) struct DeepSpriteTests {
  /// What 8 bits give, but for what they round; where no sprite lies every bit is kept.
  @Test(arguments: PixelFormat.deep, SpriteBlend.allCases)
  func tenBitsAgreeWithEight(_ format: PixelFormat, _ blend: SpriteBlend) throws {
    let pixels = SpriteScene.pixels(width: 23, height: 17)
    let source = SpriteScene.picture(rgba: pixels, width: 23, height: 17)
    let map = SpriteScene.similarity(scale: 1.1, turn: (0.8, 0.6), x: 15.3, y: -4.6)
    let sprite = try #require(
      Sprite.make(
        from: source, space: SpriteSpace(format: format, colorimetry: .bt709, blend: blend)))
    for ((width, height), alpha) in product([(33, 27), (3, 5), (1, 1)], [1, 0.6]) {
      let small = SpriteScene.ground(
        format.eightBitCounterpart, width: width, height: height, colorimetry: .bt709)
      let (large, noisy) = (small.deepened(format), small.deepened(format, seed: 3))
      let (before, eightBefore) = (noisy.codes, small.codes)
      for picture in [small, large, noisy] {
        let compositor = SpriteCompositor(width: width)
        _ = picture.withPicture {
          compositor.draw(sprite, by: map, alpha: alpha, blend: blend, on: $0)
        }
      }
      #expect(
        large.distance(toEightBit: small) * 4 <= 5 * format.codesInByte,
        "\(width)x\(height), \(alpha)")
      let after = noisy.codes
      if format.hasAlpha { #expect(after[3].allSatisfy { $0 == format.maximumCode }) }
      // A sprite that changes 8 bits by two codes or more changes 10 bits, and one that is not
      // there changes nothing.
      var kept = 0
      for (place, code) in small.codes[0].enumerated() {
        if before[0][place] == after[0][place] { kept += 1 }
        if abs(Int(code) - Int(eightBefore[0][place])) > 1 {
          #expect(before[0][place] != after[0][place])
        }
      }
      if width == 33 { #expect(kept > 0) }
    }
  }

  /// A ramp under a half transparent sprite stays a ramp.
  @Test(arguments: PixelFormat.deepOpaque)
  func aRampUnderAnEvenSpriteStaysARamp(_ format: PixelFormat) throws {
    let white = [UInt8](repeating: 255, count: 4 * 8 * 8)
    let source = SpriteScene.picture(rgba: white, width: 8, height: 8)
    let sprite = try #require(
      Sprite.make(
        from: source, space: SpriteSpace(format: format, colorimetry: .bt709, blend: .over)))
    let picture = OwnedPicture.lumaRamp(format, height: 4)
    let map = SpriteScene.similarity(scale: 400, turn: (1, 0), x: -600, y: -1200)
    let compositor = SpriteCompositor(width: picture.width)
    let drawn = picture.withPicture { compositor.draw(sprite, by: map, alpha: 0.25, on: $0) }
    #expect(drawn)
    let luma = picture.codes[0].prefix(picture.width)
    #expect(zip(luma, luma.dropFirst()).allSatisfy { $0 <= $1 })
    // Three quarters of the codes' distance.
    #expect(picture.liveLumaCodes >= 877 * 3 / 4 - 7, "\(picture.liveLumaCodes)")
  }
}
