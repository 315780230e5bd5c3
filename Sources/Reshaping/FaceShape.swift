import Faces
import Pixels

/// Where the parts of a face are, as far as reshaping needs them: numbers alone, so that keeping
/// one of a face that was lost allocates nothing.
///
/// Places are in pixels of the frame counted from the middle of its first pixel, with x stretched
/// by the pixels' aspect, so that circles are round. What is known decides what can be moved: a
/// mesh all, keypoints all at the places of a common face, a bare box only what needs no features.
struct FaceShape {
  /// A feature of the face: its middle, and half its width as it is seen.
  struct Feature {
    var center: Point
    var halfWidth: Double
  }

  /// On the face's middle line, half way between chin and hairline.
  var center: Point
  /// Unit vectors across the face and from chin to hairline.
  var right, up: Point
  /// From the middle line to either side of the face: unequal when the head is turned.
  var leftWidth, rightWidth: Double
  /// From the middle to the hairline, or to the chin.
  var halfHeight: Double
  var leftEye, rightEye, nose, mouth: Feature?

  /// Width of the face as it is seen, the unit of most sizes.
  var width: Double { leftWidth + rightWidth }
  /// Its height in the unit in which that of a common face is its width.
  var size: Double { 2 * halfHeight / Self.typicalRatio }
  var chin: Point { center - up * halfHeight }
  var hairline: Point { center + up * halfHeight }
  /// Middle of the visible face, and how far from it something may move.
  var middle: Point { center + right * ((rightWidth - leftWidth) / 2) }
  var influenceRadius: Double { Self.relativeInfluenceRadius * width }

  /// Farthest that anything moves, in widths of the face.
  static let relativeInfluenceRadius = 1.4
  /// Height over width of the mesh's oval on faces seen from the front.
  private static let typicalRatio = 1.2
  /// Faces smaller than this, in pixels, are left alone.
  private static let minimumWidth = 12.0

  /// Nil for a face of which nothing is known that can be true, or too small to be reshaped.
  init?(_ face: Face, width: Int, height: Int, aspect: Double) {
    let scale = Point(x: Double(width) * aspect, y: Double(height))
    let shape =
      Self.fromMesh(face, scale, aspect) ?? Self.fromKeypoints(face, scale, aspect)
      ?? Self.fromBox(face, scale, aspect)
    guard let shape, shape.isPlausible(in: scale) else { return nil }
    self = shape
  }

  private init(
    center: Point, up: Point, leftWidth: Double, rightWidth: Double, halfHeight: Double
  ) {
    (self.center, self.up) = (center, up)
    right = Point(x: -up.y, y: up.x)
    (self.leftWidth, self.rightWidth) = (leftWidth, rightWidth)
    self.halfHeight = halfHeight
  }

  private func isPlausible(in frame: Point) -> Bool {
    let limit = 8 * max(frame.x, frame.y)
    // Comparisons with NaN are false.
    return width >= Self.minimumWidth && width <= limit && halfHeight >= Self.minimumWidth / 2
      && halfHeight <= limit && halfHeight <= 4 * width && width <= 8 * halfHeight
      && abs(center.x) <= limit && abs(center.y) <= limit
  }

  /// The same elsewhere.
  func moved(by offset: Point) -> FaceShape {
    var shape = self
    shape.center = center + offset
    shape.leftEye?.center = (leftEye?.center ?? .zero) + offset
    shape.rightEye?.center = (rightEye?.center ?? .zero) + offset
    shape.nose?.center = (nose?.center ?? .zero) + offset
    shape.mouth?.center = (mouth?.center ?? .zero) + offset
    return shape
  }

  // MARK: What it is made from

  private static func fromMesh(_ face: Face, _ scale: Point, _ aspect: Double) -> FaceShape? {
    guard face.landmarks.count >= Face.landmarkCount else { return nil }
    func point(_ index: Int) -> Point {
      let point = face.landmarks[index]
      return Point(
        x: Double(point.x) * scale.x - 0.5 * aspect, y: Double(point.y) * scale.y - 0.5)
    }
    func mean(_ indices: [Int]) -> Point {
      var sum = Point.zero
      for index in indices { sum = sum + point(index) }
      return sum * (1 / Double(indices.count))
    }
    let (top, bottom) = (point(MeshIndex.hairline), point(MeshIndex.chin))
    let axis = top - bottom
    guard axis.length > 1e-6, axis.length < 1e9 else { return nil }
    let up = axis * (1 / axis.length)
    let right = Point(x: -up.y, y: up.x)
    func coordinateAcross(_ p: Point) -> Double { p.x * right.x + p.y * right.y }
    // Hairline and chin lie on the line from one to the other; the root of the nose and the lips
    // stand out from it, to the side to which the head is turned.
    let line =
      (2 * coordinateAcross(top) + coordinateAcross(point(MeshIndex.noseRoot))
        + coordinateAcross(point(MeshIndex.underNose)))
      * 0.25
    let shift = line - coordinateAcross(top)
    var (low, high) = (Double.infinity, -Double.infinity)
    for index in MeshIndex.oval {
      let u = coordinateAcross(point(index)) - line
      low = min(low, u)
      high = max(high, u)
    }
    let width = high - low
    // No side is ever wholly gone, or what depends on its width would have none.
    var shape = FaceShape(
      center: (top + bottom) * 0.5 + right * shift, up: up, leftWidth: max(-low, 0.1 * width),
      rightWidth: max(high, 0.1 * width), halfHeight: axis.length / 2)
    func feature(_ corners: [Int], _ middle: [Int]) -> Feature? {
      let half = (point(corners[1]) - point(corners[0])).length / 2
      let feature = Feature(center: mean(middle), halfWidth: half)
      // A feature outside the face is dropped; the comparison is false for NaN.
      return half <= width && (feature.center - shape.center).length <= width + axis.length
        ? feature : nil
    }
    shape.leftEye = feature(MeshIndex.eyeCorners.left, MeshIndex.leftEye)
    shape.rightEye = feature(MeshIndex.eyeCorners.right, MeshIndex.rightEye)
    shape.nose = feature(wings, nosePoints)
    shape.mouth = feature(mouthCorners, MeshIndex.lips)
    return shape
  }

  private static let wings = [MeshIndex.noseWings.left, MeshIndex.noseWings.right]
  private static let nosePoints = wings + [MeshIndex.noseTip, MeshIndex.underNoseTip]
  private static let mouthCorners = [MeshIndex.mouthCorners.left, MeshIndex.mouthCorners.right]

  /// Of the eyes, the nose and the mouth alone, with the sizes of a common face: MediaPipe's
  /// canonical one, whose pupils are 0.41 of its width apart.
  private static func fromKeypoints(_ face: Face, _ scale: Point, _ aspect: Double) -> FaceShape? {
    func point(_ keypoint: Face.Keypoint) -> Point? {
      face[keypoint].map {
        Point(x: $0.x * scale.x - 0.5 * aspect, y: $0.y * scale.y - 0.5)
      }
    }
    guard let left = point(.leftEye), let right = point(.rightEye), let mouth = point(.mouthCenter),
      let nose = point(.noseTip)
    else { return nil }
    let eyes = (left + right) * 0.5
    let axis = eyes - mouth
    // From the pupils to the mouth it is as far as from one pupil to the other, or nearly; turned
    // heads have only the former.
    let unit = axis.length
    guard unit > 1e-6, unit < 1e9 else { return nil }
    let up = axis * (1 / unit)
    let seen = max((right - left).length, 0.3 * unit)
    var shape = FaceShape(
      center: eyes - up * (0.4 * unit), up: up, leftWidth: 1.2 * seen, rightWidth: 1.2 * seen,
      halfHeight: 1.35 * unit)
    shape.leftEye = Feature(center: left, halfWidth: 0.23 * seen)
    shape.rightEye = Feature(center: right, halfWidth: 0.23 * seen)
    shape.nose = Feature(center: nose, halfWidth: 0.28 * seen)
    shape.mouth = Feature(center: mouth, halfWidth: 0.4 * seen)
    return shape
  }

  private static func fromBox(_ face: Face, _ scale: Point, _ aspect: Double) -> FaceShape? {
    let box = face.box.scaled(x: scale.x, y: scale.y)
    guard box.width > 0, box.height > 0 else { return nil }
    let center = box.center - Point(x: 0.5 * aspect, y: 0.5)
    return FaceShape(
      center: center, up: Point(x: 0, y: -1), leftWidth: box.width / 2, rightWidth: box.width / 2,
      halfHeight: box.height / 2)
  }
}
