import Faces
import Glibc
import Pixels
import Stickers
import Support

/// Compares drawing stickers with GStreamer's overlay elements, and times it alone.
enum StickerBench {
  /// A picture of 512 x 512 with opaque and clear parts.
  private static let picture = ".build/bench-sticker.png"

  static func comparisons() -> [Comparison] {
    let made = execute(
      words(
        "gst-launch-1.0 -q videotestsrc num-buffers=1 ! video/x-raw,width=512,height=512"
          + " ! alpha method=green ! videoconvert ! video/x-raw,format=RGBA ! pngenc ! filesink"
          + " location=\(picture)"))
    return ["NV12", "I420"].map { pipelines($0, isMade: made != nil) }
      + [PixelFormat.nv12, .i420].map(kernels) + [crowd()]
  }

  private static func pipelines(_ format: String, isMade: Bool) -> Comparison {
    let caps = caps(format, 1920, 1080)
    func candidate(
      _ name: String, _ elements: String, _ environment: [String: String] = Environment.ours,
      once: String = "identity"
    ) -> Candidate {
      // The steps before imagefreeze take as long as 200 frames, and their time varies.
      let candidate = Candidate(
        name, elements, caps, frames: once == "identity" ? 200 : 1000, environment, once: once)
      return Candidate(name) { isMade && candidate.measure(&$0) }
    }
    let sticker = "sticker location=\(picture)"
    return Comparison(
      title: "A sticker of 512x512 on 1920x1080 \(format); the frozen frame is copied first",
      candidates: [
        candidate(
          "gdkpixbufoverlay",
          "gdkpixbufoverlay location=\(picture) offset-x=704 offset-y=284", Environment.peers),
        candidate("sticker, upright", sticker + " anchor=screen scale=0.26666667"),
        candidate(
          "sticker, on a face turned by 30 degrees", sticker + " anchor=nose scale=1.2266",
          once: "videoconvert ! video/x-raw,format=AYUV ! rotate angle=0.5236 ! videoconvert"
            + " ! \(caps) ! facedetect updates=none"),
        candidate(
          "compositor",
          "c.sink_0 filesrc location=\(picture) ! pngdec ! c.sink_1 compositor name=c"
            + " background=black sink_1::xpos=704 sink_1::ypos=284"
            + " sink_1::repeat-after-eos=true ! \(caps)", Environment.peers),
        candidate(
          "a sticker of 19x19: copying the frame", sticker + " anchor=screen scale=0.01"),
        candidate("passing the frame on", "identity", Environment.peers),
      ],
      bars: [
        Bar("sticker upright, \(format): gdkpixbufoverlay", .share, of: 1, to: 0, atMost: 0.1),
        Bar("sticker turned, \(format): gdkpixbufoverlay", .share, of: 2, to: 0, atMost: 1.0 / 3),
      ])
  }

  private static func sprite(_ side: Int, _ format: PixelFormat) -> Sprite? {
    let picture = OwnedPicture(format: .rgba, width: side, height: side, colorimetry: .rgb)
    picture.withPicture { picture in
      for y in 0..<side {
        let row = picture.plane(0).row(y)
        for x in 0..<side {
          let (u, v) = (2 * x - side, 2 * y - side)
          let alpha = u * u + v * v < side * side ? 255 - (x * y) % 64 : 0
          for (c, value) in [x, y, x ^ y, alpha].enumerated() {
            row[4 * x + c] = UInt8(truncatingIfNeeded: value)
          }
        }
      }
    }
    return Sprite.make(
      from: picture, space: SpriteSpace(format: format, colorimetry: .bt709, blend: .over))
  }

  /// The frame to draw on; it is grey, since the time does not depend on the background.
  private struct Canvas {
    private let picture: OwnedPicture
    private let compositor = SpriteCompositor(width: 1920)

    init(_ format: PixelFormat) {
      picture = OwnedPicture(format: format, width: 1920, height: 1080, colorimetry: .bt709)
    }

    func draw(_ sprite: Sprite, at placements: some Sequence<StickerPlacement>) {
      picture.withPicture { picture in
        for placement in placements {
          compositor.draw(
            sprite,
            by: placement.transform(spriteWidth: sprite.width, spriteHeight: sprite.height),
            on: picture)
        }
      }
    }
  }

  private static func kernels(_ format: PixelFormat) -> Comparison {
    let canvas = Canvas(format)
    func candidate(_ name: String, _ degrees: Double, _ scale: Double, _ side: Int) -> Candidate {
      let sprite = sprite(side, format)
      let turn = degrees * .pi / 180
      let placement = StickerPlacement(
        center: Point(x: 960.3, y: 540.6), width: Double(side) * scale,
        height: Double(side) * scale, axis: Point(x: cos(turn), y: sin(turn)))
      return Candidate(name) { measurement in
        guard let sprite else { return false }
        measurement.time(frames: 100) { canvas.draw(sprite, at: [placement]) }
        return true
      }
    }
    return Comparison(
      title: "Drawing a round sprite alone, 1920x1080 \(format.rawValue), in this process",
      candidates: [
        candidate("512x512, upright", 0, 1, 512),
        candidate("512x512, turned by 30 degrees", 30, 1, 512),
        candidate("1448x1448 drawn as 512x512, turned", 30, 512.0 / 1448, 1448),
      ])
  }

  /// Ten items of 256 x 256 on each of four faces, including their placement.
  private static func crowd() -> Comparison {
    let canvas = Canvas(.nv12)
    let sprite = sprite(256, .nv12)
    let items = StickerAnchor.allCases.filter { $0 != .screen }.prefix(10).map { anchor in
      var item = StickerItem(attachment: .anchor(anchor), scaleWidth: 1, width: 1, height: 1)
      item.trigger = .face
      return item
    }
    let scene = StickerScene(
      items: items, timelines: items.map { _ in StickerTimeline(count: 1, frameDuration: 1) })
    let faces = (0..<4).map { index -> Face in
      let x = 0.2 + 0.2 * Double(index)
      return Face(
        id: UInt32(index + 1), confidence: 1,
        box: Rectangle(x: x - 0.07, y: 0.4, width: 0.14, height: 0.25),
        keypoints: [(-0.03, 0.47), (0.03, 0.48), (0, 0.53), (0, 0.58), (-0.06, 0.48), (0.06, 0.5)]
          .map { Point(x: x + $0.0, y: $0.1) })
    }
    var time: Int64 = 0
    return Comparison(
      title: "Ten stickers on each of four faces, 1920x1080 NV12, in this process",
      candidates: [
        Candidate("40 sprites of 256x256 drawn 115 pixels wide") { measurement in
          guard let sprite else { return false }
          measurement.time(frames: 100) {
            time += 33_000_000
            scene.advance(to: time, faces: faces, width: 1920, height: 1080, .init())
            canvas.draw(sprite, at: scene.draws.lazy.map(\.placement))
          }
          return true
        }
      ])
  }
}
