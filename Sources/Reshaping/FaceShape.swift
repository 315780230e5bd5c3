import Faces
import Pixels

/// The geometry of a face for reshaping.
///
/// It holds only numbers, so that keeping that of a lost face allocates nothing.
///
/// Positions are in pixels of the frame relative to the first pixel's centre, with x multiplied by
/// the pixel aspect, so that circles are round. A mesh gives all features, keypoints give them at
/// the proportions of an average face, a box gives none.
struct FaceShape {
  /// A feature of the face: its centre, and half its visible width.
  struct Feature {
    var center: Point
    var halfWidth: Double
  }

  /// On the midline, halfway between chin and hairline.
  var center: Point
  /// Unit vectors across the face, and from chin to hairline.
  var right, up: Point
  /// Distances from the midline to the sides of the face: unequal if the head is turned.
  var leftWidth, rightWidth: Double
  /// Distance from the centre to the hairline and to the chin.
  var halfHeight: Double
  var leftEye, rightEye, nose, mouth: Feature?

  /// Visible width of the face, the unit of most sizes.
  var width: Double { leftWidth + rightWidth }
  /// Its height in units in which an average face's height equals its width.
  var size: Double { 2 * halfHeight / Self.typicalRatio }
  var chin: Point { center - up * halfHeight }
  var hairline: Point { center + up * halfHeight }
  /// Centre of the visible face, and the radius around it in which pixels may move.
  var middle: Point { center + right * ((rightWidth - leftWidth) / 2) }
  var influenceRadius: Double { Self.relativeInfluenceRadius * width }

  /// Radius in face widths in which pixels may move.
  static let relativeInfluenceRadius = 1.4
  /// Height over width of the mesh's oval on frontal faces.
  private static let typicalRatio = 1.2
  /// Minimum width in pixels of faces that are reshaped.
  private static let minimumWidth = 12.0

  /// Nil if the face's numbers are not plausible, or it is too small.
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

  /// The shape moved by `offset`.
  func moved(by offset: Point) -> FaceShape {
    var shape = self
    shape.center = center + offset
    shape.leftEye?.center = (leftEye?.center ?? .zero) + offset
    shape.rightEye?.center = (rightEye?.center ?? .zero) + offset
    shape.nose?.center = (nose?.center ?? .zero) + offset
    shape.mouth?.center = (mouth?.center ?? .zero) + offset
    return shape
  }

  // MARK: Sources

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
    // The axis runs from hairline to chin; on a turned head the root of the nose and the lips lie
    // beside it, on the side to which the head is turned.
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
    // Neither width is 0: others are derived from them.
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

  /// From the keypoints, with the proportions of MediaPipe's canonical face, whose pupils are 0.41
  /// of its width apart.
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
    // The distance from the pupils to the mouth is about the pupil distance, and does not shrink
    // with yaw.
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
