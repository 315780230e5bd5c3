import CGStreamer
import Support
import Testing

/// Films with edit lists, fragments, sound of another length or unusual pixel formats: the output
/// is complete, or the command reports what is missing.
@Suite(.timeLimit(.minutes(20))) struct OddFilmTests {
  private let scratch = ScratchFolder()

  @Test func unusualFilmsAreConvertedCompletely() throws {
    let folder = scratch.path
    try OddFilm.make(OddFilm.whole, in: folder)
    for film in OddFilm.whole {
      let (path, made) = ("\(folder)/\(film.name)", "\(folder)/made-\(film.name)")
      let run = try Command.mien(["decorate", path, made, "--look", "mono"])
      #expect(run.status == 0, "\(film.name): \(run.errors)")
      guard run.status == 0 else { continue }
      let (before, after) = (try OddFilm.Length(of: path), try OddFilm.Length(of: made))
      let text = "\(film.name): \(before) became \(after)"
      if g_getenv("MIEN_SHOW_LENGTHS") != nil { print(text) }
      #expect(abs(after.frames - before.frames) <= 1, "\(text)")
      #expect(abs(after.sound - before.sound) < 0.15, "\(text)")
      #expect((before.sound > 0) == film.hasSound, "\(text)")
    }
  }

  @Test func missingSoundIsReported() throws {
    let film = OddFilm(name: "no-edits.mp4", arguments: "-i $short -c copy -use_editlist 0")
    try OddFilm.make([film], in: scratch.path)
    var bytes = ScratchFolder.bytes(scratch.path + "/no-edits.mp4")
    // Doubles the sample count in the second byte of the first `stts` entry of the audio track.
    let table = try #require(
      bytes.indices.dropLast(16).last { bytes[$0...].starts(with: "stts".utf8) })
    bytes[table + 14] += 1
    let path = scratch.write("promised.mp4", bytes)
    let run = try Command.mien(["decorate", path, scratch.path + "/out.mp4", "--look", "mono"])
    #expect(run.status == 3)
    #expect(run.errors.contains("promised.mp4: its sound ends after 4.0"), "\(run.errors)")
    #expect(try Command(["ls", scratch.path]).output == "no-edits.mp4\npromised.mp4\n")
  }

  /// Pixel formats that gst-libav of GStreamer 1.22 does not support.
  @Test(arguments: ["yuv444p16le", "gray10le", "yuv420p9le", "gbrp14le", "rgba64le"])
  func unknownPixelFormatsAreOneLineOfError(_ format: String) throws {
    let run = try decorated("-pix_fmt \(format) -c:v ffv1", "f.mkv", to: "o.mkv")
    // Newer versions of GStreamer may support it.
    guard run.status != 0 else { return }
    #expect(run.status == 3)
    #expect(run.errors.contains("avdec_ffv1 decodes it to pixels that GStreamer has no format for"))
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }

  /// An alpha gradient from left to right.
  private static func holes(_ format: String) -> String {
    "-vf \"format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='X',format=\(format)\""
  }

  @Test func lostTransparencyIsReported() throws {
    let films: [(how: String, name: String, made: String)] = [
      (Self.holes("yuva420p") + " -c:v libvpx-vp9 -cpu-used 8", "vp9.webm", "vp9-out.webm"),
      (Self.holes("yuva420p") + " -c:v libvpx -auto-alt-ref 0", "vp8.webm", "vp8-out.webm"),
      (Self.holes("bgra") + " -c:v ffv1", "ffv1.mkv", "ffv1-out.mp4"),
      (Self.holes("yuva444p10le") + " -c:v prores_ks", "prores.mov", "prores-out.mp4"),
      (Self.holes("rgba") + " -c:v png", "png.mov", "png-out.webm"),
      (Self.holes("rgba") + " -frames:v 1", "picture.png", "picture-out.jpg"),
    ]
    for film in films {
      let run = try decorated(film.how, film.name, to: film.made)
      #expect(run.status == 0, "\(film.name): \(run.errors)")
      #expect(run.errors.contains("its transparency, which "), "\(film.name): \(run.errors)")
    }
  }

  @Test func noWarningWithoutLostTransparency() throws {
    let films: [(how: String, name: String, made: String)] = [
      ("-c:v ffv1 -pix_fmt bgra", "opaque.mkv", "opaque-out.mkv"),
      ("-frames:v 1 -pix_fmt rgba", "opaque.png", "opaque-out.jpg"),
      (Self.holes("rgba") + " -frames:v 1", "kept.png", "kept-out.png"),
      (Self.holes("rgba") + " -frames:v 1 -c:v libwebp", "kept.webp", "kept-webp-out.png"),
    ]
    for film in films {
      let run = try decorated(film.how, film.name, to: film.made)
      #expect(run.status == 0, "\(film.name): \(run.errors)")
      #expect(!run.errors.contains("transparency"), "\(film.name): \(run.errors)")
      guard film.name.hasPrefix("kept") else { continue }
      let alpha = try Command([
        "bash", "-c",
        "ffmpeg -nostdin -v error -i \"$1\" -vf alphaextract,scale=2:1:flags=area -f rawvideo"
          + " -pix_fmt gray - | od -An -tu1", "bash", scratch.path + "/" + film.made,
      ]).output.split(separator: " ").compactMap { Int($0.filter(\.isNumber)) }
      #expect(alpha.count == 2 && alpha[0] < 24 && (40...60).contains(alpha[1]), "\(alpha)")
    }
  }

  private func decorated(_ how: String, _ name: String, to made: String) throws -> Command {
    let path = scratch.path + "/" + name
    let film = try Command([
      "bash", "-c",
      "ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=0.4 \(how) \(path)",
    ])
    try #require(film.status == 0, "\(film.errors)")
    return try Command.mien(["decorate", path, scratch.path + "/" + made, "--look", "mono"])
  }
}
