package import Pixels

/// One sticker to be drawn into a frame.
package struct StickerDraw: Sendable, Equatable {
  /// Position of the item in the pack, and of its frame.
  package var item, frame: Int
  package var placement: StickerPlacement
  /// How opaque it is, of what its item is: less than 1 while it fades with a face that was lost.
  package var alpha = 1.0
  /// For what lies on the skin, whose: see `StickerScene.skin`.
  package var faceIndex: Int?
  /// How far that face has gone since its mesh was measured.
  package var offset = Point.zero
}
