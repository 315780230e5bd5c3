import Faces
import Pixels
import Retouch
import Support
import Testing
import Threads

/// Retouching in the bits of 10-bit streams.
@Suite(.timeLimit(.minutes(20))) struct DeepRetouchTests {
  private static func settings(_ intensity: Double = 1) -> RetouchSettings {
    var settings = RetouchSettings()
    (settings.intensity, settings.brightness, settings.evenSkin) = (intensity, 0.6, 0.5)
    return settings
  }

  /// What 8 bits give, but for what they round; all else keeps every bit.
  @Test(arguments: PixelFormat.deep)
  func tenBitsAgreeWithEight(_ format: PixelFormat) {
    for (width, height) in [(97, 83), (80, 96)] {
      let made = MadeFace(center: Point(x: 47, y: 44), size: 58, width: width, height: height)
      let small = OwnedPicture(
        format: format.eightBitCounterpart, width: width, height: height, colorimetry: .bt709)
      small.draw(skin((190, 140, 115), grain: 6))
      let large = small.deepened(format, seed: 5)
      let (smallBefore, largeBefore) = (small.codes, large.codes)
      SkinRetouch().treat(small, [made.face()], Self.settings())
      SkinRetouch().treat(large, [made.face()], Self.settings())
      let (eight, ten, unit) = (small.codes, large.codes, format.codesInByte)
      var (changed, strayed, worst) = (0, 0, 0)
      for index in 0..<3 {
        for place in eight[index].indices {
          let (old, new) = (smallBefore[index][place], eight[index][place])
          let (oldTen, newTen) = (largeBefore[index][place], ten[index][place])
          if old != new { changed += 1 }
          let (byEight, byTen) = (Int(new) - Int(old), Int(newTen) - Int(oldTen))
          worst = max(worst, abs(byEight * unit - byTen))
          if byTen != 0, byEight == 0, abs(byTen) * 4 > 5 * unit {
            strayed += 1
          }
        }
      }
      #expect(
        changed > 500 && strayed == 0 && worst * 4 <= 8 * unit, "\(changed), \(strayed), \(worst)")
    }
  }

  /// The next stream may have another layout of the same 8 bits.
  @Test func anotherFormatIsRetouchedByItsOwnPicture() {
    let retouch = SkinRetouch()
    let made = MadeFace(center: Point(x: 47, y: 44), size: 58, width: 97, height: 83)
    for (red, format) in [(190.0, PixelFormat.p010), (120, .i420Ten), (160, .a420Ten)] {
      let small = OwnedPicture(format: .i420, width: 97, height: 83, colorimetry: .bt709)
      small.draw(skin((red, 140, 115), grain: 6))
      let (large, expected) = (small.deepened(format, seed: 5), small.deepened(format, seed: 5))
      retouch.treat(large, [made.face()], Self.settings())
      SkinRetouch().treat(expected, [made.face()], Self.settings())
      #expect(large.codes == expected.codes, "\(format)")
    }
  }

  /// A whole frame of rising luma stays a whole frame of different codes.
  @Test(arguments: PixelFormat.deepOpaque)
  func aRampKeepsItsCodes(_ format: PixelFormat) {
    let picture = OwnedPicture.lumaRamp(format, height: 64)
    let before = picture.codes
    var settings = RetouchSettings()
    settings.mask = .full
    (settings.intensity, settings.brightness) = (0, 0)
    SkinRetouch().treat(picture, [], settings)
    #expect(picture.codes == before)
    settings.intensity = 1
    SkinRetouch().treat(picture, [], settings)
    #expect(picture.codes != before)
    #expect(picture.liveLumaCodes >= 870, "\(picture.liveLumaCodes)")
  }

  @Test(arguments: PixelFormat.deep) func theMaskIsShown(_ format: PixelFormat) {
    let made = MadeFace(center: Point(x: 47, y: 44), size: 58, width: 97, height: 83)
    let small = OwnedPicture(
      format: format.eightBitCounterpart, width: 97, height: 83, colorimetry: .bt709)
    small.draw(skin((190, 140, 115), grain: 6))
    let large = small.deepened(format)
    var settings = Self.settings()
    settings.showsMask = true
    for picture in [small, large] { SkinRetouch().treat(picture, [made.face()], settings) }
    #expect(large.distance(toEightBit: small) * 4 <= 3 * format.codesInByte)
    #expect(Set(large.codes[0]).count > 10)
  }
}
