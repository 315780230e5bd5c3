import Faces
import Glibc
import Pixels
import Stickers
import Support

/// Textures on a face and billboards behind a head, on the photograph's face with a width of 480
/// pixels.
enum SurfaceBench {
  static func comparisons() -> [Comparison] {
    [PixelFormat.nv12, .i420, .rgba].map(kernels)
  }

  private static let (width, height) = (1920, 1080)

  /// The photograph's face, moved to the middle of a frame.
  private static func face() -> Face? {
    guard let photograph = try? Photograph.load(.rgb),
      var face = try? FoundFace.largest(in: photograph)
    else { return nil }
    let across = MeshIndex.oval.map { face.landmarks[$0].x }
    let down = MeshIndex.oval.map { face.landmarks[$0].y }
    let left = across.min() ?? 0
    let scale = 480 / (512 * ((across.max() ?? 1) - left))
    let middle = ((down.max() ?? 0) + (down.min() ?? 0)) / 2
    for index in face.landmarks.indices {
      let point = face.landmarks[index]
      face.landmarks[index] = Landmark(
        x: ((point.x - left) * 512 * scale + 720) / Float(width),
        y: ((point.y - middle) * 512 * scale + 540) / Float(height),
        z: point.z * 512 * scale / Float(width))
    }
    face.box = Rectangle(x: 0.37, y: 0.2, width: 0.26, height: 0.6)
    return face
  }

  private static func picture(height: Int) -> OwnedPicture {
    let picture = OwnedPicture(format: .rgba, width: 1024, height: height, colorimetry: .rgb)
    picture.withPicture { picture in
      for c in 0..<4 {
        picture.component(c).fill { x, y in
          c == 3 ? 230 : UInt8(truncatingIfNeeded: [x, y, x ^ y][c])
        }
      }
    }
    return picture
  }

  private static func surface() -> StickerItem {
    StickerItem(attachment: .surface(StickerSurface()), scaleWidth: 1, width: 1, height: 1)
  }

  private static func layer(_ height: Double, _ depth: Double) -> StickerItem {
    StickerItem(
      attachment: .head(
        StickerQuad(
          from: Point3(x: -1, y: height, z: depth), to: Point3(x: 1, y: height, z: depth))),
      scaleWidth: 1, width: 4, height: 1)
  }

  /// A hat: 14 rings of 40 parts, which stand out of the head on every side.
  private static func hat() -> StickerItem {
    let radii = [0, 0.22, 0.42, 0.52, 0.57, 0.61, 0.64, 0.67, 0.8, 0.93, 1, 0.99, 0.92, 0.78, 0.64]
    let heights = [
      1.2, 1.24, 1.37, 1.36, 1.24, 0.6, 0.1, 0.02, -0.04, -0.02, 0.06, 0.01, -0.07, -0.09, -0.06,
    ]
    var body = StickerBody(
      .lathe(zip(radii, heights).map { Point(x: $0, y: $1) }),
      from: Point3(x: -1.9, y: 0.8, z: -1.15),
      to: Point3(x: 1.9, y: 0.8, z: -1.15))
    body.depth = 1.3
    return StickerItem(attachment: .body(body), scaleWidth: 1, width: 2, height: 1)
  }

  private static func halo() -> StickerItem {
    let body = StickerBody(
      .torus(0.2), from: Point3(x: -1.45, y: 2.2, z: -0.95), to: Point3(x: 1.45, y: 2.2, z: -0.95))
    return StickerItem(attachment: .body(body), scaleWidth: 1, width: 10, height: 1)
  }

  /// The three billboards that a hat was before bodies, and the one of a halo.
  private static func brims() -> [StickerItem] {
    [-1.3, -0.8, -0.35].map { depth in
      var quad = StickerQuad(
        from: Point3(x: -1.95, y: 1.5, z: depth), to: Point3(x: 1.95, y: 1.5, z: depth))
      (quad.isRound, quad.isOccluded) = (true, depth < -1)
      return StickerItem(attachment: .head(quad), scaleWidth: 1, width: 512, height: 300)
    }
  }

  private static func ring() -> StickerItem {
    var quad = StickerQuad(
      from: Point3(x: -1.6, y: 1.98, z: -0.95), to: Point3(x: 1.6, y: 1.98, z: -0.95))
    quad.down = Point3(x: 0, y: 0.4, z: 1)
    return StickerItem(attachment: .head(quad), scaleWidth: 1, width: 1, height: 1)
  }

  /// A white, opaque frame.
  private static func canvas(_ format: PixelFormat) -> OwnedPicture {
    let canvas = OwnedPicture(
      format: format, width: width, height: height,
      colorimetry: format.colorimetry(.bt709))
    canvas.withPicture { $0.fillBytes { _, _ in 255 } }
    return canvas
  }

  private static func draw(
    _ scene: StickerScene, _ skin: SurfaceTexture, _ billboard: SurfaceTexture,
    _ bodies: [SurfaceTexture?], blend: SpriteBlend, shade: Double, by compositor: SpriteCompositor,
    on picture: borrowing Picture
  ) {
    var isSame = false
    scene.updateLight(picture)
    for draw in scene.draws {
      let vertices = scene.meshVertices(of: draw)
      if let texture = bodies[draw.item], let body = draw.placement.body {
        compositor.draw(
          texture, body: body, light: scene.light(of: draw), shade: 1,
          behind: scene.head(of: draw).map { .init(head: $0, vertices: vertices, offset: .zero) },
          picture: picture)
        continue
      }
      guard let place = draw.placement.billboard else {
        compositor.draw(skin, on: vertices, shade: shade, blend: blend, picture: picture)
        continue
      }
      compositor.draw(
        billboard, billboard: place,
        behind: scene.head(of: draw).map { .init(head: $0, vertices: vertices, offset: .zero) },
        isSameHead: isSame, blend: blend, picture: picture)
      isSame = true
    }
  }

  private static func kernels(_ format: PixelFormat) -> Comparison {
    let face = face()
    let canvas = canvas(format)
    let compositor = SpriteCompositor(width: width)
    func candidate(
      _ name: String, _ items: [StickerItem], blend: SpriteBlend = .over, shade: Double = 0
    ) -> Candidate {
      let space = SpriteSpace(
        format: format, colorimetry: format.colorimetry(.bt709), blend: blend)
      func texture(_ height: Int, _ shape: SurfaceMesh) -> SurfaceTexture? {
        Sprite.make(from: picture(height: height), space: space).map {
          SurfaceTexture($0, on: shape)
        }
      }
      let scene = StickerScene(
        items: items, timelines: items.map { _ in StickerTimeline(count: 1, frameDuration: 1) })
      var time: Int64 = 0
      return Candidate(name) { measurement in
        guard let face, let skin = texture(1024, .face(without: [.eyes, .mouth])),
          let billboard = texture(256, .billboard)
        else { return false }
        let bodies = items.map { item in
          item.body.flatMap { _ in item.mesh }.flatMap { texture(512, $0) }
        }
        measurement.time(frames: 100) {
          time += 33_000_000
          scene.advance(to: time, faces: [face], width: width, height: height, .init())
          canvas.withPicture {
            draw(scene, skin, billboard, bodies, blend: blend, shade: shade, by: compositor, on: $0)
          }
        }
        return true
      }
    }
    return Comparison(
      title: "On a face 480 pixels wide, 1920x1080 \(format.rawValue), in this process",
      candidates: [
        candidate("a texture over all of the face", [surface()]),
        candidate("the same with the light of the face", [surface()], shade: 0.8),
        candidate("the same, soft light", [surface()], blend: .softLight),
        candidate(
          "three billboards in space behind the head",
          [layer(1.5, -2), layer(1.3, -0.9), layer(1.1, 0.2)]),
        candidate("a hat of three billboards, as before bodies", brims()),
        candidate("a hat as a lathe of 14 rings", [hat()]),
        candidate("a halo of one billboard, as before bodies", [ring()]),
        candidate("a halo as a torus", [halo()]),
      ],
      bars: [
        Bar("a texture over a face, \(format.rawValue)", .milliseconds, of: 0, atMost: 1.5),
        Bar("three billboards, \(format.rawValue)", .milliseconds, of: 3, atMost: 1),
        Bar("a hat as a lathe, \(format.rawValue)", .milliseconds, of: 5, atMost: 3.5),
      ])
  }
}
