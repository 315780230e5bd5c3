import Faces

/// The Virtual Motion Capture protocol: Open Sound Control to UDP port 39539.
///
/// Messages by protocol.vmc.info ("Performer to Marionette", version 2.7 of /VMC/Ext/OK).
enum VMC {
  /// The names of ARKit's 52 blendshapes, for avatars that have them.
  private static let shapes: [(shape: Blendshape, name: String)] = Blendshape.allCases.compactMap {
    $0 == .neutral ? nil : ($0, $0.name)
  }

  /// The bundle of one frame; `time`: seconds since the beginning.
  static func datagram(_ face: PuppetFace?, time: Double) -> [UInt8] {
    var bundle = OSCBundle()
    // Loaded, calibrated, in the normal mode, and whether there is a face.
    bundle.add("/VMC/Ext/OK", .int(1), .int(3), .int(0), .int(face == nil ? 0 : 1))
    bundle.add("/VMC/Ext/T", .float(Float(time)))
    guard let face else { return bundle.bytes }
    let q = HeadRotation(face.pose).unity.components
    // Positions are those in the skeleton, which the face does not know.
    bundle.add(
      "/VMC/Ext/Bone/Pos", .string("Head"), .float(0), .float(0), .float(0), .float(Float(q.x)),
      .float(Float(q.y)), .float(Float(q.z)), .float(Float(q.w)))
    for (shape, name) in shapes {
      guard let score = face.known(shape) else { continue }
      bundle.add("/VMC/Ext/Blend/Val", .string(name), .float(score))
    }
    if face.hasBlendshapes { bundle.add("/VMC/Ext/Blend/Val", .string("tongueOut"), .float(0)) }
    bundle.add("/VMC/Ext/Blend/Apply")
    return bundle.bytes
  }
}
