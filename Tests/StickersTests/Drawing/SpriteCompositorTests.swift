import Pixels
import Stickers
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct SpriteCompositorTests {
  static let upright = (cosine: 1.0, sine: 0.0)
  static let turned = (cosine: 0.8, sine: 0.6)

  struct Case: Sendable, CustomStringConvertible {
    let format: PixelFormat
    let blend: SpriteBlend
    var description: String { "\(format) \(blend)" }
  }

  static let cases = PixelFormat.eightBit.flatMap { format in
    SpriteBlend.allCases.map { Case(format: format, blend: $0) }
  }

  /// Where the picture has alpha, colours count by how much of them is seen: a sprite's own 8
  /// bits say little of the colour of what is nearly transparent.
  @Test(arguments: cases)
  func everyFormatAndBlendIsWithinOneLevelOfDoublePrecision(_ test: Case) throws {
    let pixels = SpriteScene.pixels(width: 23, height: 17)
    let source = SpriteScene.picture(rgba: pixels, width: 23, height: 17)
    let maps = [
      SpriteScene.similarity(scale: 1, turn: Self.upright, x: 5, y: 3),
      SpriteScene.similarity(scale: 1.25, turn: Self.upright, x: -6.25, y: 9.5),
      SpriteScene.similarity(scale: 1.1, turn: Self.turned, x: 15.3, y: -4.6),
    ]
    let sites = [
      ChromaSite.mpeg2, .center,
      ChromaSite(isCositedHorizontally: true, isCositedVertically: true),
    ]
    for ((index, map), alpha) in product(maps.enumerated(), [1, 0.6]) {
      let colorimetry =
        test.format.family == .rgb ? Colorimetry.rgb : [.bt601, .bt709, .bt2020][index]
      let ground = SpriteScene.ground(
        test.format, width: 33, height: 27, colorimetry: colorimetry, site: sites[index])
      let reference = SpriteReference(
        pixels: pixels, width: 23, height: 17, transform: map, alpha: alpha, blend: test.blend)
      let expected = ground.withPicture { reference.expected($0) }
      let before = ground.samples
      let sprite = try #require(
        Sprite.make(
          from: source,
          space: SpriteSpace(format: test.format, colorimetry: colorimetry, blend: test.blend)))
      let compositor = SpriteCompositor(width: 33)
      let drawn = ground.withPicture {
        compositor.draw(
          sprite, by: map, alpha: alpha, blend: test.blend, on: $0)
      }
      #expect(drawn)
      let after = ground.samples
      for component in expected.indices {
        let (worst, strayed) = Self.error(
          of: after[component], before[component], expected[component])
        #expect(worst <= 1, "component \(component), map \(index), alpha \(alpha)")
        #expect(strayed == 0, "component \(component), map \(index): untouched bytes changed")
      }
    }
  }

  /// The largest distance to what is expected, weighted, and how many untouched samples changed.
  private static func error(
    of after: [UInt8], _ before: [UInt8], _ expected: [SpriteReference.Expected]
  ) -> (worst: Double, strayed: Int) {
    var (worst, strayed) = (0.0, 0)
    for (k, value) in expected.enumerated() {
      let ideal = min(max(value.value.rounded(), 0), 255)
      worst = max(worst, abs(ideal - Double(after[k])) * value.weight)
      if !value.isTouched && after[k] != before[k] { strayed += 1 }
    }
    return (worst, strayed)
  }
}
