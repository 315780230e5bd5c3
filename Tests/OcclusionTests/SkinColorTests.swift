import Testing

@testable import Occlusion

/// Colours that are skin in another light, and colours that are none.
@Suite struct SkinColorTests {
  /// Light skin, as luma, Cb and Cr.
  private let skin = SkinColor(median: SIMD3(170, -20, 24))

  @Test(arguments: [0.3, 0.5, 0.8, 1, 1.1] as [Float])
  func skinInShadeIsSkin(light: Float) {
    let color = skin.median * light
    #expect(!skin.excludes(color))
    #expect(skin.isLikely(color) == (light >= 0.5))
    // Shade is redder than light, and lips are too.
    #expect(!skin.excludes(color + SIMD3(0, -0.05, 0.15) * color.x))
  }

  @Test func greyBlueGreenAndBrightRedThingsAreNotSkin() {
    for color in [
      SIMD3<Float>(110, 0, 0), SIMD3(90, 40, -10), SIMD3(120, -30, -40), SIMD3(100, -27, 69),
      SIMD3(40, 2, 0),
    ] {
      #expect(skin.excludes(color), "\(color)")
      #expect(!skin.isLikely(color), "\(color)")
    }
  }

  @Test func highlightsAndBlackAreNotJudged() {
    for color in [SIMD3<Float>(235, 0, 0), SIMD3(10, 0, 0)] {
      #expect(!skin.excludes(color), "\(color)")
      #expect(!skin.isLikely(color), "\(color)")
    }
    #expect(skin.isDark(SIMD3(10, 0, 0)))
  }

  @Test func nothingInAGreyPictureIsAnotherColour() {
    let grey = SkinColor(median: SIMD3(150, 0, 0))
    for luma in stride(from: Float(0), through: 255, by: 15) {
      #expect(!grey.excludes(SIMD3(luma, 0, 0)))
    }
  }
}
