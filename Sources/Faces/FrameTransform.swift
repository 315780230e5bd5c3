package import Pixels

/// The transform of a frame's picture into a new frame: crop, scale, borders, mirror, rotation by
/// right angles, or several of these.
///
/// Coordinates are normalized, as those of faces.
package struct FrameTransform: Sendable, Equatable {
  /// A position (x, y) in pixels becomes `(xx * x + xy * y + x0, yx * x + yy * y + y0)` in the new
  /// frame.
  private let xx, xy, x0, yx, yy, y0: Double
  private let from, to: Point
  /// The part of the new frame that shows the picture, normalized.
  package let visible: Rectangle

  /// The transform of a GstVideoMetaTransformMatrix, a row-major matrix from the rectangle `source`
  /// of a frame of `size` to the rectangle `target` of one of `newSize`, relative to their upper
  /// left corners.
  ///
  /// Nil for other rotations, for shears and perspectives, and for invalid sizes and numbers.
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
    // GStreamer mirrors whole pixels: the last one becomes the first, and its centre is half a
    // pixel from its edge.
    func translation(_ a: Double, _ b: Double, _ shift: Float, _ start: Double) -> Double {
      let mirrored = a + b < 0 ? (1 - a - b) / 2 : 0
      return start + Double(shift) + mirrored - a * source.x - b * source.y
    }
    x0 = translation(xx, xy, m[2], target.x)
    y0 = translation(yx, yy, m[5], target.y)
    isFilled =
      target.x <= 0 && target.y <= 0 && target.maxX >= newSize.x && target.maxY >= newSize.y
    visible = target.scaled(x: 1 / newSize.x, y: 1 / newSize.y)
      .intersection(Rectangle(x: 0, y: 0, width: 1, height: 1))
  }

  /// Whether left and right are exchanged.
  package var isMirrored: Bool { xx * yy - xy * yx < 0 }

  /// Whether the whole frame became the whole new one, so that normalized coordinates are
  /// unchanged.
  package var isScale: Bool {
    xx > 0 && yy > 0 && abs(x0) < 1e-6 && abs(y0) < 1e-6
      && abs(xx * from.x - to.x) < 1e-3 * to.x && abs(yy * from.y - to.y) < 1e-3 * to.y
  }

  /// Whether the picture fills the new frame.
  package let isFilled: Bool

  /// Whether columns became rows.
  package var swapsAxes: Bool { xx == 0 }

  /// Whether the old frame is traversed backwards by steps to the right, and by steps down, in the
  /// new one.
  package var reversesAxes: (across: Bool, down: Bool) { (xx + xy < 0, yx + yy < 0) }

  package func apply(to point: Point) -> Point {
    let (x, y) = (point.x * from.x, point.y * from.y)
    return Point(x: (xx * x + xy * y + x0) / to.x, y: (yx * x + yy * y + y0) / to.y)
  }

  package func apply(to box: Rectangle) -> Rectangle {
    let (a, b) = (apply(to: Point(x: box.x, y: box.y)), apply(to: Point(x: box.maxX, y: box.maxY)))
    return Rectangle(
      from: Point(x: min(a.x, b.x), y: min(a.y, b.y)), to: Point(x: max(a.x, b.x), y: max(a.y, b.y))
    )
  }

  /// The factor of depths, which are normalized to a frame's width.
  var depthScale: Float {
    let scale = xx != 0 ? abs(xx) : abs(xy * yx).squareRoot()
    return Float(scale * from.x / to.x)
  }

  /// The new roll, in degrees.
  fileprivate func transformedRoll(_ degrees: Double) -> Double {
    // The angle is from the left eye to the right one, which exchange their names in a mirror.
    let quarter = swapsAxes ? (yx > 0) != isMirrored ? 90.0 : -90 : (xx > 0) != isMirrored ? 0 : 180
    let turned = (isMirrored ? -degrees : degrees) + quarter
    return turned > 180 ? turned - 360 : turned <= -180 ? turned + 360 : turned
  }
}

extension Face {
  /// The face in the new frame; nil if no part of its box is visible.
  package func transformed(by transform: FrameTransform) -> Face? {
    let box = transform.apply(to: box)
    guard box.intersection(transform.visible).area > 0 else { return nil }
    var face = self
    face.box = box
    let isMirrored = transform.isMirrored
    for index in keypoints.indices {
      let source = isMirrored && keypoints.count == 6 ? Self.mirroredKeypoints[index] : index
      face.keypoints[index] = transform.apply(to: keypoints[source])
    }
    let isMesh =
      landmarks.count == Self.landmarkCount || landmarks.count == Self.landmarkCountWithIrises
    for index in landmarks.indices {
      let point = landmarks[isMirrored && isMesh ? FaceTopology.mirroredPoints[index] : index]
      let position = transform.apply(to: Point(x: Double(point.x), y: Double(point.y)))
      face.landmarks[index] = Landmark(
        x: Float(position.x), y: Float(position.y), z: point.z * transform.depthScale)
    }
    if let pose {
      face.pose = HeadPose(
        roll: transform.transformedRoll(pose.roll), yaw: isMirrored ? -pose.yaw : pose.yaw,
        pitch: pose.pitch)
    }
    if isMirrored, let expression {
      face.expression = Expression(
        leftEyeOpen: expression.rightEyeOpen, rightEyeOpen: expression.leftEyeOpen,
        mouthOpen: expression.mouthOpen, smile: expression.smile)
    }
    if isMirrored, blendshapes.count == Blendshape.mirrored.count {
      face.blendshapes = Blendshape.mirrored.map { blendshapes[$0] }
    }
    // It depends on the camera, whose centre and field of view are no longer those of the frame.
    if !transform.isScale { face.transform = [] }
    face.cover = cover.transformed(by: transform)
    face.velocity = .zero
    return face
  }

  /// For each of the six keypoints the one that it becomes in a mirror.
  private static let mirroredKeypoints = [1, 0, 2, 3, 5, 4]
}

extension FaceTopology {
  /// For each mesh point the one that it becomes in a mirror; points on the midline map to
  /// themselves.
  ///
  /// Those of the irises follow: of their edges left and right are exchanged.
  package static let mirroredPoints: [Int] =
    mirroredSkin + [473, 476, 475, 474, 477, 468, 471, 470, 469, 472]

  private static let mirroredSkin: [Int] = textureCoordinates.indices.map { index in
    let image = Point(x: 1 - textureCoordinates[index].x, y: textureCoordinates[index].y)
    return textureCoordinates.indices.min {
      (textureCoordinates[$0] - image).length < (textureCoordinates[$1] - image).length
    } ?? index
  }
}
