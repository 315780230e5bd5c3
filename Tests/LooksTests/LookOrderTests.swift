import Looks
import Pixels
import Support
import Testing
import Threads

/// Relations between looks that do not depend on taste.
@Suite(.timeLimit(.minutes(20))) struct LookOrderTests {
  private static func changed(
    _ picture: OwnedPicture, _ look: Look, intensity: Double = 1
  ) -> [[[UInt8]]] {
    let effect = PhotoEffect()
    var settings = LookSettings()
    (settings.look, settings.intensity) = (look, intensity)
    effect.configure(picture.video)
    picture.withPicture { effect.process($0, settings, runner: SerialRunner()) }
    return Samples3(picture).planes
  }

  private static func slope(_ look: Look) -> Double {
    let map = look.map
    return (map(Color(repeating: 0.55)).luma - map(Color(repeating: 0.45)).luma) / 0.1
  }

  @Test func noirHasMoreContrastThanTonalAndThatMoreThanMono() {
    #expect(Self.slope(.noir) > Self.slope(.tonal) + 0.2)
    #expect(Self.slope(.tonal) > Self.slope(.mono) + 0.05)
  }

  /// Means over the colours that can be shown.
  private static func mean(_ look: Look, _ measure: (Color) -> Double) -> Double {
    var random = SplitMix(3)
    let map = look.map
    var sum = 0.0
    for _ in 0..<4000 {
      let color = Color(
        Double(random.uniform()), Double(random.uniform()), Double(random.uniform()))
      sum += measure(map(color).clamped(lowerBound: .zero, upperBound: .one))
    }
    return sum / 4000
  }

  @Test func chromeIsMoreColourfulThanThePictureAndThatMoreThanFade() {
    let saturation = { (color: Color) in color.max() - color.min() }
    let (chrome, none, fade) = (
      Self.mean(.chrome, saturation), Self.mean(.none, saturation), Self.mean(.fade, saturation)
    )
    #expect(chrome > none * 1.05 && none > fade * 1.2)
    #expect(Self.mean(.vivid, saturation) > none * 1.05)
  }

  @Test func transferIsWarmAndProcessIsCool() {
    let warmth = { (color: Color) in color.x - color.z }
    let none = Self.mean(.none, warmth)
    #expect(Self.mean(.transfer, warmth) > none + 0.05)
    #expect(Self.mean(.process, warmth) < none - 0.02)
    #expect(Self.mean(.warm, warmth) > none + 0.05)
    #expect(Self.mean(.cool, warmth) < none - 0.05)
    #expect(Self.mean(.sepia, warmth) > none + 0.1)
  }

  @Test(arguments: [Look.mono, .tonal, .noir], [PixelFormat.i420, .nv12, .yuy2, .y444, .ayuv])
  func oneColourHasNoChroma(look: Look, format: PixelFormat) {
    let planes = Self.changed(TestColors.picture(format, .bt709), look)
    for plane in planes[1...] { #expect(plane.allSatisfy { $0.allSatisfy { $0 == 128 } }) }
  }

  @Test(arguments: Look.allCases.filter { $0 != .cartoon })
  func greysStayInTheirOrder(look: Look) {
    let formats = [(PixelFormat.rgb, Colorimetry.rgb), (.y444, .bt601), (.i420, .bt709)]
    for ((format, colors), intensity) in product(formats, [0.4, 1]) {
      let picture = OwnedPicture(format: format, width: 512, height: 2, colorimetry: colors)
      picture.withPicture { picture in
        for index in 0..<3 {
          let isGrey = index == 0 || format.family == .rgb
          // Two of each, for they share their chroma.
          picture.component(index).fill { x, _ in isGrey ? UInt8(x / 2) : 128 }
        }
      }
      let planes = Self.changed(picture, look, intensity: intensity)
      for plane in planes.prefix(format.family == .rgb ? 3 : 1) {
        #expect(zip(plane[0], plane[0].dropFirst()).allSatisfy { $0 <= $1 })
      }
    }
  }

  @Test(arguments: PixelFormat.eightBit)
  func zeroIntensityChangesNothing(format: PixelFormat) {
    let picture = TestColors.picture(format, format.colorimetry(.bt709))
    let before = picture.tightBytes
    for (look, intensity) in [(Look.none, 1.0), (.noir, 0)] {
      _ = Self.changed(picture, look, intensity: intensity)
      #expect(picture.tightBytes == before)
    }
  }
}
