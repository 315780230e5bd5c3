import CGStreamer

/// How the frames and sounds of a film are encoded, by what GStreamer has here.
package struct Encoding {
  package let muxer: String
  /// In the words of gst-launch, from raw frames on.
  package let picture: String
  package let sound: String

  /// The muxer as it writes a film that can be played as far as it has come, should it break off.
  ///
  /// An MP4 grows in fragments of half a second; when it ends it is described as a whole, as any other is.
  package var growingMuxer: String {
    muxer == "mp4mux" || muxer == "qtmux"
      ? muxer + " fragment-duration=500 fragment-mode=first-moov-then-finalise" : muxer
  }

  /// Whether anything here writes H.264, and AAC beside it.
  package static var hasH264: Bool { h264(bits: 1_000_000, threads: 1) != nil && aac != nil }

  /// For a film of this kind, of so many pixels and frames a second.
  ///
  /// `threads`: 0 for all cores.
  package init(_ type: OutputType, width: Int, height: Int, rate: Double?, threads: Int) {
    // A tenth of a bit for every pixel.
    let pixels = Double(width * height) * min(rate ?? 30, 120)
    let bits = max(500_000, Int(pixels / 10))
    let threads = threads == 0 ? Int(g_get_num_processors()) : threads
    muxer =
      switch type {
      case .mp4: "mp4mux"
      case .mov: "qtmux"
      case .matroska: "matroskamux"
      default: "webmmux"
      }
    // H.264 with half the colour has even sides only.
    let crop = "videocrop right=\(width % 2) bottom=\(height % 2)"
    if type != .webm, let h264 = Self.h264(bits: bits * 3 / 2, threads: threads), let aac = Self.aac
    {
      picture = "videoconvert ! \(crop) ! video/x-raw,format=I420 ! \(h264) ! queue"
      sound = "queue ! audioconvert ! audioresample ! \(aac) ! queue"
    } else {
      picture =
        "videoconvert ! vp8enc deadline=1 cpu-used=8 threads=\(min(threads, 16))"
        + " target-bitrate=\(bits) ! queue"
      sound = "queue ! audioconvert ! audioresample ! vorbisenc ! queue"
    }
  }

  /// x264 keeps the quality steady; the others are told a number of bits a second.
  private static func h264(bits: Int, threads: Int) -> String? {
    let kilobits = max(1, bits / 1000)
    let known = [
      ("x264enc", "x264enc pass=qual quantizer=20 speed-preset=veryfast threads=\(threads)"),
      ("openh264enc", "openh264enc bitrate=\(bits) complexity=low ! h264parse"),
      ("nvh264enc", "nvh264enc bitrate=\(kilobits) ! h264parse"),
      ("vah264enc", "vah264enc bitrate=\(kilobits) ! h264parse"),
    ]
    return known.first { Element.exists($0.0) }?.1
  }

  private static var aac: String? {
    let known = [
      ("fdkaacenc", "fdkaacenc bitrate=192000"), ("avenc_aac", "avenc_aac bitrate=192000"),
      ("voaacenc", "voaacenc bitrate=192000"), ("faac", "faac bitrate=192000"),
    ]
    return known.first { Element.exists($0.0) }.map { $0.1 + " ! aacparse" }
  }
}
