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
    } + [tenBits(frames: 60)]
  }

  /// ffmpeg's chromakey has no threads here, as the element.
  private static func tenBits(frames: Int) -> Comparison {
    let (width, height) = (1920, 1080)
    let shot = Shot(format: .i420Ten, width: width, height: height)
    let settings = ChromaKeyScene.Settings()
    let code = Colorimetry.bt709.ycc(
      r: settings.screen.0, g: settings.screen.1, b: settings.screen.2)
    let color = [code.y, code.cb, code.cr].map { value -> String in
      let digits = String(Int(value.rounded()), radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }
    let ffmpeg = Candidate("ffmpeg chromakey, yuva420p10, one thread", frames: frames, less: 4) {
      words(
        "ffmpeg -v error -threads 1 -filter_threads 1 -stream_loop \($0) -f rawvideo"
          + " -pix_fmt yuv420p10le -s \(width)x\(height) -i \(shot.path) -vf"
          + " format=yuva420p10le,chromakey=color=0x\(color.joined()):similarity=.03:blend=.08:yuv=1"
          + " -f null -")
    }
    return Comparison(
      title: "I420_10LE to alpha, \(width)x\(height)",
      candidates: [
        shot.candidate("chromakey", frames), ffmpeg, shot.candidate("identity", frames),
        Shot(format: .i420, width: width, height: height).candidate(
          "chromakey", frames, name: "chromakey, I420"),
      ],
      bars: [
        Bar("key I420_10LE to alpha, 1080p: ffmpeg chromakey", .share, of: 0, to: 1, atMost: 0.2),
        Bar("key I420_10LE to alpha, 1080p: I420", .share, of: 0, to: 3, atMost: 2),
      ])
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

  fileprivate var path: String { ".build/bench-scene-\(width)x\(height).\(format.rawValue)" }

  func candidate(_ elements: String, _ frames: Int, name: String? = nil) -> Candidate {
    write()
    return Candidate(
      name ?? elements, elements, "video/x-raw,format=\(format.rawValue)", frames: frames,
      source: "filesrc location=\(path) blocksize=\(width * height * 3 / (isDeep ? 1 : 2))"
        + " ! rawvideoparse format=\(nick) width=\(width) height=\(height)")
  }

  private var isDeep: Bool { format.bitDepth > 8 }

  /// The format's name as a value of an enumeration.
  private var nick: String { format == .i420Ten ? "i420-10le" : format.rawValue.lowercased() }

  private func write() {
    var settings = ChromaKeyScene.Settings()
    (settings.width, settings.height) = (width, height)
    guard access(path, R_OK) != 0, let scene = try? ChromaKeyScene(settings),
      let file = fopen(path, "wb")
    else { return }
    defer { fclose(file) }
    let small = scene.picture(format.eightBitCounterpart)
    let bytes = (isDeep ? small.deepened(format, seed: 1) : small).tightBytes
    fwrite(bytes, 1, bytes.count, file)
  }
}
