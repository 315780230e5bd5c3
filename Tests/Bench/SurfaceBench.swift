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
    blend: SpriteBlend, shade: Double, by compositor: SpriteCompositor,
    on picture: borrowing Picture
  ) {
    var isSame = false
    for draw in scene.draws {
      let vertices = scene.meshVertices(of: draw)
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
        measurement.time(frames: 100) {
          time += 33_000_000
          scene.advance(to: time, faces: [face], width: width, height: height, .init())
          canvas.withPicture {
            draw(scene, skin, billboard, blend: blend, shade: shade, by: compositor, on: $0)
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
      ],
      bars: [
        Bar("a texture over a face, \(format.rawValue)", .milliseconds, of: 0, atMost: 1.5),
        Bar("three billboards, \(format.rawValue)", .milliseconds, of: 3, atMost: 1),
      ])
  }
}
