/// The 52 measures of facial movement of MediaPipe's face_blendshapes.tflite, in the order of its
/// output.
///
/// The names are those of ARKit (ARFaceAnchor.BlendShapeLocation), which has `tongueOut` in place of
/// `neutral`. Left and right are the person's.
package enum Blendshape: Int, CaseIterable, Sendable {
  case neutral
  case browDownLeft, browDownRight, browInnerUp, browOuterUpLeft, browOuterUpRight
  case cheekPuff, cheekSquintLeft, cheekSquintRight
  case eyeBlinkLeft, eyeBlinkRight, eyeLookDownLeft, eyeLookDownRight, eyeLookInLeft
  case eyeLookInRight, eyeLookOutLeft, eyeLookOutRight, eyeLookUpLeft, eyeLookUpRight
  case eyeSquintLeft, eyeSquintRight, eyeWideLeft, eyeWideRight
  case jawForward, jawLeft, jawOpen, jawRight
  case mouthClose, mouthDimpleLeft, mouthDimpleRight, mouthFrownLeft, mouthFrownRight, mouthFunnel
  case mouthLeft, mouthLowerDownLeft, mouthLowerDownRight, mouthPressLeft, mouthPressRight
  case mouthPucker, mouthRight, mouthRollLower, mouthRollUpper, mouthShrugLower, mouthShrugUpper
  case mouthSmileLeft, mouthSmileRight, mouthStretchLeft, mouthStretchRight, mouthUpperUpLeft
  case mouthUpperUpRight
  case noseSneerLeft, noseSneerRight

  /// The number of scores.
  package static let count = 52
  /// The names in order; the network calls the first one "_neutral".
  package static let names: [String] = allCases.map {
    $0 == .neutral ? "_neutral" : String(describing: $0)
  }

  package var name: String { Self.names[rawValue] }

  /// Nil for a name that is not one of the 52.
  package init?(name: some StringProtocol) {
    guard let index = Self.names.firstIndex(where: { $0 == name }) else { return nil }
    self.init(rawValue: index)
  }

  /// For each score the one that it becomes in a mirror.
  package static let mirrored: [Int] = names.enumerated().map { index, name in
    for (side, other) in [("Left", "Right"), ("Right", "Left")] where name.hasSuffix(side) {
      return names.firstIndex(of: name.dropLast(side.count) + other) ?? index
    }
    return index
  }
}
