import Pixels
import Stickers
import Testing
import Threads

/// Pictures for the tests of drawing, the same at every run.
enum SpriteScene {
  /// Straight pixels: colours that change softly, alpha from 0 to 255 with flat parts at both.
  static func pixels(width: Int, height: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    func noise() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / Double(1 << 24)
    }
    let phases = (0..<8).map { _ in noise() }
    func wave(_ x: Int, _ k: Int) -> Double {
      // A triangle wave, 0...1.
      let t = Double(x) * (0.03 + 0.02 * phases[k]) + phases[7 - k]
      return abs(2 * (t - t.rounded(.down)) - 1)
    }
    var out: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for k in 0..<3 { out.append(UInt8(255 * wave(x + 2 * y * k, k))) }
        let a = 1.6 * wave(x, 4) * wave(y, 5) * 2 - 0.3
        out.append(UInt8(255 * min(max(a, 0), 1)))
      }
    }
    return out
  }

  static func picture(rgba pixels: [UInt8], width: Int, height: Int) -> OwnedPicture {
    let owned = OwnedPicture(format: .rgba, width: width, height: height, colorimetry: .rgb)
    owned.withPicture { picture in
      for y in 0..<height {
        let row = picture.plane(0).row(y)
        for x in 0..<4 * width { row[x] = pixels[4 * y * width + x] }
      }
    }
    return owned
  }

  /// A picture of soft noise to draw on; alpha, where there is one, varies when asked for.
  static func ground(
    _ format: PixelFormat, width: Int, height: Int, colorimetry: Colorimetry,
    site: ChromaSite = .mpeg2, variesAlpha: Bool = true
  ) -> OwnedPicture {
    let owned = OwnedPicture(
      format: format, width: width, height: height, colorimetry: colorimetry, chromaSite: site)
    var state: UInt32 = 7
    owned.withPicture { picture in
      for index in 0..<format.layout.planeCount {
        let plane = picture.plane(index)
        for y in 0..<plane.height {
          let row = plane.row(y)
          for x in 0..<row.count {
            state = state &* 1_664_525 &+ 1_013_904_223
            row[x] = UInt8(state >> 24)
          }
        }
      }
      if format.hasAlpha {
        let alpha = picture.component(3)
        for y in 0..<height {
          for x in 0..<width where !variesAlpha || (x / 8 + y / 8) % 3 == 0 {
            alpha[x, y] = variesAlpha && x % 2 == 0 ? 0 : 255
          }
        }
      }
    }
    return owned
  }

  static func bytes(_ owned: OwnedPicture) -> [UInt8] {
    owned.withPicture { picture in
      (0..<picture.format.layout.planeCount).flatMap { index in
        let plane = picture.plane(index)
        return (0..<plane.height).flatMap { y in
          let row = plane.row(y)
          return (0..<row.count).map { row[$0] }
        }
      }
    }
  }

  static func similarity(scale: Double, turn: (cosine: Double, sine: Double), x: Double, y: Double)
    -> Affine
  {
    Affine(
      a: scale * turn.cosine, b: scale * turn.sine, c: -scale * turn.sine,
      d: scale * turn.cosine, tx: x, ty: y)
  }
}

/// Runs slices last to first, as `threadCount` threads would have them.
final class ReversedRunner: SliceRunner {
  let threadCount: Int
  init(_ threadCount: Int) { self.threadCount = threadCount }
  func run(_ count: Int, _ body: (Int) -> Void) {
    for slice in (0..<count).reversed() { body(slice) }
  }
}

@Suite struct SpriteCompositorTests {
  static let upright = (cosine: 1.0, sine: 0.0)
  static let turned = (cosine: 0.8, sine: 0.6)

  struct Case: Sendable, CustomStringConvertible {
    let format: PixelFormat
    let blend: SpriteBlend
    var description: String { "\(format) \(blend)" }
  }

  static let cases = PixelFormat.allCases.flatMap { format in
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
    for (index, map) in maps.enumerated() {
      for alpha in [1, 0.6] {
        let colorimetry =
          test.format.family == .rgb ? Colorimetry.rgb : [.bt601, .bt709, .bt2020][index]
        let ground = SpriteScene.ground(
          test.format, width: 33, height: 27, colorimetry: colorimetry, site: sites[index])
        let reference = SpriteReference(
          pixels: pixels, width: 23, height: 17, transform: map, alpha: alpha, blend: test.blend)
        let expected = ground.withPicture { reference.expected($0) }
        let before = ground.withPicture { Self.components($0) }
        let sprite = try #require(
          Sprite.make(
            from: source,
            space: SpriteSpace(format: test.format, colorimetry: colorimetry, blend: test.blend)))
        let compositor = SpriteCompositor(width: 33, threadCount: 1)
        let drawn = ground.withPicture {
          compositor.draw(
            sprite, by: map, alpha: alpha, blend: test.blend, on: $0, runner: SerialRunner())
        }
        #expect(drawn)
        let after = ground.withPicture { Self.components($0) }
        for component in expected.indices {
          var worst = 0.0
          var strayed = 0
          for (k, value) in expected[component].enumerated() {
            let ideal = min(max(value.value.rounded(), 0), 255)
            worst = max(worst, abs(ideal - Double(after[component][k])) * value.weight)
            if !value.isTouched && after[component][k] != before[component][k] { strayed += 1 }
          }
          #expect(worst <= 1, "component \(component), map \(index), alpha \(alpha)")
          #expect(strayed == 0, "component \(component), map \(index): untouched bytes changed")
        }
      }
    }
  }

  private static func components(_ picture: borrowing Picture) -> [[UInt8]] {
    var all: [[UInt8]] = []
    for index in picture.format.layout.components.indices {
      let component = picture.component(index)
      var samples: [UInt8] = []
      for y in 0..<component.height {
        for x in 0..<component.width { samples.append(component[x, y]) }
      }
      all.append(samples)
    }
    return all
  }
}
