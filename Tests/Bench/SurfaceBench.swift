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
      for y in 0..<height {
        let row = picture.plane(0).row(y)
        for x in 0..<1024 {
          for (c, value) in [x, y, x ^ y].enumerated() {
            row[4 * x + c] = UInt8(truncatingIfNeeded: value)
          }
          row[4 * x + 3] = 230
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
      colorimetry: format.family == .rgb ? .rgb : .bt709)
    canvas.withPicture { picture in
      for index in 0..<format.layout.planeCount {
        let plane = picture.plane(index)
        for y in 0..<plane.height { plane.row(y).fill(255) }
      }
    }
    return canvas
  }

  private static func kernels(_ format: PixelFormat) -> Comparison {
    let face = face()
    let canvas = canvas(format)
    let compositor = SpriteCompositor(width: width)
    func candidate(
      _ name: String, _ items: [StickerItem], blend: SpriteBlend = .over, shade: Double = 0
    ) -> Candidate {
      let space = SpriteSpace(
        format: format, colorimetry: format.family == .rgb ? .rgb : .bt709, blend: blend)
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
          var isSame = false
          for draw in scene.draws {
            canvas.withPicture { picture in
              if let place = draw.placement.billboard {
                compositor.draw(
                  billboard, billboard: place,
                  behind: scene.head(of: draw).map {
                    .init(head: $0, vertices: scene.meshVertices(of: draw), offset: .zero)
                  }, isSameHead: isSame, blend: blend, picture: picture)
                isSame = true
              } else {
                compositor.draw(
                  skin, on: scene.meshVertices(of: draw), shade: shade, blend: blend,
                  picture: picture)
              }
            }
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
