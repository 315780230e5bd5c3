package import Pixels

/// The blend mode of a sprite and the picture under it (W3C Compositing and Blending Level 1).
package enum SpriteBlend: String, CaseIterable, Sendable {
  /// Source over: the sprite covers the picture.
  case over
  /// The sum of both colours, clipped at white.
  case add
  /// The product of both colours, as through coloured glass.
  case multiply
  /// The inverse of the product of the inverses: never darker than either, never above white.
  case screen
  /// Soft light: darkens or lightens the picture according to the sprite's colour.
  case softLight = "soft-light"
  /// The sprite's hue and saturation with the picture's luminosity.
  case color
}

/// The components that a sprite's pixels have; they depend on the picture drawn on.
package enum SpriteSpace: Sendable, Hashable {
  /// Premultiplied red, green, blue.
  case rgb
  /// Premultiplied luma and chroma codes; chroma is centred at 128 for every alpha.
  case ycc(Colorimetry)

  /// The space for a sprite drawn with `blend` on pictures of this format.
  ///
  /// Source over is linear and works on luma and chroma codes; the other blends are defined on red,
  /// green and blue.
  package init(format: PixelFormat, colorimetry: Colorimetry, blend: SpriteBlend) {
    self = format.family == .rgb || blend != .over ? .rgb : .ycc(colorimetry)
  }

  /// A transparent pixel in the layout of `SpritePixels`.
  var clear: UInt32 {
    switch self {
    case .rgb: 0
    case .ycc: 128 << 8 | 128 << 16
    }
  }
}
