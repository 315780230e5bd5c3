import Glibc
import Pixels
import Support

/// Compares chromakey with GStreamer's alpha, alone and with compositing onto a picture, and with a
/// memcpy of as many bytes as the job reads and writes.
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
      candidates: [
        shot.candidate("chromakey", frames), shot.candidate("chromakey n-threads=2", frames),
        shot.candidate("alpha method=green", frames / 2), shot.candidate("identity", frames),
        // The job reads chroma and writes alpha and chroma: two bytes a pixel, as many as a copy of
        // one byte a pixel.
        copying(width * height),
      ],
      bars: height == 1080
        ? [Bar("key I420 to alpha, 1080p: alpha", .share, of: 0, to: 2, atMost: 1.0 / 15)] : [])
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
      candidates: [
        shot.candidate(ours, frames), shot.candidate(ours + " n-threads=2", frames),
        shot.candidate(chain, frames / 2, name: "alpha ! compositor ! videoconvert"),
        shot.candidate("identity", frames),
        // The job reads frame and background and writes the frame: four and a half bytes a pixel.
        copying(width * height * 9 / 4),
      ],
      bars: height == 1080
        ? [
          Bar(
            "key NV12 onto a picture, 1080p: alpha + compositor", .share, of: 0, to: 2,
            atMost: 1.0 / 15)
        ] : [])
  }

  /// Copies `count` bytes from one block to another.
  static func copying(_ count: Int, _ title: String = "memcpy of the bytes touched") -> Candidate {
    Candidate(title) { measurement in
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
        // The compiler would remove copies with constant input or unread output.
        from.storeBytes(of: UInt8(frame), toByteOffset: frame, as: UInt8.self)
        memcpy(to, from, count)
        sum += Int(to.load(fromByteOffset: frame, as: UInt8.self))
        frame += 1
      }
      return sum > 0
    }
  }
}

/// A frame of the synthetic scene before a green screen, as a raw video file.
private struct Shot {
  let format: PixelFormat
  let width: Int
  let height: Int

  private var path: String { ".build/bench-scene-\(width)x\(height).\(format.rawValue)" }

  func candidate(_ elements: String, _ frames: Int, name: String? = nil) -> Candidate {
    write()
    return Candidate(
      name ?? elements, elements, "video/x-raw,format=\(format.rawValue)", frames: frames,
      source: "filesrc location=\(path) blocksize=\(width * height * 3 / 2) ! rawvideoparse"
        + " format=\(format.rawValue.lowercased()) width=\(width) height=\(height)")
  }

  private func write() {
    var settings = ChromaKeyScene.Settings()
    (settings.width, settings.height) = (width, height)
    guard access(path, R_OK) != 0, let scene = try? ChromaKeyScene(settings),
      let file = fopen(path, "wb")
    else { return }
    defer { fclose(file) }
    let bytes = scene.picture(format).tightBytes
    fwrite(bytes, 1, bytes.count, file)
  }
}
