package import Pixels

/// Where the picture of one frame went in another that was made from it: cropped, scaled, given
/// borders, mirrored, turned by right angles, or all of these.
///
/// Places are in shares of the frames, as those of faces.
package struct FrameTransform: Sendable, Equatable {
  /// A frame's place in pixels becomes `(xx * x + xy * y + x0, yx * x + yy * y + y0)` of the new one.
  private let xx, xy, x0, yx, yy, y0: Double
  private let from, to: Point
  /// The part of the new frame that shows the old one's picture.
  package let visible: Rectangle

  /// Takes a matrix as GstVideoMetaTransformMatrix has it, row after row: it places what is in the
  /// rectangle `source` of a frame of `size` into the rectangle `target` of one of `newSize`, measured
  /// from their upper left corners.
  ///
  /// Nil where a box would not stay upright, and where nothing can be said.
  package init?(
    matrix m: InlineArray<9, Float>, source: Rectangle, target: Rectangle, size: Point,
    newSize: Point
  ) {
    guard size.x >= 1, size.y >= 1, newSize.x >= 1, newSize.y >= 1 else { return nil }
    for index in 0..<9 { guard abs(m[index]) < 1e6 else { return nil } }
    guard m[6] == 0, m[7] == 0, m[8] == 1 else { return nil }
    let isStraight = m[1] == 0 && m[3] == 0 && m[0] != 0 && m[4] != 0
    let isCrossed = m[0] == 0 && m[4] == 0 && m[1] != 0 && m[3] != 0
    guard isStraight || isCrossed else { return nil }
    (xx, xy, yx, yy) = (Double(m[0]), Double(m[1]), Double(m[3]), Double(m[4]))
    (from, to) = (size, newSize)
    // What is mirrored is counted in whole pixels, the last of which becomes the first; their middles
    // are half a pixel from where they begin.
    func start(_ a: Double, _ b: Double, _ shift: Float, _ start: Double) -> Double {
      let mirrored = a + b < 0 ? (1 - a - b) / 2 : 0
      return start + Double(shift) + mirrored - a * source.x - b * source.y
    }
    x0 = start(xx, xy, m[2], target.x)
    y0 = start(yx, yy, m[5], target.y)
    isFilled =
      target.x <= 0 && target.y <= 0 && target.maxX >= newSize.x && target.maxY >= newSize.y
    visible = target.scaled(x: 1 / newSize.x, y: 1 / newSize.y)
      .intersection(Rectangle(x: 0, y: 0, width: 1, height: 1))
  }

  /// Whether right is left and left is right now.
  package var isMirrored: Bool { xx * yy - xy * yx < 0 }

  /// Whether the whole frame became the whole new one, so that no share of it changed.
  package var isScale: Bool {
    xx > 0 && yy > 0 && abs(x0) < 1e-6 && abs(y0) < 1e-6
      && abs(xx * from.x - to.x) < 1e-3 * to.x && abs(yy * from.y - to.y) < 1e-3 * to.y
  }

  /// Whether the new frame shows nothing else.
  package let isFilled: Bool

  /// Whether columns became rows.
  package var swapsAxes: Bool { xx == 0 }

  /// Whether a step to the right, or down, in the new frame was one to the left, or up; where axes
  /// changed places, one up, or to the left.
  package var turnsRows: (across: Bool, down: Bool) { (xx + xy < 0, yx + yy < 0) }

  package func place(_ point: Point) -> Point {
    let (x, y) = (point.x * from.x, point.y * from.y)
    return Point(x: (xx * x + xy * y + x0) / to.x, y: (yx * x + yy * y + y0) / to.y)
  }

  package func place(_ box: Rectangle) -> Rectangle {
    let (a, b) = (place(Point(x: box.x, y: box.y)), place(Point(x: box.maxX, y: box.maxY)))
    return Rectangle(
      from: Point(x: min(a.x, b.x), y: min(a.y, b.y)), to: Point(x: max(a.x, b.x), y: max(a.y, b.y))
    )
  }

  /// How much farther depths are, which are shares of a frame's width.
  fileprivate var depth: Float {
    let scale = xx != 0 ? abs(xx) : abs(xy * yx).squareRoot()
    return Float(scale * from.x / to.x)
  }

  /// How a head that was turned by so many degrees is now, for one with left and right of the image.
  fileprivate func roll(_ degrees: Double) -> Double {
    // From the eye at the left to that at the right; in a mirror they change names.
    let quarter = swapsAxes ? (yx > 0) != isMirrored ? 90.0 : -90 : (xx > 0) != isMirrored ? 0 : 180
    let turned = (isMirrored ? -degrees : degrees) + quarter
    return turned > 180 ? turned - 360 : turned <= -180 ? turned + 360 : turned
  }
}

extension Face {
  /// The same face in the new frame; nil where that does not show any of its box.
  package func placed(_ placement: FrameTransform) -> Face? {
    let box = placement.place(box)
    guard box.intersection(placement.visible).area > 0 else { return nil }
    var face = self
    face.box = box
    let isMirrored = placement.isMirrored
    for index in keypoints.indices {
      let source = isMirrored && keypoints.count == 6 ? Self.mirroredKeypoints[index] : index
      face.keypoints[index] = placement.place(keypoints[source])
    }
    let isMesh = landmarks.count == Self.landmarkCount
    for index in landmarks.indices {
      let point = landmarks[isMirrored && isMesh ? FaceTopology.mirroredPoints[index] : index]
      let place = placement.place(Point(x: Double(point.x), y: Double(point.y)))
      face.landmarks[index] = Landmark(
        x: Float(place.x), y: Float(place.y), z: point.z * placement.depth)
    }
    if let pose {
      face.pose = HeadPose(
        roll: placement.roll(pose.roll), yaw: isMirrored ? -pose.yaw : pose.yaw, pitch: pose.pitch)
    }
    if isMirrored, let expression {
      face.expression = Expression(
        leftEyeOpen: expression.rightEyeOpen, rightEyeOpen: expression.leftEyeOpen,
        mouthOpen: expression.mouthOpen, smile: expression.smile)
    }
    face.velocity = .zero
    return face
  }

  /// Where in a mirror each of the six points is taken from.
  private static let mirroredKeypoints = [1, 0, 2, 3, 5, 4]
}

extension FaceTopology {
  /// The point that changes places with each in a mirror; itself in the middle of the face.
  package static let mirroredPoints: [Int] = textureCoordinates.indices.map { index in
    let image = Point(x: 1 - textureCoordinates[index].x, y: textureCoordinates[index].y)
    return textureCoordinates.indices.min {
      (textureCoordinates[$0] - image).length < (textureCoordinates[$1] - image).length
    } ?? index
  }
}
