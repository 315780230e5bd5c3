/// What the sprites of one pack may still take: 64 Mpixel, which with all their sizes and borders is
/// 512 MB; to be asked before a picture is decoded, so that an enormous one never is.
package struct SpriteBudget: Sendable {
  /// Most bytes that the sprites of one pack may take.
  package static let maximumBytes = 512 << 20

  package private(set) var pixels = 0
  package private(set) var bytes = 0

  package init() {}

  /// What is left of the pixels.
  package var pixelsLeft: Int { Sprite.maximumPixels - pixels }

  /// Why a picture cannot be taken, as the rest of a sentence that begins with its name.
  package struct Refusal: Error, Equatable {
    package let reason: String
  }

  /// Counts a picture of this size in, or refuses it and leaves the budget as it was.
  package mutating func reserve(width: Int, height: Int) throws(Refusal) {
    guard width > 0, height > 0 else {
      throw Refusal(reason: "is \(width) x \(height) pixels")
    }
    guard width <= Sprite.maximumSide, height <= Sprite.maximumSide else {
      throw Refusal(
        reason: "is \(width) x \(height) pixels; no side may be over \(Sprite.maximumSide)")
    }
    let newPixels = pixels + width * height
    // Areas halve from one size to the next, so all sizes are twice the first, and each has a
    // border.
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
