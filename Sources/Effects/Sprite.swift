package import Pixels

/// A picture made ready to be drawn anywhere at any size: premultiplied, in the components of
/// the pictures it will be drawn on, and in sizes a half octave apart.
///
/// Immutable, so any number of elements and threads may share one. It must be made anew when
/// the colorimetry of the stream changes.
package final class Sprite: Sendable {
  /// Size of the picture it was made from, in pixels.
  package let width: Int
  package let height: Int
  package let space: SpriteSpace
  let levels: [SpriteLevel]

  /// Longest side of a picture that can be a sprite, in pixels.
  package static let maximumSide = 16384
  /// Most pixels of one picture, or of all frames of a pack together.
  package static let maximumPixels = 64 << 20
  /// Makes a sprite of a picture of red, green, blue and straight alpha.
  ///
  /// Nil when the picture has another format, or is larger than the limits above. Takes time
  /// in proportion to the pixels: not for the streaming thread of a live source.
  package init?(_ picture: borrowing Picture, space: SpriteSpace) {
    guard picture.format == .rgba, picture.width <= Self.maximumSide,
      picture.height <= Self.maximumSide,
      picture.width * picture.height <= Self.maximumPixels
    else { return nil }
    width = picture.width
    height = picture.height
    self.space = space
    let plane = picture.plane(0)
    let convert = Self.converter(to: space)
    let clear = Self.clear(space)
    var row = plane.row(0)
    var rowIndex = 0
    let first = SpriteLevel(width: width, height: height, clear: clear) { x, y in
      if y != rowIndex {
        row = plane.row(y)
        rowIndex = y
      }
      let alpha = row[4 * x + 3]
      guard alpha > 0 else { return clear }
      return convert(row[4 * x], row[4 * x + 1], row[4 * x + 2], alpha)
    }
    levels = Self.pyramid(from: first, clear: clear)
  }

  /// As the initialiser, from a picture that owns its memory.
  package static func make(from picture: OwnedPicture, space: SpriteSpace) -> Sprite? {
    picture.withPicture { Sprite($0, space: space) }
  }

  /// A fully transparent pixel.
  static func clear(_ space: SpriteSpace) -> UInt32 {
    switch space {
    case .rgb: 0
    case .ycc: 128 << 8 | 128 << 16
    }
  }

  /// All sizes, each with sides 2^-1/2 times the last one's, down to one pixel.
  private static func pyramid(from first: SpriteLevel, clear: UInt32) -> [SpriteLevel] {
    var levels = [first]
    var scale = 1.0
    while max(levels[levels.count - 1].width, levels[levels.count - 1].height) > 1 {
      scale /= 2.0.squareRoot()
      let width = max(1, Int((Double(first.width) * scale - 1e-6).rounded(.up)))
      let height = max(1, Int((Double(first.height) * scale - 1e-6).rounded(.up)))
      // Every octave is made from the octave before it, so that roundings stay few.
      let source = levels[max(0, levels.count - 2)]
      levels.append(
        levels.count == 1
          ? source.reduced(by: 0.5.squareRoot(), width: width, height: height, clear: clear)
          : source.halved(width: width, height: height, clear: clear))
    }
    return levels
  }

  /// The level to take for a sprite drawn at `scale`, and that level's own scale.
  ///
  /// The largest reduction that still has to shrink by 0.88 or more is sharp and steady: at
  /// residual scales near 1 bilinear sampling blurs by its phase, at small ones it shimmers.
  func level(for scale: Double) -> (index: Int, scale: Double) {
    var index = 0
    var levelScale = 1.0
    let next = 0.5.squareRoot()
    while index + 1 < levels.count, scale / (levelScale * next) <= 0.88 {
      index += 1
      levelScale *= next
    }
    return (index, levelScale)
  }

  /// Maps a straight pixel with alpha over 0 to its premultiplied components.
  private static func converter(
    to space: SpriteSpace
  ) -> (_ r: UInt8, _ g: UInt8, _ b: UInt8, _ alpha: UInt8) -> UInt32 {
    switch space {
    case .rgb:
      return { r, g, b, alpha in
        let a = UInt16(alpha)
        return UInt32(dividedBy255(UInt16(r) * a)) | UInt32(dividedBy255(UInt16(g) * a)) << 8
          | UInt32(dividedBy255(UInt16(b) * a)) << 16 | UInt32(alpha) << 24
      }
    case .ycc(let colorimetry):
      return { r, g, b, alpha in
        let code = colorimetry.ycc(r: Float(r), g: Float(g), b: Float(b))
        let share = Float(alpha) / 255
        let y = min(max(code.y, 0), 255) * share + 0.5
        let cb = min(max((code.cb - 128) * share + 128.5, 0), 255)
        let cr = min(max((code.cr - 128) * share + 128.5, 0), 255)
        return UInt32(min(y, Float(alpha))) | UInt32(cb) << 8 | UInt32(cr) << 16
          | UInt32(alpha) << 24
      }
    }
  }
}
