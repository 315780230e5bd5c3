package import Pixels

/// Draws hands into a picture: joints, fingers and ids.
package enum HandOverlay {
  /// Draws `hands`; the picture must be writable.
  package static func draw(_ hands: [TrackedHand], on picture: borrowing Picture) {
    guard !hands.isEmpty else { return }
    let (width, height) = (Double(picture.width), Double(picture.height))
    let thickness = max(1, min(picture.width, picture.height) / 240)
    let bones = Painter(picture, red: 240, green: 96, blue: 192)
    let joints = Painter(picture, red: 255, green: 208, blue: 32)
    for hand in hands where hand.isUsable {
      func pixel(_ index: Int) -> Point { hand.landmarks[index].inPixels(width, height) }
      for chain in TrackedHand.fingers + [TrackedHand.knuckles] {
        for (from, to) in zip(chain, chain.dropFirst()) {
          bones.drawLine(from: pixel(from), to: pixel(to), thickness: thickness)
        }
      }
      for index in hand.landmarks.indices {
        joints.drawDot(pixel(index), size: 2 * thickness + 1)
      }
      let wrist = pixel(0)
      guard hand.id != 0, wrist.x > -width, wrist.x < 2 * width, wrist.y > -height,
        wrist.y < 2 * height
      else { continue }
      let (x, y) = (Int(wrist.x) + 4 * thickness, Int(wrist.y) + 4 * thickness)
      bones.drawNumber(hand.id, x: x, y: y, cell: 2 * thickness)
    }
  }
}
