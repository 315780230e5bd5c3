/// Counts the pixels and the memory of a pack's sprites: at most 64 Mpixel, which with all levels
/// and borders is 512 MB.
///
/// Checked before a picture is decoded.
package struct SpriteBudget: Sendable {
  /// Maximum number of bytes of the sprites of one pack.
  package static let maximumBytes = 512 << 20

  package private(set) var pixels = 0
  package private(set) var bytes = 0

  package init() {}

  /// Number of pixels that further pictures may have.
  package var pixelsLeft: Int { Sprite.maximumPixels - pixels }

  /// Why a picture exceeds the limits: the predicate of a sentence whose subject is the picture's
  /// name.
  package struct Refusal: Error, Equatable {
    package let reason: String
  }

  /// Counts a picture of this size; throws, and counts nothing, if it exceeds the limits.
  package mutating func reserve(width: Int, height: Int) throws(Refusal) {
    guard width > 0, height > 0 else {
      throw Refusal(reason: "is \(width) x \(height) pixels")
    }
    guard width <= Sprite.maximumSide, height <= Sprite.maximumSide else {
      throw Refusal(
        reason: "is \(width) x \(height) pixels; no side may be over \(Sprite.maximumSide)")
    }
    let newPixels = pixels + width * height
    // Areas halve from level to level, so all levels together have twice the pixels of the first;
    // each has a border.
    let newBytes = bytes + 8 * (width * height + 4 * (width + height))
    guard newPixels <= Sprite.maximumPixels, newBytes <= Self.maximumBytes else {
      throw Refusal(
        reason: "would take the pack to \(newPixels) pixels and \(newBytes) bytes; the most is "
          + "\(Sprite.maximumPixels) pixels and \(Self.maximumBytes) bytes")
    }
    pixels = newPixels
    bytes = newBytes
  }
}
