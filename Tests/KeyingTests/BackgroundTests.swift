import Compose
import Pixels
import ScreenKey
import Support
import Testing

/// Pictures and colours put behind the subject.
@Suite(.timeLimit(.minutes(20))) struct BackgroundTests {
  /// All screen: what comes out is the background itself.
  private func shown(
    _ background: Background?, _ format: PixelFormat, _ width: Int, _ height: Int,
    _ colorimetry: Colorimetry, _ site: ChromaSite = .mpeg2
  ) -> [[UInt8]] {
    let picture = plain(
      format, width, height, rgb: (0, 200, 0), colorimetry: colorimetry, chromaSite: site)
    return ChromaKeyer(for: picture).keyed(picture, background: background).samples
  }

  @Test(arguments: PixelFormat.eightBit.filter { $0 != .gray8 })
  func aPictureOfOneColourIsThatColourInEveryFormat(_ format: PixelFormat) {
    let colors = format.colorimetry(.bt601)
    let image = plain(.rgba, 37, 11, rgb: (200, 40, 90), colorimetry: .rgb)
    for (width, height) in [(1, 1), (3, 5), (64, 36)] {
      for site in [ChromaSite.mpeg2, .center] {
        let background = image.withPicture { image in
          Background(
            image: image, color: 0,
            for: VideoFormat(
              format: format, width: width, height: height, colorimetry: colors, chromaSite: site))
        }
        let expected = plain(
          format, width, height, rgb: (200, 40, 90), colorimetry: colors, chromaSite: site
        ).samples
        let found = shown(background, format, width, height, colors, site)
        #expect(background != nil)
        for index in 0..<3 {
          for (a, b) in zip(found[index], expected[index]) { #expect(abs(Int(a) - Int(b)) <= 1) }
        }
      }
    }
  }

  @Test func aWidePictureIsCroppedEquallyAtBothSides() {
    // Red, then grey in the middle half, then blue; twice as wide as the frame.
    let image = plain(.rgba, 200, 50, rgb: (128, 128, 128), colorimetry: .rgb)
    paint(image, rgb: (255, 0, 0), columns: 0..<50)
    paint(image, rgb: (0, 0, 255), columns: 150..<200)
    let background = image.withPicture { image in
      Background(
        image: image, color: 0,
        for: VideoFormat(format: .rgbx, width: 200, height: 100, colorimetry: .rgb))
    }
    let red = shown(background, .rgbx, 200, 100, .rgb)[0]
    #expect(red[50 * 200 + 5] == 128)
    #expect(red[50 * 200 + 195] == 128)
  }

  @Test func shrinkingAveragesInsteadOfDroppingPixels() {
    // Columns of black and white, twenty to an output pixel: grey.
    let image = OwnedPicture(format: .rgba, width: 640, height: 320, colorimetry: .rgb)
    for x in 0..<640 {
      let value: Float = x % 2 == 0 ? 0 : 255
      paint(image, rgb: (value, value, value), columns: x..<x + 1)
    }
    let background = image.withPicture { image in
      Background(
        image: image, color: 0,
        for: VideoFormat(format: .rgbx, width: 32, height: 16, colorimetry: .rgb))
    }
    #expect(shown(background, .rgbx, 32, 16, .rgb)[0].allSatisfy { abs(Int($0) - 128) <= 7 })
  }

  @Test func transparentPixelsShowTheColour() {
    let image = OwnedPicture(format: .rgba, width: 8, height: 8, colorimetry: .rgb)
    let background = image.withPicture { image in
      Background(
        image: image, color: 0xff20_4060,
        for: VideoFormat(format: .rgbx, width: 16, height: 16, colorimetry: .rgb))
    }
    let found = shown(background, .rgbx, 16, 16, .rgb)
    #expect(found[0].allSatisfy { $0 == 0x20 })
    #expect(found[1].allSatisfy { $0 == 0x40 })
    #expect(found[2].allSatisfy { $0 == 0x60 })
  }

  @Test(arguments: [(1, 4000), (4000, 1), (1, 1)])
  func thinPicturesAreScaledToo(_ width: Int, _ height: Int) {
    let image = plain(.rgba, width, height, rgb: (9, 9, 9), colorimetry: .rgb)
    let background = image.withPicture { image in
      Background(
        image: image, color: 0,
        for: VideoFormat(format: .rgbx, width: 20, height: 10, colorimetry: .rgb))
    }
    #expect(shown(background, .rgbx, 20, 10, .rgb)[0].allSatisfy { $0 == 9 })
  }

  @Test func aPictureOutsideTheRGBFamilyIsRejected() {
    let image = plain(.i420, 8, 8, rgb: (9, 9, 9))
    let background = image.withPicture { image in
      Background(
        image: image, color: 0,
        for: VideoFormat(format: .rgbx, width: 20, height: 10, colorimetry: .rgb))
    }
    #expect(background == nil)
  }

  @Test func theSourcesOwnAlphaShowsTheBackground() {
    let picture = plain(.rgba, 32, 32, rgb: (150, 90, 60), colorimetry: .rgb)
    picture.withPicture { frame in
      for y in 0..<32 { for x in 0..<16 { frame.component(3)[x, y] = 0 } }
    }
    let background = Background(
      color: 0xff10_2030, for: VideoFormat(format: .rgba, width: 32, height: 32, colorimetry: .rgb))
    let composed = ChromaKeyer(for: picture).keyed(picture, background: background).samples
    #expect(composed[0][5] == 0x10)
    #expect(composed[0][20] == 150)
    #expect(composed[3].allSatisfy { $0 == 255 })
  }
}
