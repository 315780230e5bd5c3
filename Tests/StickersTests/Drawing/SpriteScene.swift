import Pixels
import Stickers
import Support

/// Pictures for the tests of drawing, the same at every run.
enum SpriteScene {
  /// Straight pixels: colours that change softly, alpha from 0 to 255 with flat parts at both.
  static func pixels(width: Int, height: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SplitMix(seed)
    let phases = (0..<8).map { _ in Double(random.uniform()) }
    func wave(_ x: Int, _ k: Int) -> Double {
      // A triangle wave, 0...1.
      let t = Double(x) * (0.03 + 0.02 * phases[k]) + phases[7 - k]
      return abs(2 * (t - t.rounded(.down)) - 1)
    }
    var out: [UInt8] = []
    for (y, x) in product(0..<height, 0..<width) {
      for k in 0..<3 { out.append(UInt8(255 * wave(x + 2 * y * k, k))) }
      let a = 1.6 * wave(x, 4) * wave(y, 5) * 2 - 0.3
      out.append(UInt8(255 * min(max(a, 0), 1)))
    }
    return out
  }

  static func picture(rgba pixels: [UInt8], width: Int, height: Int) -> OwnedPicture {
    let owned = OwnedPicture(format: .rgba, width: width, height: height, colorimetry: .rgb)
    owned.withPicture { $0.fillBytes { x, y in pixels[4 * y * width + x] } }
    return owned
  }

  /// A picture of soft noise to draw on; alpha, where there is one, varies when asked for.
  static func ground(
    _ format: PixelFormat, width: Int, height: Int, colorimetry: Colorimetry,
    site: ChromaSite = .mpeg2, variesAlpha: Bool = true
  ) -> OwnedPicture {
    let owned = OwnedPicture.noise(
      VideoFormat(
        format: format, width: width, height: height, colorimetry: colorimetry, chromaSite: site),
      seed: 7)
    guard format.hasAlpha else { return owned }
    owned.withPicture { picture in
      let alpha = picture.component(3)
      for (y, x) in product(0..<height, 0..<width) where !variesAlpha || (x / 8 + y / 8) % 3 == 0 {
        alpha[x, y] = variesAlpha && x % 2 == 0 ? 0 : 255
      }
    }
    return owned
  }

  static func similarity(scale: Double, turn: (cosine: Double, sine: Double), x: Double, y: Double)
    -> Affine
  {
    Affine(
      a: scale * turn.cosine, b: scale * turn.sine, c: -scale * turn.sine,
      d: scale * turn.cosine, tx: x, ty: y)
  }

  static func sprite(
    _ pixels: [UInt8], width: Int, height: Int, for format: PixelFormat,
    blend: SpriteBlend = .over
  ) -> Sprite? {
    Sprite.make(
      from: SpriteScene.picture(rgba: pixels, width: width, height: height),
      space: SpriteSpace(format: format, colorimetry: format.colorimetry(.bt709), blend: blend))
  }

  /// A picture of one colour.
  static func flat(_ format: PixelFormat, width: Int, height: Int) -> OwnedPicture {
    let owned = OwnedPicture(
      format: format, width: width, height: height, colorimetry: format.colorimetry(.bt709))
    owned.withPicture { picture in
      for index in format.layout.components.indices {
        let value: UInt8 = index == 3 ? 255 : format.family == .ycc && index > 0 ? 128 : 30
        picture.component(index).fill { _, _ in value }
      }
    }
    return owned
  }
}
