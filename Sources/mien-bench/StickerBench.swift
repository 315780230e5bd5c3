import Faces
import Glibc
import Pixels
import Stickers
import Threads

/// Drawing stickers beside GStreamer's own overlays, and alone.
enum StickerBench {
  private static let size = (width: 1920, height: 1080)
  /// A picture of 512 x 512 with opaque and clear parts.
  private static let picture = ".build/bench-sticker.png"

  static func comparisons() -> [Comparison] {
    let isMade =
      run(
        ("gst-launch-1.0 -q videotestsrc num-buffers=1 ! video/x-raw,width=512,height=512"
          + " ! alpha method=green ! videoconvert ! video/x-raw,format=RGBA ! pngenc ! filesink"
          + " location=\(picture)").split(separator: " ").map(String.init), environment: [:])
      != nil
    return ["NV12", "I420"].map { pipelines($0, isMade: isMade) }
      + [PixelFormat.nv12, .i420].map(kernels) + [crowd()]
  }

  private static func pipelines(_ format: String, isMade: Bool) -> Comparison {
    let caps = "video/x-raw,format=\(format),width=\(size.width),height=\(size.height)"
    func way(
      _ name: String, _ elements: String, _ environment: [String: String], once: String = "identity"
    ) -> Comparison.Way {
      // What precedes the freezing takes as long as 200 frames, and not each time alike.
      let launch = Launch(
        elements: elements, caps: caps, frames: once == "identity" ? 200 : 1000,
        environment: environment, once: once)
      return .init(name: name) { isMade && launch.measure(&$0) }
    }
    let turned =
      "videoconvert ! video/x-raw,format=AYUV ! rotate angle=0.5236 ! videoconvert ! \(caps)"
      + " ! facedetect updates=none"
    return Comparison(
      title: "A sticker of 512x512 on 1920x1080 \(format); the frozen frame is copied first",
      ways: [
        way(
          "gdkpixbufoverlay",
          "gdkpixbufoverlay location=\(picture) offset-x=704 offset-y=284", Environment.peers),
        way(
          "sticker, upright", "sticker location=\(picture) anchor=screen scale=0.26666667",
          Environment.ours),
        way(
          "sticker, on a face turned by 30 degrees",
          "sticker location=\(picture) anchor=nose scale=1.2266", Environment.ours, once: turned),
        way(
          "compositor",
          "c.sink_0 filesrc location=\(picture) ! pngdec ! c.sink_1 compositor name=c"
            + " background=black sink_1::xpos=704 sink_1::ypos=284"
            + " sink_1::repeat-after-eos=true ! \(caps)", Environment.peers),
        way(
          "a sticker of 19x19: copying the frame",
          "sticker location=\(picture) anchor=screen scale=0.01", Environment.ours),
        way("passing the frame on", "identity", Environment.peers),
      ],
      bars: [
        .share("sticker upright, \(format): gdkpixbufoverlay", of: 1, to: 0, atMost: 0.2),
        .share("sticker turned, \(format): gdkpixbufoverlay", of: 2, to: 0, atMost: 0.5),
      ])
  }

  /// The photograph's place is taken by grey: what lies beneath does not change the time.
  private static func canvas(_ format: PixelFormat) -> OwnedPicture {
    OwnedPicture(
      format: format, width: size.width, height: size.height, colorimetry: .bt709)
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
      from: picture,
      space: SpriteSpace(format: format, colorimetry: .bt709, blend: .over))
  }

  private static func kernels(_ format: PixelFormat) -> Comparison {
    let canvas = canvas(format)
    let compositor = SpriteCompositor(width: size.width, threadCount: 1)
    func way(_ name: String, _ degrees: Double, _ scale: Double, _ side: Int) -> Comparison.Way {
      let sprite = sprite(side, format)
      let turn = (scale * cos(degrees * .pi / 180), scale * sin(degrees * .pi / 180))
      let placement = StickerPlacement(
        center: Point(x: 960.3, y: 540.6), width: Double(side) * scale,
        height: Double(side) * scale,
        axis: Point(x: turn.0 / scale, y: turn.1 / scale))
      return .init(name: name) { measurement in
        guard let sprite else { return false }
        let transform = placement.transform(
          spriteWidth: sprite.width, spriteHeight: sprite.height)
        time(&measurement) {
          canvas.withPicture { picture in
            _ = compositor.draw(sprite, by: transform, on: picture, runner: SerialRunner())
          }
        }
        return true
      }
    }
    return Comparison(
      title: "Drawing a round sprite alone, 1920x1080 \(format.rawValue), in this process",
      ways: [
        way("512x512, upright", 0, 1, 512), way("512x512, turned by 30 degrees", 30, 1, 512),
        way("1448x1448 drawn as 512x512, turned", 30, 512.0 / 1448, 1448),
      ])
  }

  /// Ten items of 256 x 256 on each of four faces, placing included.
  private static func crowd() -> Comparison {
    let format = PixelFormat.nv12
    let canvas = canvas(format)
    let compositor = SpriteCompositor(width: size.width, threadCount: 1)
    let sprite = sprite(256, format)
    let items = StickerAnchor.allCases.filter { $0 != .screen }.prefix(10).map { anchor in
      var item = StickerItem(place: .anchor(anchor), scaleWidth: 1, width: 1, height: 1)
      item.trigger = .face
      return item
    }
    let stage = StickerStage(
      items: items, timelines: items.map { _ in StickerTimeline(count: 1, frameDuration: 1) })
    let faces = (0..<4).map { index -> Face in
      let x = 0.2 + 0.2 * Double(index)
      return Face(
        id: UInt32(index + 1), confidence: 1,
        box: Rectangle(x: x - 0.07, y: 0.4, width: 0.14, height: 0.25),
        keypoints: [(-0.03, 0.47), (0.03, 0.48), (0, 0.53), (0, 0.58), (-0.06, 0.48), (0.06, 0.5)]
          .map { Point(x: x + $0.0, y: $0.1) })
    }
    var now: Int64 = 0
    return Comparison(
      title: "Ten stickers on each of four faces, 1920x1080 NV12, in this process",
      ways: [
        .init(name: "40 sprites of 256x256 drawn 115 pixels wide") { measurement in
          guard let sprite else { return false }
          time(&measurement) {
            now += 33_000_000
            stage.advance(
              to: now, faces: faces, width: size.width, height: size.height, .init())
            canvas.withPicture { picture in
              for draw in stage.draws {
                compositor.draw(
                  sprite, by: draw.placement.transform(spriteWidth: 256, spriteHeight: 256),
                  on: picture, runner: SerialRunner())
              }
            }
          }
          return true
        }
      ])
  }

  private static func time(_ measurement: inout Measurement, _ body: () -> Void) {
    let frames = 100
    let (cpu, wall) = (processorTime(), now())
    for _ in 0..<frames { body() }
    measurement.add(Cost(cpu: processorTime() - cpu, wall: now() - wall), frames: frames)
  }
}
