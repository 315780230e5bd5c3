package import Pixels

/// How a sprite's light meets the picture's.
package enum SpriteBlend: String, CaseIterable, Sendable {
  /// The sprite covers the picture.
  case over
  /// The sprite's light is added, up to white.
  case add
  /// The picture is seen through the sprite as through a coloured glass.
  case multiply
  /// Both lights are seen as two slides on one wall: never darker, never beyond white.
  case screen
}

/// Which components the pixels of a sprite hold; the picture drawn on decides.
package enum SpriteSpace: Sendable, Equatable {
  /// Premultiplied red, green, blue.
  case rgb
  /// Premultiplied luma and chroma codes; chroma lies round 128 whatever its alpha.
  case ycc(Colorimetry)

  /// The space a sprite must have to be drawn with `blend` on such a picture.
  ///
  /// Covering is linear and works on luma and chroma codes; the other blends are defined on
  /// red, green and blue.
  package init(format: PixelFormat, colorimetry: Colorimetry, blend: SpriteBlend) {
    switch (format.family, blend) {
    case (.rgb, _), (_, .add), (_, .multiply), (_, .screen): self = .rgb
    case (.ycc, .over), (.gray, .over): self = .ycc(colorimetry)
    }
  }
}

/// Red, green, blue (or luma, Cb, Cr round 0), 0...1, and alpha, in single precision.
struct BlendPixel {
  var c0: Float
  var c1: Float
  var c2: Float
  var alpha: Float

  /// The pixel after a premultiplied `tap` was laid on it; colours here are straight.
  ///
  /// Alpha is a + A (1 - a) for every blend; colour, premultiplied by A, is for over
  /// s + d (1 - a), add min(s + d, alpha), screen s + d - s d, multiply
  /// s (1 - A) + d (1 - a) + s d (Porter and Duff 1984; W3C Compositing and Blending Level 1,
  /// but add, which clips light and not colour).
  @inline(__always)
  func under(_ tap: BlendPixel, _ blend: SpriteBlend) -> BlendPixel {
    let out = tap.alpha + alpha * (1 - tap.alpha)
    guard out > 0 else { return self }
    let scale = 1 / out
    return BlendPixel(
      c0: Self.mix(tap.c0, c0 * alpha, tap.alpha, alpha, out, blend) * scale,
      c1: Self.mix(tap.c1, c1 * alpha, tap.alpha, alpha, out, blend) * scale,
      c2: Self.mix(tap.c2, c2 * alpha, tap.alpha, alpha, out, blend) * scale, alpha: out)
  }

  @inline(__always)
  private static func mix(
    _ s: Float, _ d: Float, _ a: Float, _ below: Float, _ out: Float, _ blend: SpriteBlend
  ) -> Float {
    switch blend {
    case .over: s + d * (1 - a)
    // Codes beyond white are left where they are, never pulled down.
    case .add: max(d, min(s + d, out))
    case .screen: s + d - s * d
    case .multiply: s * (1 - below) + d * (1 - a) + s * d
    }
  }
}
