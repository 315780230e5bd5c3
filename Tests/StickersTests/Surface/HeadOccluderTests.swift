import Faces
import Pixels
import Stickers
import Support
import Testing

/// Billboards in the head's space: what the head hides of them, and meshes that are no heads.
@Suite(.timeLimit(.minutes(20))) struct HeadOccluderTests {
  private static let (width, height) = (400, 400)

  /// The photograph's face in the middle of a picture, as whoever finds faces tells of it.
  private func face(yaw: Double = 0) throws -> Face {
    let points = try SkinScene.points(yaw: yaw, width: 140, middle: Point(x: 200, y: 220))
    return Face(
      id: 1, confidence: 1, box: Rectangle(x: 0.3, y: 0.3, width: 0.4, height: 0.5),
      landmarks: points.map {
        Landmark(
          x: Float($0.x / Double(Self.width)), y: Float($0.y / Double(Self.height)),
          z: Float($0.z / Double(Self.width)))
      })
  }

  /// How light a billboard of white makes a grey picture, row by row.
  private func drawn(
    _ face: Face, depth: Double, height: Double = 0.1, hidden: Bool = true
  ) throws -> (bytes: [UInt8], head: HeadFrame) {
    var quad = StickerQuad(
      from: Point3(x: -2.2, y: height, z: depth), to: Point3(x: 2.2, y: height, z: depth))
    quad.isOccluded = hidden
    let item = StickerItem(attachment: .head(quad), scaleWidth: 1, width: 10, height: 1)
    let scene = StickerScene(
      items: [item], timelines: [StickerTimeline(count: 1, frameDuration: 1)])
    scene.advance(to: 0, faces: [face], width: Self.width, height: Self.height, .init())
    let frame = try #require(HeadFrame(face, width: Self.width, height: Self.height))
    let white = SkinScene.flat((255, 255, 255, 255), side: 32)
    let sprite = try #require(SpriteScene.sprite(white, width: 32, height: 32, for: .gray8))
    let picture = SpriteScene.flat(.gray8, width: Self.width, height: Self.height)
    let compositor = SpriteCompositor(width: Self.width)
    for draw in scene.draws {
      let billboard = try #require(draw.placement.billboard)
      let head = hidden ? scene.head(of: draw) : nil
      picture.withPicture {
        _ = compositor.draw(
          SurfaceTexture(sprite, on: .billboard), billboard: billboard,
          behind: head.map {
            .init(head: $0, vertices: scene.meshVertices(of: draw), offset: draw.offset)
          },
          picture: $0)
      }
    }
    return (picture.tightBytes, frame)
  }

  private func light(_ drawn: (bytes: [UInt8], head: HeadFrame), _ x: Double, _ y: Double) -> UInt8
  {
    let place = drawn.head.project(x, y, 0)
    return drawn.bytes[Int(place.y) * Self.width + Int(place.x)]
  }

  @Test func theHeadOccludesWhatIsBehindItAndNothingBesideIt() throws {
    for yaw in [-30.0, 0, 30] {
      let face = try face(yaw: yaw)
      let behind = try drawn(face, depth: -2)
      #expect(light(behind, 0, 0.1) == 30, "the middle of the face at \(yaw)")
      let row = Int(behind.head.project(0, 0.1, 0).y) * Self.width
      let seen = behind.bytes[row..<row + Self.width].count { $0 > 200 }
      #expect(seen > 40, "\(seen) pixels beside the head at \(yaw)")
      let free = try drawn(face, depth: -2, hidden: false)
      #expect(free.bytes[row..<row + Self.width].count { $0 > 200 } > seen + 80)
    }
  }

  @Test func theSkullOccludesWhatIsBehindTheCrown() throws {
    let behind = try drawn(face(), depth: -2.6, height: 1.35)
    let free = try drawn(face(), depth: -2.6, height: 1.35, hidden: false)
    let (some, all) = (behind.bytes.count { $0 > 200 }, free.bytes.count { $0 > 200 })
    #expect(some < all * 4 / 5 && some > all / 5, "\(some) of \(all) pixels")
  }

  @Test func nothingBeforeTheFaceIsOccluded() throws {
    let (hidden, free) = (
      try drawn(face(), depth: 0.9), try drawn(face(), depth: 0.9, hidden: false)
    )
    #expect(hidden.bytes == free.bytes)
  }

  @Test func invalidHeadsDoNotTrap() throws {
    var random = SplitMix(9)
    let wild: [Float] = [0, 1, -1, 1e30, -1e30, .nan, .infinity, 1e-30, 0.5]
    for _ in 0..<300 {
      var face = try face()
      for index in face.landmarks.indices where random.below(6) == 0 {
        face.landmarks[index] = Landmark(
          x: wild[random.below(9)], y: wild[random.below(9)], z: wild[random.below(9)])
      }
      guard HeadFrame(face, width: Self.width, height: Self.height) != nil else { continue }
      _ = try drawn(face, depth: -2)
    }
  }
}
