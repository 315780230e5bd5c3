package import Faces
package import Pixels

extension HeadFrame {
  /// The position of a named anchor in pixels of the frame.
  ///
  /// The crown is not a point of the mesh: it lies 1.72 pupil distances above the pupils and 0.7
  /// behind them, and moves rigidly with the head. Anthropometric tables place it about 11 cm above
  /// the eyes of a head whose pupils are 6.3 cm apart.
  package func point(_ anchor: StickerAnchor) -> Point {
    switch anchor {
    case .headTop: project(0, 1.72, -0.7)
    case .forehead: meshPoint(MeshIndex.forehead) ?? project(0, 0.62, 0.3)
    case .eyes, .screen: origin.xy
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

  private static let lips = [MeshIndex.innerLips.upper, MeshIndex.innerLips.lower]
  private static let extremes = [
    MeshIndex.hairline, MeshIndex.chin, MeshIndex.sides.left, MeshIndex.sides.right,
  ]
}
