import Faces
import Pixels

/// The packet of OpenSeeFace's tracker, to UDP port 11573.
///
/// Little-endian without padding, 1785 bytes a face, as facetracker.py writes it and OpenSee.cs reads
/// it (github.com/emilianavt/OpenSeeFace).
enum OpenSeeFace {
  static let size = 1785
  private static let pointCount = 68

  /// The packet of one face, which has the id 0; `time`: seconds.
  static func datagram(_ face: PuppetFace, time: Double) -> [UInt8] {
    var packet = Packet()
    packet.append(time)
    packet.append(Int32(0))
    packet.append(Float(face.width))
    packet.append(Float(face.height))
    packet.append(Float(face.rightEyeOpen))
    packet.append(Float(face.leftEyeOpen))
    packet.bytes.append(face.mesh == nil ? 0 : 1)
    // The error of the fit: none is made.
    packet.append(Float(0))
    let rotation = HeadRotation(face.pose)
    let q = rotation.trackerQuaternion.components
    for index in 0..<4 { packet.append(Float(q[index])) }
    let angles = rotation.trackerAngles
    for index in 0..<3 { packet.append(Float(angles[index])) }
    for number in translation(face) { packet.append(Float(number)) }
    appendPoints(face, rotation, to: &packet)
    for feature in features(face) { packet.append(Float(feature)) }
    return packet.bytes
  }

  /// A unit of the tracker's face, in metres: its pupils are 0.516 units apart.
  private static let unit = PuppetFace.pupilDistance / 0.516

  /// The position with the first two axes swapped and the signs of a solution behind the camera, as
  /// in `HeadRotation.trackerQuaternion`.
  private static func translation(_ face: PuppetFace) -> [Double] {
    guard let p = face.position else { return [0, 0, 0] }
    return [p.y / unit, -p.x / unit, p.z / unit]
  }

  // MARK: Points

  /// The points of the mesh that stand for the tracker's first 66, image-left first: jaw, brows, ridge
  /// and base of the nose, eyes, then the lips' outer edges without corners, and their inner edges
  /// with the corners.
  private static let indices = [
    162, 234, 93, 58, 172, 136, 149, 148, 152, 377, 378, 365, 397, 288, 323, 454, 389,
    71, 63, 105, 66, 107, 336, 296, 334, 293, 301,
    168, 197, 5, 4, 75, 97, 2, 326, 305,
    33, 160, 158, 133, 153, 144, 362, 385, 387, 263, 373, 380,
    39, 37, 0, 267, 269, 405, 314, 17, 84, 181,
    61, 82, 13, 312, 291, 317, 14, 87,
  ]

  /// Confidences, places as column and row, and 70 places in space.
  private static func appendPoints(
    _ face: PuppetFace, _ rotation: HeadRotation, to packet: inout Packet
  ) {
    guard let mesh = face.mesh else {
      packet.bytes.append(contentsOf: repeatElement(0, count: 4 * (pointCount * 3 + 70 * 3)))
      return
    }
    var points = indices.map { mesh[$0] }
    let eyes = Gaze.eyes { face[$0] }
    let pupils = [
      (contour: MeshIndex.leftEye, gaze: eyes.right),
      (contour: MeshIndex.rightEye, gaze: eyes.left),
    ]
    points += face.irises.map { [$0.left, $0.right] } ?? pupils.map { mesh.mean($0.contour) }
    for _ in points { packet.append(Float(1)) }
    for point in points {
      packet.append(Float(point.x))
      packet.append(Float(point.y))
    }
    // The tracker's face: the tip of the nose is the origin, the outer corners of the eyes are 0.66
    // apart, x is to the person's right, y up, z ahead.
    let (origin, corners) = (mesh[MeshIndex.noseTip], MeshIndex.outerEyeCorners)
    let scale = 0.66 / max(1e-6, (mesh[corners.right] - mesh[corners.left]).length)
    var places = points.map { point -> SIMD3<Double> in
      let offset = point - origin
      let v = rotation.unrotated(SIMD3(offset.x, -offset.y, -offset.z)) * scale
      return SIMD3(-v.x, v.y, v.z)
    }
    // Behind each pupil the centre of the eyeball, 0.385 eye widths deep; the pupil as it looks.
    for (index, pair) in [(36, 39), (42, 45)].enumerated() {
      let depth = 0.385 * (places[pair.0] - places[pair.1]).length
      let center = (places[pair.0] + places[pair.1]) / 2 - SIMD3(0, 0, depth)
      let gaze = HeadRotation(
        HeadPose(roll: 0, yaw: pupils[index].gaze.yaw, pitch: pupils[index].gaze.pitch))
      let ahead = gaze.ahead * depth
      places[66 + index] = center + SIMD3(-ahead.x, ahead.y, ahead.z)
      places.append(center)
    }
    for place in places {
      packet.append(Float(place.x))
      packet.append(Float(-place.y))
      packet.append(Float(-place.z))
    }
  }

  // MARK: Features

  /// The tracker's 14 measures relative to the calm face, -1...1, composed of blendshapes.
  ///
  /// Eyes, then for each brow slope, height and bend, for each corner of the mouth height (positive:
  /// down) and distance from the middle, and the mouth's opening and width; the person's left first.
  private static func features(_ face: PuppetFace) -> [Double] {
    func limited(_ number: Double) -> Double { max(-1, min(number, 1)) }
    let inner = face[.browInnerUp]
    func brow(_ down: Blendshape, _ up: Blendshape) -> [Double] {
      [
        limited(inner - face[down]), limited(max(inner, face[up]) - face[down]), face[up],
      ]
    }
    func out(_ smile: Blendshape, _ stretch: Blendshape) -> Double {
      limited(max(face[smile], face[stretch]) - face[.mouthPucker])
    }
    let left = out(.mouthSmileLeft, .mouthStretchLeft)
    let right = out(.mouthSmileRight, .mouthStretchRight)
    return [
      limited(face[.eyeWideLeft] + face.leftEyeOpen - 1),
      limited(face[.eyeWideRight] + face.rightEyeOpen - 1),
    ] + brow(.browDownLeft, .browOuterUpLeft) + brow(.browDownRight, .browOuterUpRight) + [
      limited(face[.mouthFrownLeft] - face[.mouthSmileLeft]), left,
      limited(face[.mouthFrownRight] - face[.mouthSmileRight]), right,
      limited(face[.jawOpen] - face[.mouthClose]), (left + right) / 2,
    ]
  }

  /// Numbers in the order of their bytes.
  private struct Packet {
    var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(OpenSeeFace.size) }

    mutating func append(_ number: Double) { append(number.bitPattern, count: 8) }
    mutating func append(_ number: Float) {
      append(UInt64((number.isFinite ? number : 0).bitPattern), count: 4)
    }
    mutating func append(_ number: Int32) { append(UInt64(UInt32(bitPattern: number)), count: 4) }

    private mutating func append(_ bits: UInt64, count: Int) {
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * index))) }
    }
  }
}

extension SIMD3<Double> {
  fileprivate var length: Double { (self * self).sum().squareRoot() }
}
