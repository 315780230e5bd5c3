package import Pixels

/// One sticker in a frame.
package struct StickerDraw: Sendable, Equatable {
  /// Indices of the item in the pack and of its frame.
  package var item, frame: Int
  package var placement: StickerPlacement
  /// Factor of the item's alpha, 0...1: below 1 while it fades with a lost face.
  package var alpha = 1.0
  /// For textures and billboards the index of the face, for `StickerScene.meshVertices(of:)` and
  /// `head(of:)`.
  package var faceIndex: Int?
  /// The index of the item's face if something covers the face, for `StickerScene.cover(of:)`.
  package var coveredFace: Int?
  /// Predicted displacement of the face since its mesh was measured, in pixels.
  package var offset = Point.zero
}
