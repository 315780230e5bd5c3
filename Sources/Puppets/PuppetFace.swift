package import Faces
import Pixels

/// What is sent of a face: its measures, cleaned, since metadata may hold any numbers.
package struct PuppetFace {
  /// The scores of `Blendshape`, 0...1; NaN for unknown ones.
  private var scores = [Float](repeating: .nan, count: Blendshape.count)
  /// Whether the face was measured by the network for blendshapes.
  let hasBlendshapes: Bool
  let pose: HeadPose
  /// The openness of the person's eyes, 0...1.
  let rightEyeOpen, leftEyeOpen: Double
  /// The position of the head to the camera in metres: x to the image's right, y up, z toward the
  /// camera; nil if unknown.
  let position: SIMD3<Double>?
  let mesh: PixelMesh?
  /// The centres of the irises at the left and right of the image, points 468 and 473 of a mesh with
  /// irises; nil without them.
  let irises: (left: Point3, right: Point3)?
  let width, height: Int

  /// A face in a frame of this size in pixels.
  ///
  /// Without blendshapes the scores of lids, jaw and smile are derived from the expression.
  package init(_ face: Face, width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    hasBlendshapes = face.blendshapes.count == Blendshape.count
    let mesh = PixelMesh(face, width: width, height: height)
    // A mesh with a number that is not finite places no point.
    self.mesh = face.landmarks.allSatisfy { ($0.x + $0.y + $0.z).isFinite } ? mesh : nil
    irises = self.mesh.flatMap { face.landmarks.count > 473 ? ($0[468], $0[473]) : nil }
    let pose = face.pose ?? self.mesh.flatMap { HeadPose($0) }
    self.pose = HeadPose(
      roll: Self.angle(pose?.roll), yaw: Self.angle(pose?.yaw), pitch: Self.angle(pose?.pitch))
    if hasBlendshapes {
      for index in scores.indices { scores[index] = Self.score(face.blendshapes[index]) }
    } else if let expression = face.expression {
      let derived: [(Blendshape, Double)] = [
        (.eyeBlinkLeft, 1 - expression.rightEyeOpen), (.eyeBlinkRight, 1 - expression.leftEyeOpen),
        (.jawOpen, expression.mouthOpen), (.mouthSmileLeft, expression.smile),
        (.mouthSmileRight, expression.smile),
      ]
      for (shape, value) in derived { scores[shape.rawValue] = Self.score(Float(value)) }
    }
    func open(_ measured: Double?, _ blink: Float) -> Double {
      Double(measured.map { Self.score(Float($0)) } ?? (blink.isNaN ? 1 : 1 - blink))
    }
    // Left and right of the image are the person's right and left.
    rightEyeOpen = open(
      face.expression?.leftEyeOpen, scores[Blendshape.eyeBlinkRight.rawValue])
    leftEyeOpen = open(
      face.expression?.rightEyeOpen, scores[Blendshape.eyeBlinkLeft.rawValue])
    position = Self.position(face, self.pose, width: width, height: height)
  }

  /// Nil for an unknown score.
  func known(_ shape: Blendshape) -> Float? {
    let score = scores[shape.rawValue]
    return score.isNaN ? nil : score
  }

  /// 0 for an unknown score.
  subscript(_ shape: Blendshape) -> Double { Double(known(shape) ?? 0) }

  private static func score(_ number: Float) -> Float {
    number.isNaN ? 0 : max(0, min(number, 1))
  }

  private static func angle(_ degrees: Double?) -> Double {
    guard let degrees, degrees.isFinite else { return 0 }
    return max(-180, min(degrees, 180))
  }

  /// The distance of the pupils of adults, in metres.
  ///
  /// N. Dodgson, "Variation and extrema of human interpupillary distance", 2004.
  static let pupilDistance = 0.063

  /// The position by the face's transform, else by the distance of its eyes, for a camera whose
  /// focal length is the width of the picture.
  private static func position(
    _ face: Face, _ pose: HeadPose, width: Int, height: Int
  ) -> SIMD3<Double>? {
    let transform = face.transform
    if transform.count == 16, transform.allSatisfy(\.isFinite) {
      return SIMD3(Double(transform[3]), Double(transform[7]), Double(transform[11])) / 1000
    }
    guard let left = face[.leftEye], let right = face[.rightEye] else { return nil }
    let (w, h) = (Double(width), Double(height))
    let span = (right - left).scaled(x: w, y: h).length
    // Turning to the side brings the eyes nearer to one another in the picture.
    let turned = max(0.5, HeadRotation(pose).foreshortening)
    let depth = pupilDistance * w * turned / span
    guard depth.isFinite, depth < 100 else { return nil }
    let center = (left + right).scaled(x: w / 2, y: h / 2) - Point(x: w / 2, y: h / 2)
    return SIMD3(center.x * depth / w, -center.y * depth / w, -depth)
  }
}
