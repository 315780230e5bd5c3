import Glibc
import Looks
import Pixels
import Support
import Threads

/// Compares photoeffect with ffmpeg's lut3d, and times its kernels in this process.
enum LooksBench {
  private static let cube = ".build/bench-look.cube"
  private static let frame = ".build/bench-look.rgba"
  private static let deepFrame = ".build/bench-look.10"

  static func comparisons() -> [Comparison] {
    let isMade = write()
    return [pipelines(isMade), tenBitPipelines(isMade), kernels(), tenBits(), effects()]
  }

  // MARK: Pipelines

  private static func pipelines(_ isMade: Bool) -> Comparison {
    let frames = 60
    let ffmpeg = Candidate("ffmpeg lut3d, tetrahedral, one thread", frames: frames, less: 4) {
      count in
      words(
        "ffmpeg -v error -threads 1 -filter_threads 1 -stream_loop \(count) -f rawvideo"
          + " -pix_fmt rgba -s 1920x1080 -i \(frame) -vf lut3d=file=\(cube) -f null -")
    }
    let ours = Candidate(
      "photoeffect; the frozen frame is copied first", "photoeffect cube=\(cube)",
      caps("RGBA", 1920, 1080), frames: frames)
    return Comparison(
      title: "A cube of 33 x 33 x 33 on 1920x1080 RGBA",
      candidates: [ffmpeg, ours].map { candidate in
        Candidate(candidate.name) { isMade && candidate.measure(&$0) }
      },
      bars: [
        Bar("cube 33^3, 1080p RGBA: ffmpeg lut3d", .share, of: 1, to: 0, atMost: 1.0 / 9)
      ])
  }

  /// ffmpeg applies it to red, green and blue; frames of luma and chroma it converts and converts back.
  private static func tenBitPipelines(_ isMade: Bool) -> Comparison {
    let frames = 30
    func ffmpeg(_ name: String, _ format: String, then end: String) -> Candidate {
      Candidate(name, frames: frames, less: 4) { count in
        words(
          "ffmpeg -v error -threads 1 -filter_threads 1 -stream_loop \(count) -f rawvideo"
            + " -pix_fmt \(format) -s 1920x1080 -i \(deepFrame) -vf lut3d=file=\(cube)\(end) -f null -"
        )
      }
    }
    let ours = ["I420_10LE", "Y444_10LE", "I420"].map {
      Candidate(
        "photoeffect, \($0)", "photoeffect cube=\(cube)", caps($0, 1920, 1080), frames: frames)
    }
    let peers = [
      ffmpeg("ffmpeg lut3d, gbrp10, one thread", "gbrp10le", then: ""),
      ffmpeg(
        "ffmpeg lut3d, yuv420p10 and back, one thread", "yuv420p10le", then: ",format=yuv420p10le"),
    ]
    return Comparison(
      title: "A cube of 33 x 33 x 33 on 1920x1080, 10 bits",
      candidates: (peers + ours).map { candidate in
        Candidate(candidate.name) { isMade && candidate.measure(&$0) }
      },
      bars: [
        Bar("cube 33^3, I420_10LE: ffmpeg lut3d", .share, of: 2, to: 1, atMost: 0.5),
        Bar("cube 33^3, I420_10LE: I420", .share, of: 2, to: 4, atMost: 2),
      ])
  }

  /// Writes the cube and the frame for both programs; false on failure.
  private static func write() -> Bool {
    var text = "TITLE \"bench\"\nLUT_3D_SIZE 33\n"
    for b in 0..<33 {
      for g in 0..<33 {
        for r in 0..<33 {
          let (x, y, z) = (Double(r) / 32, Double(g) / 32, Double(b) / 32)
          text += "\(0.05 + 0.9 * x * (1.1 - 0.1 * y)) \(0.95 * y * (0.8 + 0.2 * z)) \(z * z)\n"
        }
      }
    }
    guard let photograph = try? Photograph.load(.rgba, width: 1920, height: 1080),
      let file = fopen(cube, "wb"), let raw = fopen(frame, "wb"), let deep = fopen(deepFrame, "wb")
    else { return false }
    defer {
      fclose(file)
      fclose(raw)
      fclose(deep)
    }
    // As many words as red, green and blue are; the formats with less read its beginning.
    let words = photograph.codes[0..<3].joined().flatMap {
      [UInt8(truncatingIfNeeded: $0 << 2), UInt8($0 >> 6)]
    }
    guard fwrite(words, 1, words.count, deep) == words.count else { return false }
    let bytes = photograph.tightBytes
    return fwrite(text, 1, text.utf8.count, file) == text.utf8.count
      && fwrite(bytes, 1, bytes.count, raw) == bytes.count
  }

  // MARK: In this process

  /// Applies a look to the same frame repeatedly.
  ///
  /// The default cube inverts the colours, so that two passes restore them.
  private static func candidate(
    _ name: String, _ format: PixelFormat, threads: Int = 1, frames: Int = 60,
    cube: ColorMap? = ColorMap { Color(repeating: 1) - $0 },
    _ change: (inout LookSettings) -> Void = { _ in }
  ) -> Candidate {
    var settings = LookSettings()
    change(&settings)
    let effect = PhotoEffect()
    effect.setCube(cube)
    let look = settings
    let small = try? Photograph.load(
      format.eightBitCounterpart, width: 1920, height: 1080, colorimetry: .bt709)
    let picture = format.bitDepth > 8 ? small?.deepened(format, seed: 1) : small
    let pool = ThreadPool(exactly: threads)
    if let picture { effect.configure(picture.video) }
    return Candidate(name) { measurement in
      guard let picture else { return false }
      picture.withPicture { picture in
        measurement.time(frames: frames, after: 2) {
          effect.process(picture, look, time: 1, runner: pool)
        }
      }
      return true
    }
  }

  private static func kernels() -> Comparison {
    Comparison(
      title: "Looks alone, 1920x1080, in this process",
      candidates: [
        candidate("a cube, RGBA", .rgba), candidate("a cube, NV12", .nv12),
        candidate("a cube, I420", .i420),
        candidate("one colour, I420", .i420, cube: nil) { $0.look = .tonal },
        candidate("one colour, NV12", .nv12, cube: nil) { $0.look = .noir },
        candidate("a cube, RGBA, two threads", .rgba, threads: 2),
        candidate("a cube, NV12, two threads", .nv12, threads: 2),
        candidate("a cube, RGB", .rgb), candidate("a cube, YUY2", .yuy2),
        candidate("a cube, Y444", .y444),
      ],
      bars: [
        Bar("cube, NV12, one thread", .share, of: 1, to: 0, atMost: 0.6),
        Bar("cube, NV12, one thread", .milliseconds, of: 1, atMost: 3),
        Bar("one colour on I420", .milliseconds, of: 3, atMost: 0.3),
        Bar("one colour on NV12", .milliseconds, of: 4, atMost: 0.3),
        Bar("cube, RGBA: two threads", .wall, of: 5, to: 0, atMost: 1 / 1.8),
        Bar("cube, NV12: two threads", .wall, of: 6, to: 1, atMost: 1 / 1.8),
      ])
  }

  private static func tenBits() -> Comparison {
    Comparison(
      title: "Looks in 10 bits, 1920x1080, in this process",
      candidates: [
        candidate("a cube, I420", .i420), candidate("a cube, I420_10LE", .i420Ten),
        candidate("a cube, P010_10LE", .p010), candidate("a cube, Y444", .y444),
        candidate("a cube, Y444_10LE", .y444Ten),
        candidate("one colour, I420", .i420, cube: nil) { $0.look = .tonal },
        candidate("one colour, I420_10LE", .i420Ten, cube: nil) { $0.look = .tonal },
      ],
      bars: [
        Bar("cube, I420_10LE: I420", .share, of: 1, to: 0, atMost: 2),
        Bar("cube, Y444_10LE: Y444", .share, of: 4, to: 3, atMost: 2),
        Bar("one colour, I420_10LE: I420", .share, of: 6, to: 5, atMost: 2),
      ])
  }

  private static func effects() -> Comparison {
    Comparison(
      title: "Effects alone, 1920x1080 NV12, in this process",
      candidates: [
        candidate("vignette", .nv12, cube: nil) { $0.vignette = 0.01 },
        candidate("grain", .nv12, cube: nil) { $0.grain = 0.01 },
        candidate("cartoon", .nv12, frames: 10, cube: nil) { $0.look = .cartoon },
      ])
  }
}
