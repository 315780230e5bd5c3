import Glibc
package import Pixels

/// Draws faces into a picture: boxes, points, ids and poses.
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
      drawMesh(face.landmarks, of: box, width, height, meshes)
      boxes.drawOutline(box, thickness: thickness)
      for point in face.keypoints {
        points.drawDot(point.scaled(x: width, y: height), size: 2 * thickness + 1)
      }
      if let pose = face.pose, let nose = face[.noseTip] {
        let start = nose.scaled(x: width, y: height)
        points.drawLine(
          from: start, to: start + noseDirection(of: pose) * (0.6 * box.width), thickness: thickness
        )
      }
      guard face.id != 0, box.x > -width, box.x < width, box.y > -height, box.y < height else {
        continue
      }
      boxes.drawNumber(
        face.id, x: Int(box.x) + 3 * thickness, y: Int(box.y) + 3 * thickness, cell: 2 * thickness)
    }
  }

  /// Draws the points of a mesh, and the contours of the face and its features.
  private static func drawMesh(
    _ mesh: [Landmark], of box: Rectangle, _ width: Double, _ height: Double,
    _ painter: borrowing Painter
  ) {
    guard mesh.count >= Face.landmarkCount else { return }
    func pixel(_ index: Int) -> Point { mesh[index].inPixels(width, height) }
    // The points are about a thirtieth of the face's width apart.
    let size = max(1, Int(max(0, min(box.width, 4096)) / 90))
    for index in mesh.indices { painter.drawDot(pixel(index), size: size) }
    for ring in [MeshIndex.oval] + MeshIndex.features {
      for (from, to) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        painter.drawLine(from: pixel(from), to: pixel(to), thickness: size)
      }
    }
  }

  /// The direction of the nose on the screen, of length 1 for a profile.
  private static func noseDirection(of pose: HeadPose) -> Point {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let (yaw, pitch, roll) = (radians(pose.yaw), radians(pose.pitch), radians(pose.roll))
    let x = sin(yaw) * cos(pitch)
    let y = sin(pitch)
    return Point(x: x * cos(roll) - y * sin(roll), y: x * sin(roll) + y * cos(roll))
  }
}
