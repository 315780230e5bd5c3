import Compose
import Pixels
import ScreenKey
import Support
import Testing
import Threads

/// What has to hold to the last bit.
@Suite(.timeLimit(.minutes(20))) struct ChromaKeyExactnessTests {
  /// All formats with colour.
  static let formats = PixelFormat.eightBit.filter { $0 != .gray8 }
  static let green: (Float, Float, Float) = (0, 255, 0)
  static let brown: (Float, Float, Float) = (150, 90, 60)

  @Test(arguments: formats) func pureGreenBecomesTransparent(_ format: PixelFormat) {
    for (width, height) in [(1, 1), (2, 2), (3, 5), (40, 24)] {
      let picture = plain(
        format, width, height, rgb: Self.green, colorimetry: format.colorimetry(.bt709))
      let keyed = ChromaKeyer(for: picture).keyed(picture).samples
      #expect(keyed[3].allSatisfy { $0 == 0 }, "\(width)x\(height)")
    }
  }

  @Test(arguments: formats) func aFrameWithoutAScreenIsOpaqueAndUnchanged(
    _ format: PixelFormat
  ) {
    for (width, height) in [(1, 1), (2, 2), (3, 5), (65, 49)] {
      let picture = plain(
        format, width, height, rgb: Self.brown, colorimetry: format.colorimetry(.bt709))
      roughen(picture, seed: 5)
      let before = picture.samples
      let after = ChromaKeyer(for: picture).keyed(picture).samples
      #expect(after[3].allSatisfy { $0 == 255 })
      let isWidened = before[1].count != after[1].count
      for index in 0..<(isWidened ? 1 : 3) { #expect(after[index] == before[index]) }
      guard isWidened else { continue }
      // 4:2:2 chroma that lies on even columns is kept there.
      let columns = (width + 1) / 2
      for (y, x) in product(0..<height, 0..<columns) {
        for index in 1...2 {
          #expect(after[index][y * width + 2 * x] == before[index][y * columns + x])
        }
      }
    }
  }

  /// Left half screen, right half subject, in each format: alpha, colour and background.
  @Test(arguments: formats) func subjectAndScreenAreExactOnEitherSideOfAnEdge(
    _ format: PixelFormat
  ) {
    let width = 129
    let height = 35
    let picture = plain(
      format, width, height, rgb: Self.brown, colorimetry: format.colorimetry(.bt709))
    paint(picture, rgb: (62, 172, 84), columns: 0..<64)
    let before = picture.samples
    let keyed = ChromaKeyer(for: picture).keyed(picture).samples
    for (y, x) in product(0..<height, 0..<width) where x < 60 || x > 68 {
      #expect(keyed[3][y * width + x] == (x < 64 ? 0 : 255))
      if x > 68 { #expect(keyed[0][y * width + x] == before[0][y * width + x]) }
    }
    let background = Background(
      color: 0xff20_40c0,
      for: VideoFormat(
        format: format, width: width, height: height, colorimetry: picture.colorimetry))
    let target = plain(
      format, width, height, rgb: (0x20, 0x40, 0xc0), colorimetry: picture.colorimetry
    ).samples
    let composed = ChromaKeyer(for: picture).keyed(picture, background: background).samples
    for (index, place) in format.layout.components.enumerated() {
      let columns = PixelLayout.subsampled(width, by: place.hShift)
      for (at, value) in composed[index].enumerated() {
        let x = (at % columns) << place.hShift
        if x < 60 { #expect(value == target[index][at]) }
        if x > 68 { #expect(value == before[index][at]) }
      }
    }
  }

  @Test(arguments: [PixelFormat.i420, .nv12, .yuy2, .rgbx, .ayuv])
  func everyThreadCountGivesTheSameBits(_ format: PixelFormat) throws {
    var settings = ChromaKeyScene.Settings()
    settings.width = 161
    settings.height = 91
    let colors = format.colorimetry(.bt709)
    let picture = try ChromaKeyScene(settings).picture(format, colorimetry: colors)
    var look = ChromaKeySettings()
    look.matte.shrink = 1.5
    look.matte.soften = 1
    let background = Background(
      color: 0xff20_40c0,
      for: VideoFormat(format: format, width: 161, height: 91, colorimetry: colors))
    let alone = ChromaKeyer(look, for: picture).keyed(picture).samples
    let before = ChromaKeyer(for: picture).keyed(picture, background: background).samples
    for threads in [2, 3, 7] {
      let runner = BackwardRunner(threads)
      #expect(ChromaKeyer(look, for: picture).keyed(picture, runner: runner).samples == alone)
      #expect(
        ChromaKeyer(for: picture).keyed(picture, background: background, runner: runner).samples
          == before)
    }
  }

  @Test func workingInPlaceGivesTheSameBitsAsWorkingIntoAnotherPicture() throws {
    var settings = ChromaKeyScene.Settings()
    settings.width = 161
    settings.height = 91
    let scene = try ChromaKeyScene(settings)
    for format in [PixelFormat.i420, .nv12, .yuy2, .rgba, .a420, .ayuv] {
      let colors = format.colorimetry(.bt709)
      let picture = scene.picture(format, colorimetry: colors)
      let background = Background(
        color: 0xff20_40c0,
        for: VideoFormat(format: format, width: 161, height: 91, colorimetry: colors))
      let elsewhere = ChromaKeyer(for: picture).keyed(picture, background: background).samples
      let keyer = ChromaKeyer(for: picture)
      picture.withPicture { from in
        picture.withPicture { to in
          keyer.process(
            source: from, destination: to, background: background, runner: SerialRunner())
        }
      }
      #expect(picture.samples == elsewhere, "\(format)")
    }
  }

  @Test func anAlphaPlaneAddedToTheFramesOwnMemoryGivesTheSameBits() throws {
    var settings = ChromaKeyScene.Settings()
    settings.width = 160
    settings.height = 90
    let picture = try ChromaKeyScene(settings).picture(.nv12)
    let elsewhere = ChromaKeyer(for: picture).keyed(picture).samples
    let extra = OwnedPicture(format: .av12, width: 160, height: 90, colorimetry: .bt709)
    let keyer = ChromaKeyer(for: picture)
    picture.withPicture { from in
      extra.withPicture { other in
        let joined = Picture(
          VideoFormat(format: .av12, width: 160, height: 90, colorimetry: .bt709),
          planes: [from.plane(0), from.plane(1), other.plane(2), nil])
        keyer.process(source: from, destination: joined, runner: SerialRunner())
      }
    }
    #expect(picture.samples == Array(elsewhere[0..<3]))
    #expect(extra.samples[3] == elsewhere[3])
  }

  @Test(arguments: [PixelFormat.i420, .nv12, .y42b, .rgb, .yuy2])
  func stridesAndPaddingDoNotMatter(_ format: PixelFormat) {
    let colors = format.colorimetry(.bt709)
    let tight = plain(
      format, 33, 17, rgb: Self.brown, colorimetry: colors, alignment: 1)
    let wide = plain(format, 33, 17, rgb: Self.brown, colorimetry: colors, alignment: 128)
    for picture in [tight, wide] { paint(picture, rgb: (20, 200, 40), columns: 0..<20) }
    #expect(
      ChromaKeyer(for: tight).keyed(tight).samples == ChromaKeyer(for: wide).keyed(wide).samples)
  }

  @Test(arguments: [Colorimetry.bt601, .bt709, .bt2020], [false, true])
  func everyMatrixAndRangeKeysItsOwnGreen(_ matrix: Colorimetry, _ isFullRange: Bool) {
    let colors = Colorimetry(matrix: matrix.matrix, isFullRange: isFullRange)
    for site in [ChromaSite.mpeg2, .center] {
      let picture = plain(
        .i420, 64, 36, rgb: Self.brown, colorimetry: colors, chromaSite: site)
      paint(picture, rgb: Self.green, columns: 0..<32)
      var settings = ChromaKeySettings()
      settings.method = .custom
      settings.color = 0xff00_ff00
      let keyed = ChromaKeyer(settings, for: picture).keyed(picture).samples[3]
      for y in 0..<36 {
        #expect(keyed[y * 64 + 20] == 0)
        #expect(keyed[y * 64 + 50] == 255)
      }
    }
  }
}
