import Glibc
package import Pixels

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
      draw(face.landmarks, of: box, width, height, meshes)
      boxes.outline(box, thickness: thickness)
      for point in face.keypoints {
        points.dot(point.scaled(x: width, y: height), size: 2 * thickness + 1)
      }
      if let pose = face.pose, let nose = face[.noseTip] {
        let start = nose.scaled(x: width, y: height)
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

  /// Draws every point of a mesh, and the outlines of the face and its features.
  private static func draw(
    _ mesh: [Landmark], of box: Rectangle, _ width: Double, _ height: Double,
    _ painter: borrowing Painter
  ) {
    guard mesh.count == Face.landmarkCount else { return }
    func place(_ index: Int) -> Point { mesh[index].place(width, height) }
    // As fine as the face allows: the points lie about a thirtieth of its width apart.
    let size = max(1, Int(max(0, min(box.width, 4096)) / 90))
    for index in mesh.indices { painter.dot(place(index), size: size) }
    for ring in [MeshIndex.oval] + MeshIndex.features {
      for (from, to) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        painter.line(from: place(from), to: place(to), thickness: size)
      }
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
