import CGStreamer
import Harness
import Support

/// Films with sound, and SVG documents, in every property that takes a media file: `location` of
/// `sticker`, `background` of `chromakey` and `personkey`.
final class MediaFileTarget: Target {
  private let path: String
  private let kinds: [SeedFiles.Kind]
  private let harnesses: [(harness: ElementHarness, properties: RandomProperties, name: String)]

  init(_ kinds: [SeedFiles.Kind], in scratch: ScratchFolder) throws {
    self.kinds = kinds
    path = scratch.path + "/file"
    g_setenv("MIEN_MODEL_PATH", Photograph.models, 1)
    harnesses = [
      ("sticker", "location"), ("chromakey", "background"), ("personkey", "background"),
    ].compactMap { factory, name in
      ElementHarness(factory).map { ($0, RandomProperties(of: $0.element), name) }
    }
    guard harnesses.count == 3 else { throw Unavailable(what: "an element that takes files") }
  }

  let maximumLength = 1 << 17
  let prefersFixedLength = true
  var dictionary: [[UInt8]] { Self.drawingWords.map { Array($0.utf8) } }

  /// Tokens of SVG documents.
  private static let drawingWords = [
    "width=\"30000\"", "height=\"1e9\"", "width=\"100%\"", "height=\"400in\"",
    "viewBox=\"0 0 1e9 1e9\"",
    "<use href=\"#a\"/>", "<image href=\"data:image/png;base64,",
    "<svg width=\"1e6\" height=\"1e6\">",
    "transform=\"scale(1e9)\"", "stroke-width=\"1e9\"", "<g id=\"a\">", "</g>", "</svg>",
  ]

  var summary: String { SeedFiles.stopSummary(harnesses.map(\.harness)) }

  func seeds() -> [[UInt8]] { SeedFiles.make(kinds) }

  func run(_ input: [UInt8]) -> Outcome {
    Corpus.write(input, to: path)
    // The input alone decides which element gets it, so that a failure repeats.
    let sum = input.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
    let (harness, properties, name) = harnesses[sum % harnesses.count]
    properties.set(name, path)
    return playAndStop(3, in: harness)
  }
}

extension SeedFiles {
  /// A film of half a second with these audio tracks.
  private static func film(_ muxer: String, _ video: String, _ sounds: String...) -> Kind {
    Kind {
      let sound = sounds.map {
        " audiotestsrc samplesperbuffer=4410 num-buffers=10 ! audio/x-raw,rate=44100,channels=1"
          + " ! audioconvert ! audioresample ! \($0) ! queue ! mux."
      }
      let pipeline = try Pipeline(
        "\(muxer) name=mux ! fakesink name=sink sync=false videotestsrc num-buffers=8"
          + " ! video/x-raw,width=32,height=16,framerate=16/1 ! videoconvert ! \(video)"
          + " ! queue ! mux." + sound.joined())
      return try pipeline.frames().flatMap(\.bytes)
    }
  }

  /// Films of muxers that write without seeking.
  static let filmsWithSound = [
    film("oggmux", "theoraenc", "vorbisenc"), film("webmmux streamable=true", "vp8enc", "opusenc"),
    film("matroskamux streamable=true", "jpegenc", "vorbisenc", "avenc_aac"),
    film("mp4mux fragment-duration=200 streamable=true", "avenc_mpeg4", "avenc_aac"),
    film("mpegtsmux", "avenc_mpeg2video ! mpegvideoparse", "avenc_mp2 ! mpegaudioparse"),
    film("flvmux streamable=true", "avenc_flv", "avenc_aac"),
  ]

  static let drawings = [
    "width=\"64\" height=\"48\"", "width=\"30000\" height=\"30000\"", "viewBox=\"0 0 64 48\"", "",
    "width=\"100%\" height=\"100%\" viewBox=\"0 0 1e4 1e4\"", "width=\"40cm\" height=\"3in\"",
  ].map { size in
    Kind.text(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size)><defs><g id=\"a\"><rect width=\"9\" height=\"9\"/>"
        + "</g></defs><rect width=\"100%\" height=\"100%\" fill=\"#0f0\"/><use href=\"#a\" x=\"9\"/>"
        + "<circle cx=\"20\" cy=\"20\" r=\"9\" opacity=\"0.5\"/><svg width=\"50%\"><path d=\"M0 0L9 9z\"/>"
        + "</svg><image width=\"8\" height=\"8\" href=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\"/></svg>"
    )
  }
}
