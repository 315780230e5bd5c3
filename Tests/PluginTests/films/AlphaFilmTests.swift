import Pixels
import Support
import Testing

/// `mien decorate` on films with alpha, and to them.
@Suite(.timeLimit(.minutes(20))) struct AlphaFilmTests {
  private let scene = MienScene()
  private static let (width, height) = (160, 120)

  /// A lossless film of a ball before a green screen, with a tone.
  private func shot(_ name: String, _ format: PixelFormat, frames: Int = 5) throws -> String {
    let path = scene.path(name)
    let isMP4 = name.hasSuffix(".mp4")
    try Pipeline(
      "videotestsrc pattern=ball background-color=0xff10a040 num-buffers=\(frames)"
        + " ! video/x-raw,format=\(format.rawValue),width=\(Self.width),height=\(Self.height),framerate=25/1"
        + " ! \(isMP4 ? "openh264enc ! h264parse" : "avenc_ffv1") ! queue"
        + " ! \(isMP4 ? "mp4mux" : "matroskamux") name=m ! filesink location=\(path)"
        + " audiotestsrc num-buffers=\(frames) samplesperbuffer=1764 ! audio/x-raw,rate=44100,channels=2"
        + " ! avenc_aac ! aacparse ! queue ! m."
    ).run()
    return path
  }

  /// The alpha of a film's frames behind `elements`, as rows of samples.
  private func alpha(
    _ path: String, _ format: PixelFormat, _ elements: String = "identity"
  ) throws -> [[UInt8]] {
    try VideoSamples.frames(
      "filesrc location=\(path) ! \(path.hasSuffix(".mov") ? "qtdemux" : "matroskademux")"
        + " ! \(path.hasSuffix(".mov") ? "avdec_prores" : "avdec_ffv1") ! \(elements)"
        + " ! video/x-raw,format=\(format.rawValue) ! fakesink name=sink",
      format, Self.width, Self.height
    ).map(\.alpha)
  }

  private func codecs(_ path: String) throws -> Set<Substring> {
    let run = try Command([
      "ffprobe", "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", path,
    ])
    return Set(run.output.split(separator: "\n"))
  }

  @Test(arguments: [PixelFormat.i420, .y42bTen])
  func keyedFilmsHaveTheKeyersAlphaAndTheSound(format: PixelFormat) throws {
    let input = try shot("shot.mkv", format)
    let keyed: PixelFormat = format == .i420 ? .a420 : .a422Ten
    for (output, stored, codecs) in [
      ("out.mkv", keyed, ["ffv1", "flac"]), ("out.mov", .a444Ten, ["prores", "aac"]),
    ] {
      let path = scene.path(output)
      let run = try Command.mien(["decorate", input, path, "--key", "alpha", "--strict"])
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      #expect(try self.codecs(path) == Set(codecs.map { Substring($0) }))
      let length = try OddFilm.Length(of: path)
      #expect(length.frames == 5 && abs(length.sound - 0.2) < 0.08, "\(length)")
      let expected = try alpha(
        input, stored, "chromakey ! video/x-raw,format=\(keyed.rawValue) ! videoconvert")
      let read = try alpha(path, stored)
      #expect(read.count == 5 && expected.count == 5)
      for (a, b) in zip(expected, read) {
        #expect(VideoSamples.isSame(a[...], b[...]), "\(output)")
        #expect(Set(a).count > 3)
      }
    }
  }

  @Test func filmsWithAlphaKeepItWithAllBits() throws {
    let (input, format) = (scene.path("in.mov"), PixelFormat.a444Ten)
    // The edges of a ball that is keyed in 10 bits.
    try Pipeline(
      "filesrc location=\(try shot("shot.mkv", .y444Ten)) ! matroskademux ! avdec_ffv1 ! chromakey"
        + " ! video/x-raw,format=A444_10LE ! avenc_prores_ks ! qtmux ! filesink location=\(input)"
    ).run()
    let expected = try alpha(input, format)
    let codes = Set(
      expected.joined().enumerated().compactMap { $0 % 2 == 0 ? Int($1) & 3 : nil })
    #expect(codes.count == 4, "alpha has no more than 8 bits")
    for output in ["out.mov", "out.mkv"] {
      let path = scene.path(output)
      let run = try Command.mien(["decorate", input, path, "--look", "mono", "--strict"])
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      let read = try alpha(path, format)
      #expect(
        read.count == 5 && zip(read, expected).allSatisfy { VideoSamples.isSame($0[...], $1[...]) })
    }
  }

  @Test func peopleAreCutOutOfFilms() throws {
    let input = try scene.film("film.mp4", frames: 6)
    let run = try Command.mien(["decorate", input, "--person", "alpha"])
    #expect(run.status == 0 && run.output.contains("film-mien.mov"), "\(run.errors)")
    let frames = try VideoSamples.frames(
      "filesrc location=\(scene.path("film-mien.mov")) ! qtdemux ! avdec_prores"
        + " ! video/x-raw,format=A444_10LE ! videoconvert ! video/x-raw,format=AYUV"
        + " ! fakesink name=sink", .ayuv, 320, 240)
    let alpha = try #require(frames.last).alpha
    #expect(frames.count == 6)
    // The upper left corner is background, the middle below is the astronaut's suit.
    #expect(alpha[0] < 16 && alpha[200 * 320 + 160] > 240)
  }

  @Test func anEndingWithoutAlphaIsAnErrorWithTheRemedy() throws {
    let input = try shot("shot.mp4", .i420)
    for ending in ["mp4", "webm"] {
      let run = try Command.mien(["decorate", input, scene.path("o.\(ending)"), "--key", "alpha"])
      #expect(run.status == 2)
      #expect(run.errors.contains(".mov (ProRes 4444) or .mkv (FFV1)"), "\(run.errors)")
    }
    let piped = try Command.shell(
      "$mien decorate - - --key alpha --to-type ts <\"$1\" | cat; exit ${PIPESTATUS[0]}", [input])
    #expect(piped.status == 2 && piped.errors.contains("--to-type=mov or mkv"), "\(piped.errors)")
    let without = try Command.mien(
      ["decorate", input, scene.path("o.mkv"), "--key", "alpha"],
      [
        "LD_PRELOAD": Photograph.root + "/.build/debug/libfault-injection.so",
        "MIEN_WITHOUT": "avenc_ffv1",
      ])
    #expect(without.status == 3)
    #expect(without.errors.contains("avenc_ffv1 of gstreamer1.0-libav"), "\(without.errors)")
    #expect(try !scene.contents().contains("o."))
  }

  @Test func filmsWithAlphaGoThroughPipesAndBatches() throws {
    let input = try shot("shot.mp4", .i420)
    let piped = try Command.shell(
      "$mien decorate - - --key alpha <\"$1\" >\"$2\"", [input, scene.path("piped.mov")])
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(try codecs(scene.path("piped.mov")) == ["prores", "aac"])
    #expect(try alpha(scene.path("piped.mov"), .a444Ten).count == 5)
    let folder = try Command.shell(
      "mkdir \"$1/in\" && mv \"$2\" \"$1/in\" && $mien batch \"$1/in\" \"$1/made\" --key alpha --report \"$1/r\""
        + " && $mien verify \"$1/in\" \"$1/made\" --key alpha --report \"$1/r\" && ls \"$1/made\"",
      [scene.folder, input])
    #expect(folder.status == 0 && folder.output.contains("shot.mp4.mov"), "\(folder.errors)")
  }
}
