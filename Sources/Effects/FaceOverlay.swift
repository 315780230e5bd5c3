package import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// Draws what is known of faces into a picture: box, points, number and pose.
package enum FaceOverlay {
  /// Draws `faces`; the picture must be writable.
  package static func draw(_ faces: [Face], on picture: borrowing Picture) {
    let (width, height) = (Double(picture.width), Double(picture.height))
    let thickness = max(1, min(picture.width, picture.height) / 240)
    let boxes = Painter(picture, red: 64, green: 220, blue: 96)
    let points = Painter(picture, red: 255, green: 208, blue: 32)
    let meshes = Painter(picture, red: 96, green: 200, blue: 255)
    for face in faces {
      let box = face.box.scaled(x: width, y: height)
      let dot = max(1, Int(max(0, min(box.width, 4096)) / 90))
      for point in face.landmarks {
        meshes.dot(Point(x: Double(point.x) * width, y: Double(point.y) * height), size: dot)
      }
      boxes.outline(box, thickness: thickness)
      for point in face.keypoints {
        points.dot(Point(x: point.x * width, y: point.y * height), size: 3 * thickness)
      }
      if let pose = face.pose, let nose = face[.noseTip] {
        let start = Point(x: nose.x * width, y: nose.y * height)
        points.line(
          from: start, to: start + direction(of: pose) * (0.6 * box.width), thickness: thickness)
      }
      guard face.id != 0, box.x > -width, box.x < width, box.y > -height, box.y < height else {
        continue
      }
      boxes.number(
        face.id, x: Int(box.x) + 3 * thickness, y: Int(box.y) + 3 * thickness, cell: 2 * thickness)
    }
  }

  /// Where the nose of a head points on the screen; 1 long for a head seen from the side.
  private static func direction(of pose: HeadPose) -> Point {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let (yaw, pitch, roll) = (radians(pose.yaw), radians(pose.pitch), radians(pose.roll))
    let x = sin(yaw) * cos(pitch)
    let y = sin(pitch)
    return Point(x: x * cos(roll) - y * sin(roll), y: x * sin(roll) + y * cos(roll))
  }
}
