package import Pixels
import Synchronization

/// A premultiplied picture with its mipmap, in the components of the pictures it is drawn on.
///
/// Neighbouring levels differ in scale by half an octave.
///
/// Immutable for its users, and shared between elements and threads: a level is made when it is
/// first drawn. Another colorimetry needs another sprite.
package final class Sprite: Sendable {
  /// Size of the source picture, in pixels.
  package let width, height: Int
  package let space: SpriteSpace
  /// The stored rectangle's top left corner in the picture, in pixels; outside the rectangle the
  /// picture is transparent.
  let origin: (x: Int, y: Int)
  private let levels: [LazyLevel]

  /// Maximum side of a source picture, in pixels.
  package static let maximumSide = 16384
  /// Maximum number of pixels of one picture, and of all frames of a pack together.
  package static let maximumPixels = 64 << 20
  /// Maximum number of pixels of a picture whose smaller levels are made on demand, which takes a
  /// few milliseconds of a frame's time.
  ///
  /// Larger pictures get all levels at once.
  private static let maximumLazyPixels = 512 * 512

  /// Makes a sprite from an RGBA picture with straight alpha.
  ///
  /// Nil for another format and above the limits. The time is proportional to the number of pixels:
  /// not for the streaming thread of a live source.
  package init?(_ picture: borrowing Picture, space: SpriteSpace) {
    guard picture.format == .rgba, picture.width <= Self.maximumSide,
      picture.height <= Self.maximumSide,
      picture.width * picture.height <= Self.maximumPixels
    else { return nil }
    (width, height) = (picture.width, picture.height)
    self.space = space
    let plane = picture.plane(0)
    let convert = Self.pixelConverter(to: space)
    let clear = space.clear
    let bounds = Self.opaqueBounds(plane, width: width, height: height)
    origin = (bounds.columns.lowerBound, bounds.rows.lowerBound)
    let first = SpriteLevel(
      width: bounds.columns.count, height: bounds.rows.count, clear: clear
    ) { x, y in
      let row = plane.row(y + bounds.rows.lowerBound)
      let at = 4 * (x + bounds.columns.lowerBound)
      let alpha = row[at + 3]
      guard alpha > 0 else { return clear }
      return convert(row[at], row[at + 1], row[at + 2], alpha)
    }
    levels = LazyLevel.mipmap(from: first)
    guard first.width * first.height > Self.maximumLazyPixels else { return }
    for index in levels.indices { _ = level(index) }
  }

  /// The bounding box of pixels with alpha above 0; one pixel if there are none.
  private static func opaqueBounds(
    _ plane: Plane, width: Int, height: Int
  ) -> (columns: Range<Int>, rows: Range<Int>) {
    var (left, right) = (width, 0)
    var (top, bottom) = (height, 0)
    for y in 0..<height {
      let row = plane.row(y)
      var first = 0
      while first < width, row[4 * first + 3] == 0 { first += 1 }
      guard first < width else { continue }
      var last = width - 1
      while row[4 * last + 3] == 0 { last -= 1 }
      (left, right) = (min(left, first), max(right, last + 1))
      (top, bottom) = (min(top, y), y + 1)
    }
    return left < right ? (left..<right, top..<bottom) : (0..<1, 0..<1)
  }

  /// The initialiser for a picture that owns its memory.
  package static func make(from picture: OwnedPicture, space: SpriteSpace) -> Sprite? {
    picture.withPicture { Sprite($0, space: space) }
  }

  /// The level for a sprite drawn at `scale`, and the level's own scale.
  ///
  /// May make the level.
  ///
  /// Chooses the smallest level that is drawn at no more than 1 / 0.88 of the next level's scale:
  /// near scale 1 bilinear sampling blurs according to phase, far below 1 it aliases.
  func level(for scale: Double) -> (level: SpriteLevel, scale: Double) {
    var index = 0
    var levelScale = 1.0
    let next = 0.5.squareRoot()
    while index + 1 < levels.count, scale / (levelScale * next) <= 0.88 {
      index += 1
      levelScale *= next
    }
    return (level(index), levelScale)
  }

  /// The size of a level, and its pixels once they are made.
  private final class LazyLevel: Sendable {
    let width, height: Int
    let level = AtomicLazyReference<SpriteLevel>()

    private init(width: Int, height: Int) {
      (self.width, self.height) = (width, height)
    }

    /// All sizes down to one pixel; each has sides 2^-1/2 times those of the previous one.
    static func mipmap(from first: SpriteLevel) -> [LazyLevel] {
      var sizes = [LazyLevel(width: first.width, height: first.height)]
      _ = sizes[0].level.storeIfNil(first)
      var scale = 1.0
      while max(sizes[sizes.count - 1].width, sizes[sizes.count - 1].height) > 1 {
        scale /= 2.0.squareRoot()
        sizes.append(
          LazyLevel(
            width: max(1, Int((Double(first.width) * scale - 1e-6).rounded(.up))),
            height: max(1, Int((Double(first.height) * scale - 1e-6).rounded(.up)))))
      }
      return sizes
    }
  }

  /// A level, made now if it does not exist.
  ///
  /// Most levels are never drawn; together they would take as much memory as the largest. If two
  /// threads make the same level, both use the one stored first.
  private func level(_ index: Int) -> SpriteLevel {
    levels[index].level.load() ?? levels[index].level.storeIfNil(makeLevel(index))
  }

  /// Makes a level from the one an octave above, which limits rounding errors.
  ///
  /// Intermediate levels are not kept.
  private func makeLevel(_ index: Int) -> SpriteLevel {
    let size = levels[index]
    let clear = space.clear
    if let level = size.level.load() { return level }
    return index == 1
      ? makeLevel(0).reduced(
        by: 0.5.squareRoot(), width: size.width, height: size.height, clear: clear)
      : makeLevel(index - 2).halved(width: size.width, height: size.height, clear: clear)
  }

  /// Converts a pixel of straight alpha above 0 to premultiplied components of `space`.
  private static func pixelConverter(
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
        let opacity = Float(alpha) / 255
        let y = min(max(code.y, 0), 255) * opacity + 0.5
        let cb = min(max((code.cb - 128) * opacity + 128.5, 0), 255)
        let cr = min(max((code.cr - 128) * opacity + 128.5, 0), 255)
        return UInt32(min(y, Float(alpha))) | UInt32(cb) << 8 | UInt32(cr) << 16
          | UInt32(alpha) << 24
      }
    }
  }
}
