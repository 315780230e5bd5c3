import Faces
import Occlusion
import Pixels
import Support
import Testing
import Vision

/// Films of a real face with a drawn cover, and what is found in them.
///
/// The mesh of a bare frame moves as the face does, so that no network of faces runs.
enum CoveredFilm {
  private static let portraits = Result { try PortraitHead.load() }

  /// A film that begins with nine bare frames, or under the cover.
  static func scene(
    _ kind: CoverKind?, beginsCovered: Bool = false,
    light: @escaping (Int) -> CoverScene.Light = { _ in .init() }
  ) throws -> CoverScene {
    CoverScene(
      try portraits.get()[15], kind, bareFrames: beginsCovered ? -6 : 9, way: 6,
      about: beginsCovered ? 16 : 8, light: light)
  }

  /// Calls `body` with the measured face of each frame.
  static func follow(
    _ scene: CoverScene, hands: HandFinder? = nil,
    _ body: (_ frame: Int, _ face: Face, _ oval: [Point]) -> Void
  ) throws {
    let occlusion = FaceOcclusion()
    let size = Point(x: Double(CoverScene.width), y: Double(CoverScene.height))
    // The last frames are bare in every film.
    scene.draw(scene.frameCount - 1)
    guard let first = try FaceFinder.faces(in: scene.picture).first, let back = scene.motion.inverse
    else {
      Issue.record("no face")
      return
    }
    for frame in 0..<scene.frameCount {
      scene.draw(frame)
      var face = first
      let map = { (point: Landmark) in
        scene.motion(back(point.inPixels(size.x, size.y)))
      }
      for (index, point) in first.landmarks.enumerated() {
        let moved = map(point)
        face.landmarks[index].x = Float(moved.x / size.x)
        face.landmarks[index].y = Float(moved.y / size.y)
      }
      let oval = MeshIndex.oval.map { map(first.landmarks[$0]) }
      var faces = [face]
      scene.picture.withPicture { picture in
        hands?.begin(picture)
        occlusion.update(&faces, picture, hands)
      }
      body(frame, faces[0], oval)
    }
  }

  static func score(_ scene: CoverScene, hands: HandFinder? = nil) throws -> CoverScore {
    var score = CoverScore()
    try follow(scene, hands: hands) { _, face, oval in
      score.add(face, scene.truth, original: oval)
    }
    return score
  }
}
