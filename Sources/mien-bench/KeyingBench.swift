import Glibc
import Pixels
import Support

/// chromakey beside gst's alpha, alone and in the chain that puts a picture behind, and beside
/// memcpy of as many bytes as the job has to touch.
enum KeyingBench {
  static func comparisons() -> [Comparison] {
    zip(sizes, [200, 100, 30]).flatMap { size, frames in
      [
        toAlpha(size.width, size.height, frames: frames),
        ontoPicture(size.width, size.height, frames: frames),
      ]
    }
  }

  private static func toAlpha(_ width: Int, _ height: Int, frames: Int) -> Comparison {
    let shot = Shot(format: .i420, width: width, height: height)
    return Comparison(
      title: "I420 to alpha, \(width)x\(height)",
      ways: [
        shot.way("chromakey", frames), shot.way("chromakey n-threads=2", frames),
        shot.way("alpha method=green", frames / 2), shot.way("identity", frames),
        // Chroma read, alpha written, chroma written: two bytes a pixel, which copying one does.
        copying(width * height),
      ],
      bars: height == 1080
        ? [Bar("key I420 to alpha, 1080p: alpha", .share, of: 0, to: 2, atMost: 0.1)] : [])
  }

  private static func ontoPicture(_ width: Int, _ height: Int, frames: Int) -> Comparison {
    let shot = Shot(format: .nv12, width: width, height: height)
    let chain =
      "videoconvert ! video/x-raw,format=I420 ! alpha method=green ! mix.sink_1"
      + " filesrc location=models/astronaut.png ! pngdec ! videoconvert ! videoscale"
      + " add-borders=false ! \(caps("I420", width, height)),pixel-aspect-ratio=1/1"
      + " ! imagefreeze num-buffers=COUNT ! mix.sink_0"
      + " compositor name=mix ! videoconvert ! video/x-raw,format=NV12"
    let ours = "chromakey background=models/astronaut.png"
    return Comparison(
      title: "NV12 onto a picture, \(width)x\(height)",
      ways: [
        shot.way(ours, frames), shot.way(ours + " n-threads=2", frames),
        shot.way(chain, frames / 2, name: "alpha ! compositor ! videoconvert"),
        shot.way("identity", frames),
        // Frame and background read, frame written: four and a half bytes a pixel.
        copying(width * height * 9 / 4),
      ],
      bars: height == 1080
        ? [
          Bar(
            "key NV12 onto a picture, 1080p: alpha + compositor", .share, of: 0, to: 2, atMost: 0.1)
        ] : [])
  }

  /// Copies `count` bytes from one block to another.
  private static func copying(_ count: Int) -> Way {
    Way("memcpy of the bytes touched") { measurement in
      let from = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
      let to = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
      defer {
        from.deallocate()
        to.deallocate()
      }
      memset(from, 1, count)
      memcpy(to, from, count)
      var (frame, sum) = (0, 0)
      measurement.time(frames: 50) {
        // Without another byte each time, and a look at it, the copies would be left out.
        from.storeBytes(of: UInt8(frame), toByteOffset: frame, as: UInt8.self)
        memcpy(to, from, count)
        sum += Int(to.load(fromByteOffset: frame, as: UInt8.self))
        frame += 1
      }
      return sum > 0
    }
  }
}

/// One made-up frame before a green screen, as a file of raw video.
private struct Shot {
  let format: PixelFormat
  let width: Int
  let height: Int

  private var path: String { ".build/bench-\(width)x\(height).\(format.rawValue)" }

  func way(_ elements: String, _ frames: Int, name: String? = nil) -> Way {
    write()
    return Way(
      name ?? elements, elements, "video/x-raw,format=\(format.rawValue)", frames: frames,
      source: "filesrc location=\(path) blocksize=\(width * height * 3 / 2) ! rawvideoparse"
        + " format=\(format.rawValue.lowercased()) width=\(width) height=\(height)")
  }

  /// Writes the frame: a screen lit by a quarter unevenly, noise, a head and shoulders over it.
  private func write() {
    guard access(path, R_OK) != 0, let file = fopen(path, "wb") else { return }
    defer { fclose(file) }
    let frame = OwnedPicture(format: format, width: width, height: height, colorimetry: .bt709)
    frame.withPicture { picture in
      for index in 0..<3 {
        let component = picture.component(index)
        let shift = index == 0 ? 0 : 1
        for y in 0..<height >> shift {
          for x in 0..<width >> shift {
            let (luma, cb, cr) = color(x << shift, y << shift)
            component[x, y] =
              switch index {
              case 0: code(luma, x, y)
              case 1: code(cb, x, -y)
              default: code(cr, -x, y)
              }
          }
        }
      }
    }
    let bytes = frame.tightBytes
    fwrite(bytes, 1, bytes.count, file)
  }

  private func color(_ x: Int, _ y: Int) -> (y: Float, cb: Float, cr: Float) {
    let (u, v) = (Float(x) / Float(width), Float(y) / Float(height))
    func distance(_ cx: Float, _ cy: Float, _ rx: Float, _ ry: Float) -> Float {
      let (dx, dy) = ((u - cx) / rx, (v - cy) / ry)
      return dx * dx + dy * dy
    }
    if distance(0.42, 0.38, 0.094, 0.222) < 1 {
      return Colorimetry.bt709.ycc(r: 205, g: 150, b: 120)
    }
    if distance(0.42, 1.02, 0.234, 0.333) < 1 {
      return Colorimetry.bt709.ycc(r: 120, g: 60, b: 75)
    }
    let light = 1 + 0.25 * (1 - u - v)
    return Colorimetry.bt709.ycc(r: 62 * light, g: 172 * light, b: 84 * light)
  }

  /// The code with noise of two either way that is the same in every run.
  private func code(_ value: Float, _ x: Int, _ y: Int) -> UInt8 {
    var hash = UInt32(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663)
    hash = (hash ^ hash >> 15) &* 2_246_822_519
    hash ^= hash >> 13
    return UInt8(min(max(value + Float(hash % 5) - 2, 0), 255).rounded())
  }
}
