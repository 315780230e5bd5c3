package import Faces
import Glibc
package import Pixels

/// The region of a face in a picture, rotated with the head; from its mesh, keypoints or box.
package enum HeadRegion: Sendable, Equatable {
  /// `marginScale` multiplies the margin: it is larger than 1 for a box without a mesh.
  case known(Region, marginScale: Double)
  /// The face's numbers are not finite, out of range or without extent: it may be anywhere.
  case unknown

  /// Detectors' boxes of small faces are off by up to a ninth of their width.
  private static let boxMarginScale = 1.45

  /// In pixels of a picture of the given size.
  package init(_ face: Face, width: Int, height: Int) {
    let (wide, high) = (Double(width), Double(height))
    let box = face.box.scaled(x: wide, y: high)
    let limit = 64 * max(wide, high)
    let numbers = (box.x, box.y, box.width, box.height)
    guard abs(numbers.0) <= limit, abs(numbers.1) <= limit, numbers.2 > 0, numbers.3 > 0,
      numbers.2 <= limit, numbers.3 <= limit
    else {
      self = .unknown
      return
    }
    if let region = Self.fromMesh(face, box, wide, high) {
      self = .known(region, marginScale: 1)
    } else {
      self = .known(
        Self.fromBox(box, angle: Self.angle(face, wide, high)), marginScale: Self.boxMarginScale)
    }
  }

  /// The extent of the mesh along the head's axes; nil unless it covers the middle of the box.
  private static func fromMesh(
    _ face: Face, _ box: Rectangle, _ width: Double, _ height: Double
  ) -> Region? {
    guard face.landmarks.count >= Face.landmarkCount else { return nil }
    let corners = MeshIndex.outerEyeCorners
    let eyes =
      face.landmarks[corners.right].inPixels(width, height)
      - face.landmarks[corners.left].inPixels(width, height)
    let length = eyes.length
    guard length > 0, length < 4 * (box.width + box.height) else { return nil }
    let axis = eyes * (1 / length)
    var (low, high) = (
      Point(x: .infinity, y: .infinity), Point(x: -Double.infinity, y: -Double.infinity)
    )
    var sum = 0.0
    for landmark in face.landmarks {
      let point = landmark.inPixels(width, height) - box.center
      sum += point.x + point.y
      let (u, v) = (point.x * axis.x + point.y * axis.y, point.y * axis.x - point.x * axis.y)
      low = Point(x: min(u, low.x), y: min(v, low.y))
      high = Point(x: max(u, high.x), y: max(v, high.y))
    }
    let extent = high - low
    // Points that contradict the box are ignored.
    let size = (box.width * box.height).squareRoot()
    guard sum.isFinite, extent.x > 0.3 * size, extent.y > 0.3 * size, extent.x < 3 * size,
      extent.y < 3 * size
    else { return nil }
    let (u, v) = ((low.x + high.x) / 2, (low.y + high.y) / 2)
    let center = box.center + Point(x: u * axis.x - v * axis.y, y: u * axis.y + v * axis.x)
    let clearance = min(extent.x, extent.y) / 2 - (center - box.center).length
    guard clearance >= 0.25 * min(box.width, box.height) else { return nil }
    return Region(
      center: center, width: extent.x, height: extent.y, angle: atan2(axis.y, axis.x))
  }

  /// The box; for a rotated head, whose box is less specific, a square.
  private static func fromBox(_ box: Rectangle, angle: Double) -> Region {
    let isUpright = abs(sin(angle)) < 0.3
    let side = max(box.width, box.height)
    return Region(
      center: box.center, width: isUpright ? box.width : side,
      height: isUpright ? box.height : side, angle: angle)
  }

  private static func angle(_ face: Face, _ width: Double, _ height: Double) -> Double {
    var angle = (face.pose?.roll ?? 0) * .pi / 180
    if let left = face[.leftEye], let right = face[.rightEye] {
      let eyes = (right - left).scaled(x: width, y: height)
      if eyes.length > 0 { angle = atan2(eyes.y, eyes.x) }
    }
    return abs(angle) <= 2 * .pi ? angle : 0
  }
}
