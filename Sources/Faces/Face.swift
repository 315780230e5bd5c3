package import Pixels

/// A face found in a picture: what the metadata of a frame says of it.
///
/// Places are in shares of the frame's width and height, 0...1 inside it and not clipped to it;
/// left and right are the image's, as the viewer sees it.
package struct Face: Sendable, Equatable {
  /// Tracking number, never 0 and never used again in a stream.
  package var id: UInt32
  /// How sure the detector is, 0...1.
  package var confidence: Double
  package var box: Rectangle
  /// The six points of `Keypoint`, or none.
  package var keypoints: [Point]
  /// The 468 points of the face mesh, or none.
  package var landmarks: [Landmark]
  package var pose: HeadPose?
  package var expression: Expression?
  /// The kind of metadata that it was read from: each has its own numbers.
  package var source = Source.mienFaces
  /// How it moves, in shares of the frame a second; 0 where that is not known.
  package var velocity = Point.zero

  package init(
    id: UInt32 = 0, confidence: Double, box: Rectangle, keypoints: [Point] = [],
    landmarks: [Landmark] = [], pose: HeadPose? = nil, expression: Expression? = nil
  ) {
    (self.id, self.confidence, self.box) = (id, confidence, box)
    (self.keypoints, self.landmarks) = (keypoints, landmarks)
    (self.pose, self.expression) = (pose, expression)
  }

  /// Kinds of metadata that tell of faces.
  package enum Source: Sendable {
    case mienFaces, region, detection
  }

  /// More faces than anybody can have seen in one frame: metadata with more says nothing.
  package static let maximumPerFrame = 1024

  /// The same face elsewhere in the frame, in shares of it.
  package func moved(by offset: Point) -> Face {
    guard offset != .zero else { return self }
    var moved = self
    moved.box.x += offset.x
    moved.box.y += offset.y
    for index in keypoints.indices { moved.keypoints[index] = keypoints[index] + offset }
    for index in landmarks.indices {
      moved.landmarks[index].x += Float(offset.x)
      moved.landmarks[index].y += Float(offset.y)
    }
    return moved
  }

  /// Positions in `keypoints`.
  package enum Keypoint: Int, CaseIterable, Sendable {
    case leftEye, rightEye, noseTip, mouthCenter, leftEar, rightEar
  }

  package subscript(_ keypoint: Keypoint) -> Point? {
    keypoint.rawValue < keypoints.count ? keypoints[keypoint.rawValue] : nil
  }

  /// Points in a full face mesh.
  package static let landmarkCount = 468
}

/// One point of the face mesh.
package struct Landmark: Sendable, Equatable {
  /// Share of the frame's width.
  package var x: Float
  /// Share of the frame's height.
  package var y: Float
  /// Depth in frame widths, negative toward the camera, 0 about the middle of the head.
  package var z: Float

  package init(x: Float, y: Float, z: Float) { (self.x, self.y, self.z) = (x, y, z) }

  /// The place in a frame of this size, in its pixels.
  package func place(_ width: Double, _ height: Double) -> Point {
    Point(x: Double(x) * width, y: Double(y) * height)
  }
}

/// How a head is turned, in degrees.
package struct HeadPose: Sendable, Equatable {
  /// Positive: turned clockwise on the screen.
  package var roll: Double
  /// Negative: turned toward the left of the image.
  package var yaw: Double
  /// Positive: looking down.
  package var pitch: Double

  package init(roll: Double, yaw: Double, pitch: Double) {
    (self.roll, self.yaw, self.pitch) = (roll, yaw, pitch)
  }
}

/// What a face does: measures from 0, not at all, to 1, fully.
package struct Expression: Sendable, Equatable {
  package var leftEyeOpen, rightEyeOpen, mouthOpen, smile: Double

  package init(leftEyeOpen: Double, rightEyeOpen: Double, mouthOpen: Double, smile: Double) {
    (self.leftEyeOpen, self.rightEyeOpen) = (leftEyeOpen, rightEyeOpen)
    (self.mouthOpen, self.smile) = (mouthOpen, smile)
  }
}
