import Faces
import Stickers

extension StickerScene {
  /// What is drawn at `time`.
  func draws(
    at time: Int64, _ faces: [Face], width: Int = 640, height: Int = 480, largestOnly: Bool = false
  ) -> [StickerDraw] {
    advance(
      to: time, faces: faces, width: width, height: height, .init(), largestOnly: largestOnly)
    return draws
  }
}
