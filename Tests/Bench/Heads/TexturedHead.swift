import Faces
import Pixels
import Stickers
import Support

/// A portrait as a texture on its mesh, to be drawn as a head with other angles.
struct TexturedHead {
  private let frame: HeadFrame
  private let points: [Point3]
  private let texture: SurfaceTexture

  init(_ scene: RealScene) throws {
    let portrait = try scene.picture(.rgb)
    let face = try FoundFace.largest(in: portrait)
    guard let frame = HeadFrame(face, width: portrait.width, height: portrait.height),
      let mesh = frame.mesh
    else { throw FoundFace.Missing.face }
    self.frame = frame
    points = (0..<Face.landmarkCount).map { mesh[$0] }
    let skin = OwnedPicture(format: .rgba, width: 1024, height: 1024, colorimetry: .rgb)
    Self.unwrap(portrait, points, to: skin)
    let space = SpriteSpace(format: .rgb, colorimetry: .rgb, blend: .over)
    guard let sprite = Sprite.make(from: skin, space: space) else {
      throw FoundFace.Missing.face
    }
    texture = SurfaceTexture(sprite, on: .face(without: []))
  }

  /// The head with a yaw and a pitch in degrees, over a bald grey one; the pupils are `unit` pixels
  /// apart before it is turned.
  func turned(
    yaw: Double, pitch: Double = 0, unit: Double, width: Int, height: Int
  ) -> (head: TurnedHead, picture: OwnedPicture) {
    let head = TurnedHead(
      frame, points, by: yaw, pitch: pitch, unit: unit,
      at: Point(x: Double(width) / 2, y: Double(height) * 0.52))
    let picture = OwnedPicture(format: .rgb, width: width, height: height, colorimetry: .rgb)
    picture.withPicture { picture in
      head.drawSkull(on: picture)
      SpriteCompositor(width: width).draw(texture, on: head.points, picture: picture)
    }
    return (head, picture)
  }

  /// Samples the face texture from a picture: each texel has the colour of its position on the
  /// mesh.
  private static func unwrap(_ from: OwnedPicture, _ mesh: [Point3], to texture: OwnedPicture) {
    texture.withPicture { texture in
      from.withPicture { from in
        for t in FaceTopology.triangles + FaceTopology.mouthTriangles {
          unwrap(from, [t.a, t.b, t.c], mesh, to: texture)
        }
      }
    }
  }

  /// The same for one triangle.
  private static func unwrap(
    _ from: borrowing Picture, _ triangle: [Int], _ mesh: [Point3], to texture: borrowing Picture
  ) {
    let side = Double(texture.width)
    let corners = triangle.map { FaceTopology.textureCoordinates[$0] * side }
    let places = triangle.map { mesh[$0].xy }
    let (low, high) = corners.boundingCorners
    let (e, f) = (corners[1] - corners[0], corners[2] - corners[0])
    let area = e.x * f.y - e.y * f.x
    guard abs(area) > 1e-9 else { return }
    // Extends each triangle slightly, since neighbouring texels are interpolated.
    let rows = max(0, Int(low.y) - 2)..<min(texture.height, Int(high.y) + 3)
    let columns = max(0, Int(low.x) - 2)..<min(texture.width, Int(high.x) + 3)
    for (y, x) in product(rows, columns) {
      let p = Point(x: Double(x) + 0.5, y: Double(y) + 0.5) - corners[0]
      let b = (p.x * f.y - p.y * f.x) / area
      let c = (e.x * p.y - e.y * p.x) / area
      let row = texture.plane(0).row(y)
      let isInside = min(b, c, 1 - b - c) >= 0
      guard isInside || (row[4 * x + 3] == 0 && min(b, c, 1 - b - c) > -0.2) else { continue }
      let place = places[0] * (1 - b - c) + places[1] * b + places[2] * c
      let color = sample(from, place)
      for channel in 0..<3 { row[4 * x + channel] = color[channel] }
      row[4 * x + 3] = 255
    }
  }

  private static func sample(_ picture: borrowing Picture, _ place: Point) -> [UInt8] {
    let x = min(max(place.x - 0.5, 0), Double(picture.width - 2))
    let y = min(max(place.y - 0.5, 0), Double(picture.height - 2))
    let (left, top) = (Int(x), Int(y))
    let (a, b) = (x - Double(left), y - Double(top))
    let (upper, lower) = (picture.plane(0).row(top), picture.plane(0).row(top + 1))
    return (0..<3).map { channel in
      let i = 3 * left + channel
      let above = Double(upper[i]) * (1 - a) + Double(upper[i + 3]) * a
      let below = Double(lower[i]) * (1 - a) + Double(lower[i + 3]) * a
      return UInt8((above * (1 - b) + below * b).rounded())
    }
  }
}
