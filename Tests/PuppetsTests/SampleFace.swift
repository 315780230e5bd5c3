import Faces
import Pixels

@testable import Puppets

/// Faces made by hand.
enum SampleFace {
  /// 52 different scores.
  static let scores = (0..<Blendshape.count).map { Float($0) / 64 }

  /// A face in a frame of 640 x 480 whose mesh is a bowl.
  static func face(
    yaw: Double = 0, pitch: Double = 0, roll: Double = 0, blendshapes: [Float] = scores
  ) -> Face {
    var face = Face(
      id: 7, confidence: 0.9, box: Rectangle(x: 0.4, y: 0.4, width: 0.2, height: 0.2),
      keypoints: [
        Point(x: 0.45, y: 0.5), Point(x: 0.55, y: 0.5), Point(x: 0.5, y: 0.55),
        Point(x: 0.5, y: 0.6), Point(x: 0.4, y: 0.5), Point(x: 0.6, y: 0.5),
      ],
      pose: HeadPose(roll: roll, yaw: yaw, pitch: pitch),
      expression: Expression(leftEyeOpen: 0.75, rightEyeOpen: 0.25, mouthOpen: 0.5, smile: 0.125))
    face.blendshapes = blendshapes
    face.landmarks = (0..<Face.landmarkCount).map {
      let (x, y) = (Float($0 % 22) / 21 - 0.5, Float($0 / 22) / 21 - 0.5)
      return Landmark(x: 0.5 + 0.2 * x, y: 0.5 + 0.2 * y, z: 0.1 * (x * x + y * y))
    }
    return face
  }

  static func puppet(_ face: Face) -> PuppetFace { PuppetFace(face, width: 640, height: 480) }
}
