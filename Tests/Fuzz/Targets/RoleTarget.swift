import CGStreamer
import Harness
import Support

/// Films with sound and drawings that really draw, in every place that takes a file: `sticker` wears
/// them, `chromakey` and `personkey` put them behind.
final class RoleTarget: Target {
  private let path: String
  private let kinds: [SmallFiles.Kind]
  private let rigs: [(rig: ElementRig, properties: Properties, name: String)]

  init(_ kinds: [SmallFiles.Kind], in scratch: ScratchFolder) throws {
    self.kinds = kinds
    path = scratch.path + "/file"
    g_setenv("MIEN_MODEL_PATH", Photograph.models, 1)
    rigs = [
      ("sticker", "location"), ("chromakey", "background"), ("personkey", "background"),
    ].compactMap { factory, name in
      ElementRig(factory).map { ($0, Properties(of: $0.element), name) }
    }
    guard rigs.count == 3 else { throw Unavailable(what: "an element that takes files") }
  }

  let longest = 1 << 17
  let isRigid = true
  var words: [[UInt8]] { Self.drawingWords.map { Array($0.utf8) } }

  /// What sizes and contents of drawings are made of.
  private static let drawingWords = [
    "width=\"30000\"", "height=\"1e9\"", "width=\"100%\"", "height=\"400in\"",
    "viewBox=\"0 0 1e9 1e9\"",
    "<use href=\"#a\"/>", "<image href=\"data:image/png;base64,",
    "<svg width=\"1e6\" height=\"1e6\">",
    "transform=\"scale(1e9)\"", "stroke-width=\"1e9\"", "<g id=\"a\">", "</g>", "</svg>",
  ]

  var remarks: String {
    var stops = Times(bar: 100)
    for (rig, _, _) in rigs { stops.take(rig.stops) }
    return SmallFiles.remark(stops)
  }

  func seeds() -> [[UInt8]] {
    kinds.compactMap { kind in
      do { return try kind.make() } catch {
        say("a seed cannot be made: \(error)")
        return nil
      }
    }
  }

  func run(_ input: [UInt8]) -> Outcome {
    Corpus.write(input, to: path)
    // The same one for the same input, whatever came before.
    let sum = input.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
    let (rig, properties, name) = rigs[sum % rigs.count]
    properties.set(name, path)
    return play(3, in: rig)
  }
}

extension SmallFiles {
  /// Half a second of a film, with these sound tracks.
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
      var bytes: [UInt8] = []
      try pipeline.watch("sink") { bytes += CapturedFrame($0).bytes }
      try pipeline.run()
      return bytes
    }
  }

  /// Muxers that write from the front to the back, as a sink that cannot seek has them.
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
