import CGStreamer
import Client

/// The muxer and encoders of a film, chosen from what GStreamer has installed.
package struct FilmEncoding {
  package let muxer: String
  /// From raw frames to encoded video, in gst-launch syntax.
  package let video: String
  /// From raw audio to encoded audio.
  package let audio: String
  /// What the encoded frames lack of the decoded ones, for the user; nil where they lack nothing,
  /// or where those are not known.
  package let loss: String?

  /// The muxer with settings that keep an interrupted recording playable.
  ///
  /// MP4 is written in fragments of 0.5 s, and gets one index at its end.
  package var fragmentedMuxer: String {
    muxer == "mp4mux" || muxer == "qtmux"
      ? muxer + " fragment-duration=500 fragment-mode=first-moov-then-finalise" : muxer
  }

  /// The muxer's properties for an output that cannot be rewound, such as a pipe.
  package var streamedMuxerProperties: [(name: String, value: String)] {
    switch muxer {
    case "mp4mux", "qtmux": [("fragment-duration", "500"), ("streamable", "true")]
    case "matroskamux", "webmmux": [("streamable", "true")]
    default: []
    }
  }

  /// Whether encoders of H.264 and AAC are installed.
  package static var hasH264: Bool {
    h264Encoder(bits: 1_000_000, threads: 1) != nil && aacEncoder != nil
  }

  /// The encoder of films with alpha; nil where the type holds none.
  package static func alphaEncoder(_ type: OutputType) -> (element: String, codec: String)? {
    switch type {
    case .mov: ("avenc_prores_ks", "ProRes 4444")
    case .matroska: ("avenc_ffv1", "FFV1")
    default: nil
    }
  }

  /// Whether films of the type get alpha with what is installed.
  package static func keepsAlpha(_ type: OutputType) -> Bool {
    alphaEncoder(type).map { Element.isAvailable($0.element) } ?? false
  }

  /// `width` and `height` in pixels; `rate` in frames per second, 30 where it is nil; `threads`: 0
  /// for all cores; `picture`: the decoded frames, whose bits are kept where an encoder can;
  /// `withAlpha`: for frames with alpha and a type that `keepsAlpha`.
  package init(
    _ type: OutputType, width: Int, height: Int, rate: Double?, threads: Int,
    picture: FilmPicture? = nil, withAlpha: Bool = false
  ) {
    // 0.1 bit per pixel.
    let pixels = Double(width * height) * min(rate ?? 30, 120)
    let bits = max(500_000, Int(pixels / 10))
    let threads = threads == 0 ? Int(g_get_num_processors()) : threads
    muxer =
      switch type {
      case .mp4: "mp4mux"
      case .mov: "qtmux"
      case .matroska: "matroskamux"
      case .transportStream: "mpegtsmux"
      default: "webmmux"
      }
    // H.264 in 4:2:0 has even sides.
    let crop = "videocrop right=\(width % 2) bottom=\(height % 2)"
    let isDeep = picture.map { $0.depth > 8 } ?? false
    // x264 codes pairs of macroblocks, and Debian's x264enc is the only encoder with fields here.
    let mayKeepFields = type != .webm && height % 4 == 0 && Self.aacEncoder != nil
    let keepsFields =
      mayKeepFields && picture?.isInterlaced == true && Element.isAvailable("x264enc")
    if withAlpha, let picture {
      (video, audio) = Self.withAlpha(type, picture, threads: threads)
      loss = picture.loss(
        keeping: (10, type == .mov ? (0, 0) : picture.chroma), fields: true, range: type != .mov)
    } else if isDeep, !keepsFields, type != .webm, type != .transportStream, let picture,
      Element.isAvailable("x265enc"), let aac = Self.aacEncoder
    {
      // Main 10 is what players of 10 bits read; High 10 of H.264 is not.
      video =
        "videoconvert ! \(crop) ! video/x-raw,format=\(picture.tenBitFormat)"
        + " ! x265enc speed-preset=veryfast option-string=crf=20:pools=\(threads) ! h265parse ! queue"
      audio = "queue ! audioconvert ! audioresample ! \(aac) ! queue"
      loss = picture.loss(keeping: (10, picture.chroma), mayKeepFields: mayKeepFields)
    } else if isDeep, type == .webm, let picture, Element.isAvailable("vp9enc") {
      video =
        "videoconvert ! video/x-raw,format=\(picture.tenBitFormat)"
        + " ! vp9enc deadline=1 cpu-used=8 row-mt=true threads=\(min(threads, 16))"
        + " target-bitrate=\(bits) ! queue"
      audio = "queue ! audioconvert ! audioresample ! vorbisenc ! queue"
      loss = picture.loss(keeping: (10, picture.chroma))
    } else if type != .webm, let aac = Self.aacEncoder,
      let h264 = Self.h264Encoder(bits: bits * 3 / 2, threads: threads, withFields: keepsFields)
    {
      let keepsBits = isDeep && keepsFields
      // The range is in x264's stream, and in the headers of MP4 and Matroska.
      let keepsRange = h264.hasPrefix("x264enc") || type == .mp4 || type == .matroska
      let format =
        (keepsBits ? picture!.tenBitFormat : "I420")
        + (keepsRange ? "" : Self.limitedRange(picture))
      video = "videoconvert ! \(crop) ! video/x-raw,format=\(format) ! \(h264) ! queue"
      audio = "queue ! audioconvert ! audioresample ! \(aac) ! queue"
      let chroma = keepsBits ? picture!.chroma : (1, 1)
      loss = picture?.loss(
        keeping: (keepsBits ? 10 : 8, chroma), fields: keepsFields, mayKeepFields: mayKeepFields,
        range: keepsRange)
    } else {
      video =
        "videoconvert ! vp8enc deadline=1 cpu-used=8 threads=\(min(threads, 16))"
        + " target-bitrate=\(bits) ! queue"
      audio = "queue ! audioconvert ! audioresample ! vorbisenc ! queue"
      loss = picture?.loss(keeping: (8, (1, 1)))
    }
  }

  /// A field of caps for frames of limited range where those of the film have full range.
  private static func limitedRange(_ picture: FilmPicture?) -> String {
    picture?.limitedColorimetry.map { ",colorimetry=(string)" + $0 } ?? ""
  }

  /// The encoders of video with alpha and of its sound.
  ///
  /// FFV1 stores the frames unchanged, and FLAC the sound.
  private static func withAlpha(_ type: OutputType, _ picture: FilmPicture, threads: Int) -> (
    video: String, audio: String
  ) {
    let aac = aacEncoder
    let format: String
    let sound: String
    if type == .mov {
      // ProRes has limited range.
      format = "A444_10LE" + limitedRange(picture)
      sound = aac ?? "audio/x-raw,format=S16LE"
    } else {
      format = picture.alphaFormat
      sound = Element.isAvailable("flacenc") ? "flacenc" : aac ?? "vorbisenc"
    }
    // gst-libav knows all cores, or one.
    let encoder = alphaEncoder(type)!.element + " threads=" + (threads > 1 ? "auto" : "unknown")
    return (
      "videoconvert ! video/x-raw,format=\(format) ! \(encoder) ! queue",
      "queue ! audioconvert ! audioresample ! \(sound) ! queue"
    )
  }

  /// The name of an encoder of interlaced frames in `video`; see `FieldOrder`.
  package static let fieldEncoder = "fields"

  /// x264 encodes at constant quality, the others at a bit rate; `withFields`: x264 is there, and
  /// frames are interlaced.
  private static func h264Encoder(bits: Int, threads: Int, withFields: Bool = false) -> String? {
    let kilobits = max(1, bits / 1000)
    let fields = withFields ? "name=\(fieldEncoder) interlaced=true " : ""
    let known = [
      (
        "x264enc",
        "x264enc \(fields)pass=qual quantizer=20 speed-preset=veryfast threads=\(threads)"
      ),
      ("openh264enc", "openh264enc bitrate=\(bits) complexity=low ! h264parse"),
      ("nvh264enc", "nvh264enc bitrate=\(kilobits) ! h264parse"),
      ("vah264enc", "vah264enc bitrate=\(kilobits) ! h264parse"),
    ]
    return known.first { Element.isAvailable($0.0) }?.1
  }

  private static var aacEncoder: String? {
    let known = [
      ("fdkaacenc", "fdkaacenc bitrate=192000"), ("avenc_aac", "avenc_aac bitrate=192000"),
      ("voaacenc", "voaacenc bitrate=192000"), ("faac", "faac bitrate=192000"),
    ]
    return known.first { Element.isAvailable($0.0) }.map { $0.1 + " ! aacparse" }
  }
}
