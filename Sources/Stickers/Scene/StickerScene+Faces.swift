package import Faces
package import Pixels

/// The faces that draws belong to.
extension StickerScene {
  /// Pixels whose painting takes as long as the projection of a body.
  static let minimumBodyArea = 4096.0

  /// Drops all faces, as at a cut; animations on the screen continue.
  package func dropFaces() { faces.removeAll() }

  /// Index of the face with the largest box; the first of equal ones.
  var largestFace: Int? {
    faces.indices.max { faces[$0].state.area < faces[$1].state.area }
  }

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

  /// Time constant of the light on a head, in seconds.
  private static let lightTime = 0.4

  /// Measures the light on the heads of all bodies among the draws, in `picture`, on which nothing is
  /// drawn yet.
  package func updateLight(_ picture: borrowing Picture) {
    var last: Int?
    for draw in draws where draw.placement.body != nil {
      guard let face = draw.faceIndex, face != last, faces.indices.contains(face) else { continue }
      last = face
      guard
        let new = BodyLight(
          faces[face].state.meshVertices, offset: draw.offset, picture: picture)
      else { continue }
      let weight = elapsedSeconds / (elapsedSeconds + Self.lightTime)
      faces[face].state.light = faces[face].state.light?.eased(toward: new, weight) ?? new
    }
  }

  /// The light on the head that a draw belongs to; valid until the next `advance`.
  package func light(of draw: StickerDraw) -> BodyLight {
    guard let face = draw.faceIndex, faces.indices.contains(face) else { return .standard }
    return faces[face].state.light ?? .standard
  }

  /// What is in front of the face that a draw belongs to; valid until the next `advance`.
  package func cover(of draw: StickerDraw) -> CoverMap? {
    guard let face = draw.coveredFace, faces.indices.contains(face) else { return nil }
    return faces[face].state.cover
  }
}
