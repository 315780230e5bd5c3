package import Faces
package import Pixels

extension HeadFrame {
  /// The position of a named anchor in pixels of the frame; between the eyes for those that are not on faces.
  ///
  /// The crown is not a point of the mesh: it lies 1.72 pupil distances above the pupils and 0.7
  /// behind them, and moves rigidly with the head. Anthropometric tables place it about 11 cm above
  /// the eyes of a head whose pupils are 6.3 cm apart.
  package func point(_ anchor: StickerAnchor) -> Point {
    switch anchor {
    case .headTop: project(0, 1.72, -0.7)
    case .forehead: meshPoint(MeshIndex.forehead) ?? project(0, 0.62, 0.3)
    case .eyes, .palm, .fingertip, .screen: origin.xy
    case .leftEye: mean(MeshIndex.leftEye) ?? keypoint(.leftEye) ?? project(-0.5, 0, 0)
    case .rightEye: mean(MeshIndex.rightEye) ?? keypoint(.rightEye) ?? project(0.5, 0, 0)
    case .nose: meshPoint(MeshIndex.noseTip) ?? keypoint(.noseTip) ?? project(0, -0.62, 0.5)
    case .mouth: mean(Self.lips) ?? keypoint(.mouthCenter) ?? project(0, -1, 0.3)
    case .chin: meshPoint(MeshIndex.chin) ?? project(0, -1.68, 0.1)
    case .leftCheek: meshPoint(MeshIndex.cheeks.left) ?? project(-0.56, -0.55, 0.2)
    case .rightCheek: meshPoint(MeshIndex.cheeks.right) ?? project(0.56, -0.55, 0.2)
    case .face: mean(Self.extremes) ?? project(0, -0.4, 0)
    }
  }

  /// The position of a named anchor in pupil distances along the head's axes; on heads without a mesh
  /// at an average depth.
  func position(_ anchor: StickerAnchor) -> Point3 {
    let average = Self.averagePosition(anchor)
    guard unit > 0 else { return average }
    let p: Point3
    if let point = spacePoint(anchor) {
      p = point - origin
    } else {
      // Moved in the picture's plane from where it would be on an average head.
      let seen = project(average.x, average.y, average.z)
      let measured = point(anchor)
      p =
        right * (average.x * unit) + up * (average.y * unit) + forward * (average.z * unit)
        + Point3(x: measured.x - seen.x, y: measured.y - seen.y, z: 0)
    }
    return Point3(x: p.dot(right), y: p.dot(up), z: p.dot(forward)) * (1 / unit)
  }

  /// An anchor on the mesh; nil without a mesh, and for those that are no points of it.
  private func spacePoint(_ anchor: StickerAnchor) -> Point3? {
    switch anchor {
    case .headTop, .eyes, .palm, .fingertip, .screen: nil
    case .forehead: mesh?[MeshIndex.forehead]
    case .leftEye: mesh?.mean(MeshIndex.leftEye)
    case .rightEye: mesh?.mean(MeshIndex.rightEye)
    case .nose: mesh?[MeshIndex.noseTip]
    case .mouth: mesh?.mean(Self.lips)
    case .chin: mesh?[MeshIndex.chin]
    case .leftCheek: mesh?[MeshIndex.cheeks.left]
    case .rightCheek: mesh?[MeshIndex.cheeks.right]
    case .face: mesh?.mean(Self.extremes)
    }
  }

  private static func averagePosition(_ anchor: StickerAnchor) -> Point3 {
    let (x, y, z): (Double, Double, Double) =
      switch anchor {
      case .headTop: (0, 1.72, -0.7)
      case .forehead: (0, 0.62, 0.3)
      case .eyes, .palm, .fingertip, .screen: (0, 0, 0)
      case .leftEye: (-0.5, 0, 0)
      case .rightEye: (0.5, 0, 0)
      case .nose: (0, -0.62, 0.7)
      case .mouth: (0, -1, 0.4)
      case .chin: (0, -1.68, 0.2)
      case .leftCheek: (-0.56, -0.55, 0.2)
      case .rightCheek: (0.56, -0.55, 0.2)
      case .face: (0, -0.4, 0)
      }
    return Point3(x: x, y: y, z: z)
  }

  private static let lips = [MeshIndex.innerLips.upper, MeshIndex.innerLips.lower]
  private static let extremes = [
    MeshIndex.hairline, MeshIndex.chin, MeshIndex.sides.left, MeshIndex.sides.right,
  ]
}
