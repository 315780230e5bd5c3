import Faces
import Pixels
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct HeadFrameTests {
  static let turns = [
    (0.0, 0.0, 0.0), (30, 0, 0), (-35, 0, 10), (0, 25, 0), (0, -20, -15), (25, 15, 40),
  ]

  @Test func projectedPointsMoveWithARigidHead() throws {
    for (yaw, pitch, roll) in Self.turns {
      let face = HeadMesh.make(
        middle: Point(x: 500, y: 400), unit: 100, roll: roll, yaw: yaw, pitch: pitch)
      let frame = try #require(HeadFrame(face, width: 1000, height: 800))
      for (x, y, z) in [(0, 0, 0), (1, 0, 0), (0, 1.72, -0.7), (-0.5, -1, 0.4)] {
        let turned = HeadMesh.turned((x, y, z), roll: roll, yaw: yaw, pitch: pitch)
        let expected = Point(x: 500 + turned.0 * 100, y: 400 + turned.1 * 100)
        #expect((frame.project(x, y, z) - expected).length < 1, "\((yaw, pitch, roll))")
      }
      #expect(abs(frame.unit - 100) < 0.5)
    }
  }

  @Test func keypointsAndPoseReplaceAMissingMesh() throws {
    for (yaw, pitch, _) in Self.turns {
      let face = HeadMesh.make(middle: Point(x: 500, y: 400), unit: 100, yaw: yaw, pitch: pitch)
      let whole = try #require(HeadFrame(face, width: 1000, height: 800))
      var sparse = face
      sparse.landmarks.removeLast()
      sparse.pose = HeadPose(roll: 0, yaw: yaw, pitch: pitch)
      let eyes = [MeshIndex.leftEye, MeshIndex.rightEye].compactMap { whole.mean($0) }
      sparse.keypoints = (eyes + Array(repeating: Point(x: 500, y: 460), count: 4)).map {
        Point(x: $0.x / 1000, y: $0.y / 800)
      }
      let frame = try #require(HeadFrame(sparse, width: 1000, height: 800))
      #expect(frame.mesh == nil && frame.meshPoint(MeshIndex.chin) == nil)
      #expect((frame.project(0, 1.72, -0.7) - whole.project(0, 1.72, -0.7)).length < 4)
      #expect(abs(frame.unit - whole.unit) < 3)
    }
  }

  @Test func measuresOfAHeadDoNotChangeAsItTurns() throws {
    let straight = HeadMesh.make(middle: Point(x: 500, y: 400), unit: 100)
    let first = try #require(HeadFrame(straight, width: 1000, height: 800))
    let brows = MeshIndex.browMiddles
    for (yaw, pitch, roll) in Self.turns {
      let face = HeadMesh.make(
        middle: Point(x: 300, y: 500), unit: 60, roll: roll, yaw: yaw, pitch: pitch)
      let frame = try #require(HeadFrame(face, width: 1000, height: 800))
      for measure in [
        { $0.elevation(brows.left) }, { $0.elevation(brows.right) },
        { $0.distance(brows.left, brows.right) }, { $0.mesh?.mouthAspect }, { $0.mesh?.smile },
        { $0.mesh?.eyeAspect(isLeft: true) }, { $0.mesh?.eyeAspect(isLeft: false) },
      ] as [(HeadFrame) -> Double?] {
        let (a, b) = (try #require(measure(first)), try #require(measure(frame)))
        #expect(abs(a - b) < 0.01, "\((yaw, pitch, roll))")
      }
    }
  }

  @Test func invalidFacesHaveNoHeadFrame() {
    for box in [
      Rectangle(x: 0, y: 0, width: 0, height: 0),
      Rectangle(x: .nan, y: 0, width: .nan, height: 1),
      Rectangle(x: 0, y: 0, width: .infinity, height: 1),
    ] {
      #expect(HeadFrame(Face(confidence: 1, box: box), width: 640, height: 480) == nil)
    }
    let flat = Face(
      confidence: 1, box: Rectangle(x: 0, y: 0, width: 0, height: 0),
      landmarks: Array(repeating: Landmark(x: .nan, y: 0, z: 0), count: 468))
    #expect(HeadFrame(flat, width: 640, height: 480) == nil)
  }
}
