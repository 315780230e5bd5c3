import CGStreamer
import Harness
import Support

/// Small pictures and films as seeds, made by GStreamer's encoders and ffmpeg on demand.
enum SeedFiles {
  /// A file format with the function that makes a file.
  struct Kind: Sendable {
    let make: @Sendable () throws -> [UInt8]

    /// A picture or film, encoded by a chain of elements.
    static func encoded(_ encoder: String, frames: Int = 1) -> Kind {
      Kind { try encode(encoder, frames: frames) }
    }

    /// An MP4 film with sound that ffmpeg, with `arguments`, remuxes from "whole.mp4".
    static func edited(_ arguments: String) -> Kind {
      Kind {
        let folder = ScratchFolder()
        let run = try Command([
          "bash", "-c",
          "cd \"$1\"; make() { ffmpeg -nostdin -v error \"$@\"; }; make -f lavfi"
            + " -i testsrc2=s=16x16:r=25:d=1 -f lavfi -i sine=d=1 -c:v libx264 -bf 2 -g 12 -c:a aac"
            + " whole.mp4 && make \(arguments) -c copy made.mp4", "bash", folder.path,
        ])
        guard run.status == 0 else {
          throw Pipeline.Failure(description: "ffmpeg makes no film", detail: run.errors)
        }
        return ScratchFolder.bytes(folder.path + "/made.mp4")
      }
    }

    static func text(_ text: String) -> Kind { Kind { Array(text.utf8) } }
  }

  static let png = [Kind.encoded("pngenc"), .encoded("pngenc compression-level=0")]

  static let pictures = [
    Kind.encoded("jpegenc"), .encoded("webpenc"), .encoded("avenc_bmp"),
    .text(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"16\" height=\"9\" viewBox=\"0 0 16 9\">"
        + "<circle cx=\"4\" cy=\"4\" r=\"3\" fill=\"#0f0\" opacity=\"0.5\"/></svg>"),
    Kind { gif },
  ]

  static let films = [
    Kind.encoded("vp8enc ! webmmux", frames: 3), .encoded("jpegenc ! matroskamux", frames: 3),
    .encoded("pngenc ! qtmux", frames: 3), .encoded("avenc_mpeg4 ! mp4mux", frames: 3),
    .encoded("theoraenc ! oggmux", frames: 3),
    // With an edit list; fragmented.
    .edited("-ss 0.3 -t 0.4 -i whole.mp4"),
    .edited("-i whole.mp4 -movflags frag_keyframe+empty_moov"),
  ]

  /// The output of an encoder for `frames` small frames.
  static func encode(_ encoder: String, frames: Int = 1) throws -> [UInt8] {
    let pipeline = try Pipeline(
      "videotestsrc num-buffers=\(frames) ! video/x-raw,width=16,height=16 ! videoconvert ! \(encoder)"
        + " ! fakesink name=sink sync=false")
    return try pipeline.frames().flatMap(\.bytes)
  }

  /// A GIF89a of two frames of 2 x 2 pixels; GStreamer has no encoder for it.
  private static let gif: [UInt8] = {
    let screen: [UInt8] = [2, 0, 2, 0, 0x80, 0, 0, 0, 255, 0, 255, 0, 0]
    let control: [UInt8] = [0x21, 0xf9, 4, 4, 10, 0, 0, 0]
    let image: [UInt8] = [0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 3, 0x44, 0x02, 0x05, 0]
    // A single expression exceeds the type-checker's time limit in Swift 6.2.
    let frame = control + image
    let parts: [[UInt8]] = [Array("GIF89a".utf8), screen, frame, frame, [0x3b]]
    return Array(parts.joined())
  }()

  /// Pushes `count` grey frames, each with the metadata of one face.
  static func pushGreyFrames(_ count: Int, to harness: ElementHarness) {
    guard
      let caps = gst_caps_from_string("video/x-raw,format=RGB,width=16,height=16,framerate=30/1")
    else { return }
    defer { gst_caps_unref(caps) }
    harness.push(gst_event_new_caps(caps))
    var segment = GstSegment()
    gst_segment_init(&segment, GST_FORMAT_TIME)
    harness.push(gst_event_new_segment(&segment))
    for index in 0..<count {
      guard let buffer = gst_buffer_new_memdup(grey, gsize(grey.count)) else { return }
      buffer.pointee.pts = GstClockTime(index * 33_333_333)
      AttachedFace.attach(
        [AttachedFace(x: 0.2, y: 0.2, width: 0.5, height: 0.5, keypoints: face)], to: buffer)
      harness.push(buffer)
    }
  }

  private static let grey = [UInt8](repeating: 128, count: 16 * 16 * 3)
  private static let face: [Float] = [0.3, 0.4, 0.6, 0.4, 0.45, 0.5, 0.45, 0.6, 0.2, 0.4, 0.7, 0.4]

  /// One file of each kind; a kind whose encoder is missing is logged and left out.
  static func make(_ kinds: [Kind]) -> [[UInt8]] {
    kinds.compactMap { kind in
      do { return try kind.make() } catch {
        log("a seed cannot be made: \(error)")
        return nil
      }
    }
  }

  /// How long the elements of `harnesses` took to stop.
  static func stopSummary(_ harnesses: [ElementHarness]) -> String {
    var stops = CallDurations(limit: 100)
    for harness in harnesses { stops.add(harness.stops) }
    return "\(stops.overLimit) of \(stops.count) stops over \(Int(stops.limit)) ms, the longest "
      + "\(Int(stops.longest)) ms"
  }
}

extension Target {
  /// Starts an element whose file property is set, pushes `frames` frames if it starts, and stops it.
  func playAndStop(_ frames: Int, in harness: ElementHarness) -> Outcome {
    retryingSlowStops {
      let before = harness.stops
      let isAccepted = harness.start()
      if isAccepted { SeedFiles.pushGreyFrames(frames, to: harness) }
      harness.stop()
      return (
        Outcome(isAccepted: isAccepted && harness.error.isEmpty, reason: harness.error),
        harness.stops.since(before)
      )
    }
  }
}
