package import Faces
package import Pixels

extension HeadFrame {
  /// Where a named anchor is, in pixels of the frame.
  ///
  /// The crown is no point of the mesh: it is held at 1.72 pupil distances over the pupils
  /// and 0.7 behind them, and so moves with the head as a point of a rigid body. Anthropometric
  /// tables put it about 11 cm over the eyes of a head whose pupils are 6.3 cm apart.
  package func point(_ anchor: StickerAnchor) -> Point {
    switch anchor {
    case .headTop: place(0, 1.72, -0.7)
    case .forehead: meshPoint(MeshIndex.forehead) ?? place(0, 0.62, 0.3)
    case .eyes, .screen: origin.flat
    case .leftEye: mean(MeshIndex.leftEye) ?? keypoint(.leftEye) ?? place(-0.5, 0, 0)
    case .rightEye: mean(MeshIndex.rightEye) ?? keypoint(.rightEye) ?? place(0.5, 0, 0)
    case .nose: meshPoint(MeshIndex.noseTip) ?? keypoint(.noseTip) ?? place(0, -0.62, 0.5)
    case .mouth: mean(Self.lips) ?? keypoint(.mouthCenter) ?? place(0, -1, 0.3)
    case .chin: meshPoint(MeshIndex.chin) ?? place(0, -1.68, 0.1)
    case .leftCheek: meshPoint(MeshIndex.cheeks.left) ?? place(-0.56, -0.55, 0.2)
    case .rightCheek: meshPoint(MeshIndex.cheeks.right) ?? place(0.56, -0.55, 0.2)
    case .face: mean(Self.extremes) ?? place(0, -0.4, 0)
    }
  }

  private static let lips = [MeshIndex.innerLips.upper, MeshIndex.innerLips.lower]
  private static let extremes = [
    MeshIndex.hairline, MeshIndex.chin, MeshIndex.sides.left, MeshIndex.sides.right,
  ]
}
