package import Pixels

/// A face of a frame, as its metadata describes it.
///
/// Coordinates are normalized to the frame's width and height: 0...1 inside, and not clipped. Left
/// and right are the image's, as the viewer sees it.
package struct Face: Sendable, Equatable {
  /// The track id, never 0, and never reused in a stream.
  package var id: UInt32
  /// The detector's score, 0...1.
  package var confidence: Double
  package var box: Rectangle
  /// The six points of `Keypoint`, or none.
  package var keypoints: [Point]
  /// The points of the face mesh, 468 or with the irises 478, or none.
  package var landmarks: [Landmark]
  package var pose: HeadPose?
  package var expression: Expression?
  /// The 52 scores of `Blendshape`, 0...1, or none.
  package var blendshapes: [Float] = []
  /// The position and rotation of the head to the camera, a 4 x 4 matrix by rows, or none.
  ///
  /// Millimetres; x to the image's right, y up, z toward the camera.
  package var transform: [Float] = []
  /// What is in front of the face; empty if nothing is, or if that was not measured.
  package var cover = CoverMap()
  /// The kind of metadata that it was read from; each kind has its own ids.
  package var source = Source.mienFaces
  /// The velocity in normalized coordinates a second; 0 if unknown.
  package var velocity = Point.zero

  package init(
    id: UInt32 = 0, confidence: Double, box: Rectangle, keypoints: [Point] = [],
    landmarks: [Landmark] = [], pose: HeadPose? = nil, expression: Expression? = nil
  ) {
    (self.id, self.confidence, self.box) = (id, confidence, box)
    (self.keypoints, self.landmarks) = (keypoints, landmarks)
    (self.pose, self.expression) = (pose, expression)
  }

  /// The kinds of metadata that describe faces.
  package enum Source: Sendable {
    case mienFaces, region, detection
  }

  /// The maximum number of faces in a frame; metadata with more is ignored.
  package static let maximumPerFrame = 1024

  /// The face translated by an offset in normalized coordinates.
  package func moved(by offset: Point) -> Face {
    guard offset != .zero else { return self }
    var moved = self
    moved.box.x += offset.x
    moved.box.y += offset.y
    moved.cover.region.x += offset.x
    moved.cover.region.y += offset.y
    for index in keypoints.indices { moved.keypoints[index] = keypoints[index] + offset }
    for index in landmarks.indices {
      moved.landmarks[index].x += Float(offset.x)
      moved.landmarks[index].y += Float(offset.y)
    }
    return moved
  }

  /// Indices into `keypoints`.
  package enum Keypoint: Int, CaseIterable, Sendable {
    case leftEye, rightEye, noseTip, mouthCenter, leftEar, rightEar
  }

  package subscript(_ keypoint: Keypoint) -> Point? {
    keypoint.rawValue < keypoints.count ? keypoints[keypoint.rawValue] : nil
  }

  /// The points of a full face mesh, and those of one with the irises, which follow the others.
  package static let landmarkCount = 468
  package static let landmarkCountWithIrises = 478
}

/// One point of the face mesh.
package struct Landmark: Sendable, Equatable {
  /// Normalized to the frame's width.
  package var x: Float
  /// Normalized to the frame's height.
  package var y: Float
  /// The depth in frame widths: negative toward the camera, 0 near the middle of the head.
  package var z: Float

  package init(x: Float, y: Float, z: Float) { (self.x, self.y, self.z) = (x, y, z) }

  /// The position in pixels of a frame of this size.
  package func inPixels(_ width: Double, _ height: Double) -> Point {
    Point(x: Double(x) * width, y: Double(y) * height)
  }
}

/// The rotation of a head, in degrees.
package struct HeadPose: Sendable, Equatable {
  /// Positive: clockwise on the screen.
  package var roll: Double
  /// Negative: toward the left of the image.
  package var yaw: Double
  /// Positive: down.
  package var pitch: Double

  package init(roll: Double, yaw: Double, pitch: Double) {
    (self.roll, self.yaw, self.pitch) = (roll, yaw, pitch)
  }
}

/// The expression of a face: measures from 0 (not at all) to 1 (fully).
package struct Expression: Sendable, Equatable {
  package var leftEyeOpen, rightEyeOpen, mouthOpen, smile: Double

  package init(leftEyeOpen: Double, rightEyeOpen: Double, mouthOpen: Double, smile: Double) {
    (self.leftEyeOpen, self.rightEyeOpen) = (leftEyeOpen, rightEyeOpen)
    (self.mouthOpen, self.smile) = (mouthOpen, smile)
  }
}
