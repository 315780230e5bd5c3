package import Faces
package import Pixels

/// The faces that draws belong to.
extension StickerScene {
  /// The head that a draw belongs to; valid until the next `advance`.
  package func head(of draw: StickerDraw) -> HeadTransform? {
    guard let face = draw.faceIndex, faces.indices.contains(face) else { return nil }
    return faces[face].state.head
  }

  /// The mesh vertices, in pixels of the frame, of the face that a draw belongs to; valid until the
  /// next `advance`.
  package func meshVertices(of draw: StickerDraw) -> [Point3] {
    guard let face = draw.faceIndex, faces.indices.contains(face) else { return [] }
    return faces[face].state.meshVertices
  }

  /// What is in front of the face that a draw belongs to; valid until the next `advance`.
  package func cover(of draw: StickerDraw) -> CoverMap? {
    guard let face = draw.coveredFace, faces.indices.contains(face) else { return nil }
    return faces[face].state.cover
  }
}
