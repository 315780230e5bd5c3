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
  /// The sprite darkens or lightens the picture softly, as a light of its colour would.
  case softLight = "soft-light"
  /// The picture takes the sprite's colour, and keeps how light it is.
  case color
}

/// Which components the pixels of a sprite hold; the picture drawn on decides.
package enum SpriteSpace: Sendable, Hashable {
  /// Premultiplied red, green, blue.
  case rgb
  /// Premultiplied luma and chroma codes; chroma lies round 128 whatever its alpha.
  case ycc(Colorimetry)

  /// The space a sprite must have to be drawn with `blend` on such a picture: covering is linear and
  /// works on luma and chroma codes; the other blends are defined on red, green and blue.
  package init(format: PixelFormat, colorimetry: Colorimetry, blend: SpriteBlend) {
    self = format.family == .rgb || blend != .over ? .rgb : .ycc(colorimetry)
  }

  /// A fully transparent pixel, as sprites keep them; see `SpritePixels`.
  var clear: UInt32 {
    switch self {
    case .rgb: 0
    case .ycc: 128 << 8 | 128 << 16
    }
  }
}
