package import Pixels

/// Draws what is known of faces into a picture: box, points and number.
package enum FaceOverlay {
  /// Draws `faces`; the picture must be writable.
  package static func draw(_ faces: [Face], on picture: borrowing Picture) {
    let (width, height) = (Double(picture.width), Double(picture.height))
    let thickness = max(1, min(picture.width, picture.height) / 240)
    let boxes = Painter(picture, red: 64, green: 220, blue: 96)
    let points = Painter(picture, red: 255, green: 208, blue: 32)
    for face in faces {
      let box = face.box.scaled(x: width, y: height)
      boxes.outline(box, thickness: thickness)
      for point in face.keypoints {
        points.dot(Point(x: point.x * width, y: point.y * height), size: 3 * thickness)
      }
      guard face.id != 0, box.x > -width, box.x < width, box.y > -height, box.y < height else {
        continue
      }
      boxes.number(
        face.id, x: Int(box.x) + 3 * thickness, y: Int(box.y) + 3 * thickness, cell: 2 * thickness)
    }
  }
}
