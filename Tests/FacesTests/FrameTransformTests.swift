import Faces
import Pixels
import Support
import Testing

/// Faces follow their picture into another frame.
@Suite(.timeLimit(.minutes(20))) struct FrameTransformTests {
  private static let size = Point(x: 1000, y: 800)
  private static let whole = Rectangle(x: 0, y: 0, width: 1000, height: 800)

  /// As GStreamer's elements describe what they do: rows of a matrix, and the new frame's size.
  private func placement(
    _ m: (Float, Float, Float), _ n: (Float, Float, Float), source: Rectangle = whole,
    target: Rectangle? = nil, newSize: Point = size
  ) -> FrameTransform? {
    FrameTransform(
      matrix: [m.0, m.1, m.2, n.0, n.1, n.2, 0, 0, 1], source: source,
      target: target ?? Rectangle(x: 0, y: 0, width: newSize.x, height: newSize.y),
      size: Self.size, newSize: newSize)
  }

  private let face: Face = {
    var face = HeadMesh.make(
      middle: Point(x: 420, y: 310), unit: 90, roll: 12, yaw: 20, pitch: 5)
    face.box = Rectangle(x: 0.3, y: 0.2, width: 0.25, height: 0.4)
    face.keypoints = (0..<6).map { Point(x: 0.3 + 0.04 * Double($0), y: 0.3 + 0.01 * Double($0)) }
    face.pose = HeadPose(roll: 12, yaw: 20, pitch: 5)
    face.expression = Expression(leftEyeOpen: 0.1, rightEyeOpen: 0.9, mouthOpen: 0.3, smile: 0.6)
    return face
  }()

  private func expectEqual(_ a: Face, _ b: Face) {
    let far = HeadMesh.points.keys.filter { index in
      let (p, q) = (a.landmarks[index], b.landmarks[index])
      return max(abs(p.x - q.x), abs(p.y - q.y), abs(p.z - q.z)) > 1e-5
    }
    #expect(far.isEmpty, "\(far.sorted())")
  }

  @Test func aMirrorSwapsLeftAndRightAndNegatesRollAndYaw() throws {
    let mirror = try #require(placement((-1, 0, 999), (0, 1, 0)))
    #expect(mirror.isMirrored && mirror.isFilled && !mirror.isScale)
    let placed = try #require(face.transformed(by: mirror))
    expectEqual(
      placed,
      HeadMesh.make(
        middle: Point(x: 420, y: 310), unit: 90, roll: 12, yaw: 20, pitch: 5, mirrored: true))
    #expect(placed.pose == HeadPose(roll: -12, yaw: -20, pitch: 5))
    #expect(placed.expression?.leftEyeOpen == 0.9 && placed.expression?.rightEyeOpen == 0.1)
    #expect(abs(placed.box.x - 0.45) < 1e-9 && abs(placed.box.width - 0.25) < 1e-9)
    // The ear at the image's left was that at the right.
    #expect((placed.keypoints[4] - Point(x: 1 - 0.5, y: 0.35)).length < 1e-9)
    #expect((placed.keypoints[2] - Point(x: 1 - 0.38, y: 0.32)).length < 1e-9)
  }

  @Test func mirroringTwiceIsTheIdentity() throws {
    let turns: [((Float, Float, Float), (Float, Float, Float))] = [
      ((-1, 0, 999), (0, 1, 0)), ((1, 0, 0), (0, -1, 799)), ((-1, 0, 999), (0, -1, 799)),
    ]
    for (m, n) in turns {
      let turn = try #require(placement(m, n))
      let twice = try #require(face.transformed(by: turn)?.transformed(by: turn))
      expectEqual(twice, face)
      #expect(twice.pose == face.pose && twice.expression == face.expression)
      #expect(twice.keypoints.elementsEqual(face.keypoints) { ($0 - $1).length < 1e-9 })
    }
  }

  @Test func aQuarterTurnRotatesTheHeadAndSwapsNothing() throws {
    let turned = Point(x: 800, y: 1000)
    let turn = try #require(placement((0, -1, 799), (1, 0, 0), newSize: turned))
    #expect(!turn.isMirrored && turn.swapsAxes && turn.isFilled)
    let placed = try #require(face.transformed(by: turn))
    #expect(placed.pose == HeadPose(roll: 102, yaw: 20, pitch: 5))
    #expect(placed.expression == face.expression)
    // From a depth in widths of one to that in widths of the other.
    #expect(abs(placed.landmarks[4].z - face.landmarks[4].z * 1.25) < 1e-6)
    let eye = face.landmarks[33].inPixels(1000, 800)
    let place = placed.landmarks[33].inPixels(800, 1000)
    #expect((place - Point(x: 800 - eye.y, y: eye.x)).length < 0.01)
    let back = try #require(
      FrameTransform(
        matrix: [0, 1, 0, -1, 0, 799, 0, 0, 1],
        source: Rectangle(x: 0, y: 0, width: 800, height: 1000), target: Self.whole, size: turned,
        newSize: Self.size))
    let again = try #require(placed.transformed(by: back))
    expectEqual(again, face)
    #expect(again.pose == face.pose)
  }

  @Test func allEightTurnsAgreeWithTheLineBetweenTheEyes() throws {
    for swaps in [false, true] {
      for (a, b): (Float, Float) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
        let size = swaps ? Point(x: 800, y: 1000) : Self.size
        let (right, down) = (a < 0 ? Float(size.x) - 1 : 0, b < 0 ? Float(size.y) - 1 : 0)
        let turn = try #require(
          swaps
            ? placement((0, a, right), (b, 0, down), newSize: size)
            : placement((a, 0, right), (0, b, down), newSize: size))
        let upright = HeadMesh.make(middle: Point(x: 500, y: 400), unit: 90, roll: 12)
        var given = upright
        given.pose = HeadPose(roll: 12, yaw: 0, pitch: 0)
        let placed = try #require(given.transformed(by: turn))
        let frame = try #require(HeadFrame(placed, width: Int(size.x), height: Int(size.y)))
        let axis = frame.project(1, 0, 0) - frame.project(0, 0, 0)
        let roll = try #require(placed.pose).roll * .pi / 180
        let expected = Point(x: 90 * cosine(roll), y: 90 * cosine(roll - .pi / 2))
        #expect((axis - expected).length < 1, "\(swaps) \(a) \(b)")
      }
    }
  }

  /// Its series, good to 1e-6 within two turns.
  private func cosine(_ angle: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for k in 1...20 {
      term *= -angle * angle / Double((2 * k - 1) * 2 * k)
      sum += term
    }
    return sum
  }

  @Test func cropsScalesAndBordersTransformNormalizedCoordinates() throws {
    let crop = try #require(
      placement(
        (1, 0, 0), (0, 1, 0), source: Rectangle(x: 200, y: 100, width: 600, height: 700),
        newSize: Point(x: 600, y: 700)))
    let cropped = try #require(face.transformed(by: crop))
    #expect(abs(cropped.box.x * 600 - 100) < 1e-9 && abs(cropped.box.y * 700 - 60) < 1e-9)
    #expect(abs(cropped.box.width * 600 - 250) < 1e-9)
    #expect(cropped.pose == face.pose && cropped.expression == face.expression)
    // Half the size, between borders of 50 pixels at either side.
    let borders = try #require(
      placement(
        (0.5, 0, 0), (0, 0.5, 0), target: Rectangle(x: 50, y: 0, width: 500, height: 400),
        newSize: Point(x: 600, y: 400)))
    #expect(!borders.isFilled && !borders.isScale)
    let framed = try #require(face.transformed(by: borders))
    #expect(abs(framed.box.x * 600 - 200) < 1e-9 && abs(framed.box.height - 0.4) < 1e-9)
    let depth = face.landmarks[4].z * 500 / 600
    #expect(abs(framed.landmarks[4].z - depth) < 1e-6)
  }

  @Test func scalingTheWholeFrameIsDetected() throws {
    let half = try #require(
      placement((0.5, 0, 0), (0, 0.25, 0), newSize: Point(x: 500, y: 200)))
    #expect(half.isScale && half.isFilled && !half.isMirrored)
    #expect(try #require(placement((1, 0, 0), (0, 1, 0))).isScale)
  }

  @Test func aFaceOutsideTheCropIsDropped() throws {
    let right = try #require(
      placement(
        (1, 0, 0), (0, 1, 0), source: Rectangle(x: 600, y: 0, width: 400, height: 800),
        newSize: Point(x: 400, y: 800)))
    #expect(face.transformed(by: right) == nil)
    let some = try #require(
      placement(
        (1, 0, 0), (0, 1, 0), source: Rectangle(x: 540, y: 0, width: 460, height: 800),
        newSize: Point(x: 460, y: 800)))
    let part = try #require(face.transformed(by: some))
    #expect(part.box.x < 0 && part.box.maxX > 0)
  }

  @Test func transformsWithoutUprightBoxesAreRejected() {
    #expect(placement((0.7, -0.7, 0), (0.7, 0.7, 0)) == nil)
    #expect(placement((0, 0, 0), (0, 1, 0)) == nil)
    #expect(placement((.nan, 0, 0), (0, 1, 0)) == nil)
    #expect(placement((.infinity, 0, 0), (0, 1, 0)) == nil)
    #expect(placement((1, 0, 0), (0, 1, 0), newSize: .zero) == nil)
    let perspective = FrameTransform(
      matrix: [1, 0, 0, 0, 1, 0, 0.001, 0, 1], source: Self.whole, target: Self.whole,
      size: Self.size, newSize: Self.size)
    #expect(perspective == nil)
  }

  @Test func everyMeshPointHasAMirrorImage() {
    let mirrored = FaceTopology.mirroredPoints
    #expect(mirrored.count == Face.landmarkCountWithIrises)
    #expect(mirrored.indices.allSatisfy { mirrored[mirrored[$0]] == $0 })
    for (left, right) in zip(MeshIndex.leftEye, MeshIndex.rightEye) {
      #expect(mirrored[left] == right)
    }
    for (left, right) in [MeshIndex.sides, MeshIndex.noseWings, MeshIndex.mouthCorners] {
      #expect(mirrored[left] == right)
    }
    for index in [MeshIndex.hairline, MeshIndex.chin, MeshIndex.noseTip, MeshIndex.noseRoot] {
      #expect(mirrored[index] == index)
    }
    // Rings and triangles are the same in a mirror.
    #expect(Set(MeshIndex.oval.map { mirrored[$0] }) == Set(MeshIndex.oval))
    #expect(Set(MeshIndex.lips.map { mirrored[$0] }) == Set(MeshIndex.lips))
    func corners(_ triangle: FaceTopology.Triangle) -> Set<Int> {
      [triangle.a, triangle.b, triangle.c]
    }
    let all = Set(FaceTopology.triangles.map(corners))
    let images = FaceTopology.triangles.map { Set(corners($0).map { mirrored[$0] }) }
    #expect(images.count { all.contains($0) } > 800, "\(images.count { all.contains($0) })")
  }
}
