import Faces
import Glibc
import Pixels

/// The polygons of one face in pixels, an outer ring and holes for eyes, brows and lips; rebuilt in
/// place for every frame.
struct FaceOutline {
  /// All points, ring after ring.
  private(set) var points: [Point] = []
  /// The outer ring's range in `points`, then those of the holes.
  private(set) var rings: [Range<Int>] = []
  /// The width in pixels of a face of average proportions with the outer ring's area.
  private(set) var faceWidth = 0.0
  /// The outer ring's bounds.
  private(set) var bounds = Rectangle.zero
  /// The oval's coordinate frame, if the outline is from the mesh.
  private(set) var ovalFrame: OvalFrame?
  /// The coordinate frame of the eyes, if the outline is from the mesh.
  private(set) var eyeFrame: EyeFrame?
  /// The range in `points` of the outer ring extended by the forehead.
  private(set) var foreheadRing: Range<Int>?
  /// The bounds including the forehead.
  private(set) var extendedBounds = Rectangle.zero

  /// Coordinates beyond this many frame sizes are invalid.
  static let maximumCoordinate = 8.0
  /// The minimum width in pixels of a face that is retouched: smaller ones have no texture.
  static let minimumWidth = 8.0
  /// The number of directions in which a hole's extent is measured, and of its corners.
  static let directionCount = 32
  private static let directions: [Point] = unitCircle(directionCount)
  private static let ellipseDirections: [Point] = unitCircle(48)

  /// Builds the outline of shape `mask`, or the next simpler one that the face has data for.
  ///
  /// Returns false, without rings, if the face has no usable data. `minimumMargin` maps a face's
  /// width to the minimum distance in pixels between a feature and retouched skin.
  mutating func build(
    _ face: Face, mask: RetouchSettings.Mask, width: Int, height: Int,
    minimumMargin: (Double) -> Double
  ) -> Bool {
    clear()
    let scale = Point(x: Double(width), y: Double(height))
    let hasMesh = Self.isUsable(face.landmarks)
    let hasKeypoints = Self.isUsable(face.keypoints)
    let axes = hasKeypoints ? Self.keypointAxes(face, scale) : nil
    switch mask {
    case .full:
      addRectangle(Rectangle(x: 0, y: 0, width: scale.x, height: scale.y))
    case .face where hasMesh:
      addOval(face.landmarks, scale)
      ovalFrame = rings.first.flatMap {
        OvalFrame(points[$0]) { face.landmarks[$0].inPixels(scale.x, scale.y) }
      }
      eyeFrame = EyeFrame { face.landmarks[$0].inPixels(scale.x, scale.y) }
    case .face, .ellipse:
      if hasMesh {
        addEllipse(in: measureOvalBounds(face.landmarks, scale), radius: 0.5)
      } else if let axes {
        addEllipse(center: axes.center, across: axes.across, down: axes.down)
      } else if Self.isUsable(face.box) {
        addEllipse(in: face.box.scaled(x: scale.x, y: scale.y), radius: 0.48)
      }
    case .rectangle:
      if Self.isUsable(face.box) {
        addRectangle(face.box.scaled(x: scale.x, y: scale.y))
      } else if hasMesh {
        addRectangle(measureOvalBounds(face.landmarks, scale))
      } else if let axes {
        let half = max(axes.across.length, axes.down.length)
        addRectangle(
          Rectangle(
            x: axes.center.x - half, y: axes.center.y - half, width: 2 * half, height: 2 * half))
      }
    }
    guard let outer = rings.first else { return false }
    measureRing(outer)
    extendedBounds = bounds
    guard mask != .full else { return true }
    guard faceWidth >= Self.minimumWidth else { return false }
    let margin = max(Self.holeMargin * faceWidth, minimumMargin(faceWidth))
    if hasMesh {
      for ring in MeshIndex.features { addHole(face.landmarks, ring, scale, margin) }
    } else if let axes {
      addHoles(axes, margin)
    }
    if let ovalFrame { addForehead(outer, ovalFrame) }
    return true
  }

  /// The margin of holes around features, in face widths.
  static let holeMargin = 0.04
  /// The inset of the oval, in face widths.
  static let ovalInset = 0.02

  // MARK: Rings

  private mutating func clear() {
    points.removeAll(keepingCapacity: true)
    rings.removeAll(keepingCapacity: true)
    ovalFrame = nil
    eyeFrame = nil
    foreheadRing = nil
  }

  /// Adds the outer ring extended by the forehead.
  private mutating func addForehead(_ ring: Range<Int>, _ ovalFrame: OvalFrame) {
    let start = points.count
    for index in ring { points.append(ovalFrame.raisedToForehead(points[index])) }
    let (low, high) = points[start...].boundingCorners
    foreheadRing = start..<points.count
    extendedBounds = Rectangle(
      from: Point(x: min(low.x, bounds.x), y: min(low.y, bounds.y)),
      to: Point(x: max(high.x, bounds.maxX), y: max(high.y, bounds.maxY)))
  }

  /// The bounds of the mesh's oval.
  private mutating func measureOvalBounds(_ landmarks: [Landmark], _ scale: Point) -> Rectangle {
    addOval(landmarks, scale)
    clear()
    return bounds
  }

  private mutating func addOval(_ landmarks: [Landmark], _ scale: Point) {
    let start = points.count
    var center = Point.zero
    for index in MeshIndex.oval {
      let point = landmarks[index].inPixels(scale.x, scale.y)
      points.append(point)
      center = center + point
    }
    center = center * (1 / Double(MeshIndex.oval.count))
    for index in start..<points.count {
      points[index] = center + (points[index] - center) * (1 - 2 * Self.ovalInset)
    }
    rings.append(start..<points.count)
    measureRing(start..<points.count)
  }

  /// The rows of a region in which the forehead extends the outer ring.
  func foreheadRows(_ region: CellRegion) -> Range<Int> {
    guard let outer = rings.first, let foreheadRing else { return 0..<0 }
    var (low, high) = (Double.infinity, -Double.infinity)
    for (a, b) in zip(outer, foreheadRing) where points[a] != points[b] {
      low = min(low, points[a].y, points[b].y)
      high = max(high, points[a].y, points[b].y)
    }
    guard low <= high else { return 0..<0 }
    return region.rows(from: low - Double(region.step), to: high + Double(region.step))
  }

  private mutating func addRectangle(_ box: Rectangle) {
    let start = points.count
    points.append(Point(x: box.x, y: box.y))
    points.append(Point(x: box.maxX, y: box.y))
    points.append(Point(x: box.maxX, y: box.maxY))
    points.append(Point(x: box.x, y: box.maxY))
    rings.append(start..<points.count)
  }

  /// Adds holes for the eyes with their brows and for the lips; sizes are in eye distances.
  private mutating func addHoles(_ axes: Axes, _ margin: Double) {
    // Not an array, which would allocate.
    for number in 0..<2 {
      let eye = number == 0 ? axes.leftEye : axes.rightEye
      addEllipse(
        center: eye - axes.unitDown * (0.14 * axes.unit),
        across: axes.unitAcross * (0.42 * axes.unit + margin),
        down: axes.unitDown * (0.32 * axes.unit + margin))
    }
    addEllipse(
      center: axes.mouth, across: axes.unitAcross * (0.5 * axes.unit + margin),
      down: axes.unitDown * (0.26 * axes.unit + margin))
  }

  /// Adds an ellipse in a box; `radius` is in sides of the box, 0.5 for the inscribed one.
  private mutating func addEllipse(in box: Rectangle, radius: Double) {
    addEllipse(
      center: box.center, across: Point(x: box.width * radius, y: 0),
      down: Point(x: 0, y: box.height * radius))
  }

  private mutating func addEllipse(center: Point, across: Point, down: Point) {
    let start = points.count
    for direction in Self.ellipseDirections {
      points.append(center + across * direction.x + down * direction.y)
    }
    rings.append(start..<points.count)
  }

  /// Adds the convex polygon whose sides touch the feature, moved out by `margin`, in each
  /// direction.
  private mutating func addHole(
    _ landmarks: [Landmark], _ indices: [Int], _ scale: Point, _ margin: Double
  ) {
    let start = points.count
    let count = Self.directions.count
    func extent(_ direction: Point) -> Double {
      var maximum = -Double.greatestFiniteMagnitude
      for index in indices {
        let point = landmarks[index].inPixels(scale.x, scale.y)
        maximum = max(maximum, point.x * direction.x + point.y * direction.y)
      }
      return maximum + margin
    }
    let first = extent(Self.directions[0])
    var here = first
    for k in 0..<count {
      let a = Self.directions[k]
      let b = Self.directions[(k + 1) % count]
      let next = k + 1 == count ? first : extent(b)
      let determinant = a.x * b.y - a.y * b.x
      points.append(
        Point(
          x: (here * b.y - next * a.y) / determinant, y: (next * a.x - here * b.x) / determinant))
      here = next
    }
    rings.append(start..<points.count)
  }

  /// Sets `bounds` and `faceWidth` to those of a ring.
  private mutating func measureRing(_ ring: Range<Int>) {
    var area = 0.0
    var last = points[ring.upperBound - 1]
    for point in points[ring] {
      area += last.x * point.y - point.x * last.y
      last = point
    }
    let (low, high) = points[ring].boundingCorners
    bounds = Rectangle(from: low, to: high)
    // An ellipse 1 wide and 1.3 high has the area 1.02.
    faceWidth = (abs(area) / 2 / 1.02).squareRoot()
  }

  // MARK: Validation

  private static func isUsable(_ value: Double) -> Bool {
    value >= -maximumCoordinate && value <= maximumCoordinate
  }

  private static func isUsable(_ landmarks: [Landmark]) -> Bool {
    landmarks.count >= Face.landmarkCount
      && landmarks.allSatisfy { isUsable(Double($0.x)) && isUsable(Double($0.y)) }
  }

  private static func isUsable(_ keypoints: [Point]) -> Bool {
    keypoints.count > Face.Keypoint.mouthCenter.rawValue
      && keypoints.allSatisfy { isUsable($0.x) && isUsable($0.y) }
  }

  private static func isUsable(_ box: Rectangle) -> Bool {
    isUsable(box.x) && isUsable(box.y) && isUsable(box.maxX) && isUsable(box.maxY)
      && box.width > 0 && box.height > 0
  }

  private struct Axes {
    var leftEye, rightEye, mouth: Point
    /// The distance of the eyes.
    var unit: Double
    /// Unit vectors to the image's right and to the chin.
    var unitAcross, unitDown: Point
    /// The face's ellipse.
    var center: Point
    var across: Point { unitAcross * (1.03 * unit) }
    var down: Point { unitDown * (1.16 * unit) }
  }

  /// The ellipse of a face from its eyes and mouth, in eye distances.
  ///
  /// Proportions are those of MediaPipe's mesh: the oval is 2.14 eye distances wide and 2.4 high
  /// about a point 0.5 below the eyes, the mouth lies 1.0 below them.
  private static func keypointAxes(_ face: Face, _ scale: Point) -> Axes? {
    func point(_ keypoint: Face.Keypoint) -> Point? {
      face[keypoint]?.scaled(x: scale.x, y: scale.y)
    }
    guard let left = point(.leftEye), let right = point(.rightEye),
      let mouth = point(.mouthCenter)
    else { return nil }
    let eyes = (left + right) * 0.5
    let fall = mouth - eyes
    let unit = max((right - left).length, fall.length)
    guard unit > 0, fall.length > 0.2 * unit else { return nil }
    let down = fall * (1 / fall.length)
    let across = Point(x: down.y, y: -down.x)
    return Axes(
      leftEye: left, rightEye: right, mouth: mouth, unit: unit, unitAcross: across,
      unitDown: down, center: eyes + down * (0.5 * unit))
  }

  /// Points of the unit circle at equal angles.
  private static func unitCircle(_ count: Int) -> [Point] {
    (0..<count).map {
      let angle = 2 * Double.pi * Double($0) / Double(count)
      return Point(x: cos(angle), y: sin(angle))
    }
  }
}
