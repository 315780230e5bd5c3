import Faces
import Pixels
import Testing

@testable import Puppets

@Suite struct ProtocolTests {
  // MARK: Rotations

  /// Unity's axes: down, right and toward the left shoulder are positive.
  @Test func anAvatarTurnsAsThePerson() {
    let half = 0.17364818  // sin 10 degrees
    for (pose, axis, sign) in [
      (HeadPose(roll: 0, yaw: 0, pitch: 20), 0, 1.0),  // down
      (HeadPose(roll: 0, yaw: -20, pitch: 0), 1, 1.0),  // to the image's left, the person's right
      (HeadPose(roll: 20, yaw: 0, pitch: 0), 2, 1.0),  // clockwise, toward the left shoulder
      (HeadPose(roll: 0, yaw: 20, pitch: 0), 1, -1.0),
    ] {
      let q = HeadRotation(pose).unity.components
      for index in 0..<3 {
        #expect(abs(q[index] - (index == axis ? sign * half : 0)) < 1e-7)
      }
      #expect(abs(q.w - 0.98480775) < 1e-7)
    }
  }

  /// What OpenSeeFace's functions answer in Python for such a head (matrix_to_quaternion, OpenCV's
  /// RQDecomp3x3).
  @Test func theTrackersQuaternionIsThatOfOpenSeeFace() {
    for (yaw, pitch, roll, expected) in [
      (0.0, 0.0, 0.0, [0.70711, 0.70711, 0, 0]),
      (20, 0, 0, [0.69636, 0.69636, -0.12279, -0.12279]),
      (0, 20, 0, [0.69636, 0.69636, -0.12279, 0.12279]), (0, 0, 20, [0.81915, 0.57358, 0, 0]),
      (-30, 10, 15, [0.74967, 0.60368, 0.09017, 0.2558]),
      (40, -25, -35, [0.35795, 0.84794, -0.20227, -0.33459]),
    ] {
      let pose = HeadPose(roll: roll, yaw: yaw, pitch: pitch)
      let q = HeadRotation(pose).trackerQuaternion.components
      for index in 0..<4 { #expect(abs(q[index] - expected[index]) < 2e-5, "\(pose)") }
    }
    let angles = HeadRotation(HeadPose(roll: 15, yaw: -30, pitch: 10)).trackerAngles
    for (index, expected) in [-162.149, -26.362, 73.473].enumerated() {
      #expect(abs(angles[index] - expected) < 1e-3)
    }
    #expect(HeadRotation(HeadPose(roll: 0, yaw: 0, pitch: 0)).trackerAngles == SIMD3(180, 0, 90))
  }

  /// OpenSeeFace's example for Unity (OpenSeeIKTarget.cs) takes the first rotation as the calm head,
  /// and turns the avatar by the difference: that is the rotation sent by VMC.
  @Test func bothProtocolsTurnAnAvatarAlike() {
    func converted(_ pose: HeadPose) -> Quaternion {
      let q = HeadRotation(pose).trackerQuaternion.components
      return Quaternion(SIMD4(-q.y, -q.x, q.z, q.w))
    }
    let rest = converted(HeadPose(roll: 0, yaw: 0, pitch: 0)).components
    let inverse = Quaternion(SIMD4(-rest.x, -rest.y, -rest.z, rest.w))
    for yaw in [-40.0, 0, 25] {
      for pitch in [-25.0, 0, 30] {
        for roll in [-35.0, 0, 20] {
          let pose = HeadPose(roll: roll, yaw: yaw, pitch: pitch)
          let shown = (converted(pose) * inverse).components
          let sent = HeadRotation(pose).unity.components
          #expect(abs(abs((shown * sent).sum()) - 1) < 1e-9, "\(pose)")
        }
      }
    }
  }

  // MARK: Contents

  @Test func theTextIsThatOfIFacialMocap() {
    let face = SampleFace.puppet(SampleFace.face(yaw: 10.5, pitch: -20.25, roll: 5))
    let text = String(decoding: IFacialMocap.datagram(face), as: UTF8.self)
    let parts = text.split(separator: "|")
    #expect(text.hasSuffix("|") && parts.count == 52 + 3)
    for shape in Blendshape.allCases where shape != .neutral {
      let percent = Int((Float(shape.rawValue) / 64 * 100).rounded())
      let name = shape.name
      // As in the protocol's example: a side of the face by letter, a direction by word.
      let isDirection = ["mouthLeft", "mouthRight", "jawLeft", "jawRight"].contains(name)
      let written =
        isDirection
        ? name
        : name.hasSuffix("Left")
          ? name.dropLast(4) + "_L" : name.hasSuffix("Right") ? name.dropLast(5) + "_R" : name
      #expect(parts.contains("\(written)-\(percent)"), "\(name)")
    }
    #expect(parts.contains("tongueOut-0"))
    // The eyes are 64 of 640 pixels apart, turned by 10.5 degrees.
    let head = parts[52].dropFirst("=head#".count).split(separator: ",").map { Double($0)! }
    #expect(parts[52].hasPrefix("=head#-20.2500,10.5000,-5.0000,"))
    #expect(head.count == 6 && abs(head[3]) < 1e-3 && abs(head[4]) < 1e-3 && head[5] < -0.5)
    #expect(parts[53].hasPrefix("rightEye#") && parts[54].hasPrefix("leftEye#"))
  }

  /// The offsets are those of OpenSee.cs.
  @Test func thePacketIsThatOfOpenSeeFace() {
    var face = SampleFace.face(yaw: -30, pitch: 10, roll: 15)
    face.transform = [1, 0, 0, 122, 0, 1, 0, -244, 0, 0, 1, -610, 0, 0, 0, 1]
    let bytes = OpenSeeFace.datagram(SampleFace.puppet(face), time: 12.5)
    #expect(bytes.count == 1785)
    func float(_ offset: Int) -> Float {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Float.self) }
    }
    #expect(bytes.withUnsafeBytes { $0.loadUnaligned(as: Double.self) } == 12.5)
    #expect(bytes[8..<12].allSatisfy { $0 == 0 })
    #expect([float(12), float(16)] == [640, 480])
    // The image's left eye is the person's right one.
    #expect([float(20), float(24)] == [0.75, 0.25] && bytes[28] == 1)
    let numbers = (0..<10).map { float(33 + 4 * $0) }
    for (number, expected) in zip(
      numbers, [0.74967, 0.60368, 0.09017, 0.2558, -162.149, -26.362, 73.473] as [Float])
    {
      #expect(abs(number - expected) < 1e-3)
    }
    let unit = Float(122.093)  // 63 mm / 0.516
    for (number, expected) in zip(numbers[7...], [-244 / unit, -122 / unit, -610 / unit]) {
      #expect(abs(number - expected) < 1e-3)
    }
    #expect((0..<68).allSatisfy { float(73 + 4 * $0) == 1 })
    // The tip of the nose, point 30 and 4 of the mesh: as column and row, and the origin in space.
    let tip = face.landmarks[4].inPixels(640, 480)
    #expect(abs(Double(float(345 + 8 * 30)) - tip.x) < 1e-3)
    #expect(abs(Double(float(349 + 8 * 30)) - tip.y) < 1e-3)
    #expect((0..<3).allSatisfy { float(889 + 12 * 30 + 4 * $0) == 0 })
    #expect((0..<14).allSatisfy { abs(float(1729 + 4 * $0)) <= 1 })
  }

  @Test func irisesAreThePupils() {
    var face = SampleFace.face()
    face.landmarks += (468..<478).map { Landmark(x: Float($0) / 1000, y: 0.25, z: 0) }
    let bytes = OpenSeeFace.datagram(SampleFace.puppet(face), time: 0)
    for (point, x) in [(66, Float(0.468 * 640)), (67, 0.473 * 640)] {
      let written = bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: 345 + 8 * point, as: Float.self)
      }
      #expect(abs(written - x) < 1e-3)
    }
  }

  @Test func expressionsStandInForBlendshapes() {
    let face = SampleFace.puppet(SampleFace.face(blendshapes: []))
    #expect(face.known(.eyeBlinkLeft) == 0.75 && face.known(.eyeBlinkRight) == 0.25)
    #expect(face.known(.jawOpen) == 0.5 && face.known(.mouthSmileLeft) == 0.125)
    #expect(face.known(.cheekPuff) == nil && face[.cheekPuff] == 0)
    let text = String(decoding: IFacialMocap.datagram(face), as: UTF8.self)
    #expect(text.contains("|eyeBlink_L-75|eyeBlink_R-25|") && text.contains("|cheekPuff-0|"))
  }

  @Test func numbersOfAnyKindAreSent() {
    let odd: [Float] = [.nan, .infinity, -.infinity, 1e30, -5, 0.5]
    var face = SampleFace.face(yaw: .nan, pitch: .infinity, roll: 1e300)
    face.blendshapes = (0..<52).map { odd[$0 % odd.count] }
    face.transform = (0..<16).map { odd[$0 % odd.count] }
    for index in face.landmarks.indices { face.landmarks[index].x = odd[index % odd.count] }
    face.keypoints = [Point(x: .nan, y: 0), Point(x: .infinity, y: 1e300)]
    let puppet = SampleFace.puppet(face)
    for kind in PuppetProtocol.allCases {
      let datagram = kind.datagram(puppet, time: 1)
      #expect(datagram.map { $0.count < 8192 } == true)
    }
    #expect(puppet[.neutral] == 0 && puppet[.browDownLeft] == 1 && puppet[.browDownRight] == 0)
  }

  @Test func onlyVMCSaysThatThereIsNoFace() {
    #expect(PuppetProtocol.vmc.datagram(nil, time: 0).map { $0.count } == 16 + 40 + 24)
    #expect(PuppetProtocol.openseeface.datagram(nil, time: 0) == nil)
    #expect(PuppetProtocol.ifacialmocap.datagram(nil, time: 0) == nil)
  }

  @Test func theGazeFollowsTheScores() {
    let right: [Blendshape: Double] = [.eyeLookOutRight: 0.5, .eyeLookInLeft: 0.5]
    #expect(Gaze { right[$0] ?? 0 } == Gaze(yaw: -20, pitch: 0))
    let up: [Blendshape: Double] = [.eyeLookUpRight: 0.2, .eyeLookUpLeft: 0.2]
    #expect(Gaze { up[$0] ?? 0 }.pitch == -7)
  }
}
