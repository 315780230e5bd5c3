import Faces

/// iFacialMocap's text protocol, to UDP port 49983 (ifacialmocap.com/for-developer).
///
/// Names and whole numbers 0...100, then angles in degrees and a position in metres. Axes are those
/// of a camera, as ARKit's: x to the image's right, y up, z toward the camera. So positive angles are
/// down, toward the person's left and, about z, toward the right shoulder.
enum IFacialMocap {
  /// The protocol's spelling: "mouthSmile_L" for mouthSmileLeft, and mouthLeft as it is.
  private static let shapes: [(shape: Blendshape, name: String)] = Blendshape.allCases.compactMap {
    guard $0 != .neutral else { return nil }
    let name = $0.name
    if name == "mouthLeft" || name == "mouthRight" || name == "jawLeft" || name == "jawRight" {
      return ($0, name)
    }
    if name.hasSuffix("Left") { return ($0, name.dropLast(4) + "_L") }
    if name.hasSuffix("Right") { return ($0, name.dropLast(5) + "_R") }
    return ($0, name)
  }

  /// The text of one frame.
  static func datagram(_ face: PuppetFace) -> [UInt8] {
    var text = ""
    text.reserveCapacity(1200)
    for (shape, name) in shapes {
      text += name
      text += "-"
      text += String(Int((face[shape] * 100).rounded()))
      text += "|"
    }
    text += "tongueOut-0|"
    let pose = face.pose
    let position = face.position ?? .zero
    appendNumbers(
      "=head", [pose.pitch, pose.yaw, -pose.roll, position.x, position.y, position.z], to: &text)
    let eyes = Gaze.eyes { face[$0] }
    appendNumbers("rightEye", [eyes.right.pitch, eyes.right.yaw, 0], to: &text)
    appendNumbers("leftEye", [eyes.left.pitch, eyes.left.yaw, 0], to: &text)
    return Array(text.utf8)
  }

  private static func appendNumbers(_ name: String, _ numbers: [Double], to text: inout String) {
    text += name
    for (index, number) in numbers.enumerated() {
      text += index == 0 ? "#" : ","
      // Four places, by hand: the program's locale never matters.
      let scaled = Int((max(-1e6, min(number, 1e6)) * 10_000).rounded())
      if scaled < 0 { text += "-" }
      let fraction = String(scaled.magnitude % 10_000 + 10_000)
      text += String(scaled.magnitude / 10_000)
      text += "."
      text += fraction.dropFirst()
    }
    text += "|"
  }
}
