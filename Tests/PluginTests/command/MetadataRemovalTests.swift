import CGStreamer
import Support
import Testing

/// `--hide` removes all metadata of films.
@Suite(.timeLimit(.minutes(20))) struct MetadataRemovalTests {
  private let scene = MienScene()

  /// A small photograph with a face as a cover, and some of its bytes, which occur in no other
  /// file.
  private func cover() throws -> (path: String, bytes: [UInt8], part: ArraySlice<UInt8>) {
    let path = try scene.photograph(
      "cover.jpg", "videoscale ! video/x-raw,width=160,height=160 ! jpegenc")
    let bytes = ScratchFolder.bytes(path)
    return (path, bytes, bytes[(bytes.count / 2)..<(bytes.count / 2 + 24)])
  }

  /// The texts, pictures and numbers of the metadata that a file still contains.
  private func found(in path: String, cover: ArraySlice<UInt8>) throws -> [String] {
    let bytes = ScratchFolder.bytes(path)
    var found: [String] = bytes.isEmpty ? ["no file"] : []
    let word = Array(TaggedFilm.word.utf8)
    if bytes.holds(word) { found.append("the word") }
    if bytes.holds(word.flatMap { [$0, 0] }) { found.append("the word, as UTF-16") }
    if bytes.holds(cover) { found.append("the cover") }
    let described = try scene.described(path)
    found += TaggedFilm.numbers.filter { described.contains($0) }
    if described.contains("Image") || described.contains("image: ") { found.append("a picture") }
    return found
  }

  private func hide(_ input: String, _ output: String, _ more: String...) throws {
    let run = try Command.mien(["decorate", input, output, "--hide", "--force"] + more)
    #expect(run.status == 0, "\(input): \(run.errors)")
  }

  @Test(arguments: TaggedFilm.all)
  func hidingRemovesAllTags(film: TaggedFilm) throws {
    let cover = try cover()
    let input = scene.path(film.name)
    try film.make(input, cover: cover.bytes)
    #expect(ScratchFolder.bytes(input).holds(Array(TaggedFilm.word.utf8)))
    let run = try Command.mien(["decorate", input, "--hide"])
    #expect(run.status == 0, "\(run.errors)")
    let output = String(run.output.dropFirst("wrote ".count).dropLast())
    #expect(try found(in: output, cover: cover.part) == [])
  }

  @Test func withoutHidingAFilmKeepsItsTags() throws {
    let cover = try cover()
    let input = scene.path("a.mp4")
    try TaggedFilm.all[0].make(input, cover: cover.bytes)
    let run = try Command.mien(["decorate", input, scene.path("out.mp4"), "--look", "mono"])
    #expect(run.status == 0, "\(run.errors)")
    let found = try found(in: scene.path("out.mp4"), cover: cover.part)
    #expect(found.contains("the word") && found.contains("the cover"), "\(found)")
  }

  @Test func keepWordsKeepsTextTags() throws {
    let cover = try cover()
    let input = scene.path("a.mp4")
    try TaggedFilm.all[0].make(input, cover: cover.bytes)
    for ending in ["mp4", "mkv", "webm"] {
      let output = scene.path("out." + ending)
      try hide(input, output, "--keep-words")
      let described = try scene.described(output)
      #expect(described.contains("title=\(TaggedFilm.word) in title"), "\(ending): \(described)")
      let found = try found(in: output, cover: cover.part)
      #expect(found == ["the word"], "\(ending)")
      for kind in ["geo-location", "device", "extended", "private", "application"] {
        #expect(!described.contains("\(TaggedFilm.word) in \(kind)"), "\(ending): \(kind)")
      }
    }
    let misused = try Command.mien(["decorate", input, "--keep-words"])
    #expect(misused.status == 2 && misused.errors.contains("--keep-words goes with --hide"))
  }

  @Test func aBatchRemovesTheSameMetadata() throws {
    let cover = try cover()
    try #require(try Command(["mkdir", scene.path("in")]).status == 0)
    try TaggedFilm.all[0].make(scene.path("in/a.mp4"), cover: cover.bytes)
    for (out, options) in [("out", ["--hide"]), ("words", ["--hide", "--keep-words"])] {
      let run = try Command.mien(["batch", scene.path("in"), scene.path(out)] + options)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      let found = try found(in: scene.path("\(out)/a.mp4"), cover: cover.part)
      #expect(found == (out == "out" ? [] : ["the word"]))
    }
  }

  @Test func theHidingScriptRemovesTheSameMetadata() throws {
    let cover = try cover()
    try TaggedFilm.all[2].make(scene.path("c.mkv"), cover: cover.bytes)
    let script = Photograph.root + "/pipelines/hide.py"
    let words = [scene.path("c.mkv"), scene.path("hidden")]
    let environment = try Command.pluginEnvironment()
    let run = try Command(["/usr/bin/python3", script] + words, environment: environment)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try found(in: scene.path("hidden/c.mkv.webm"), cover: cover.part) == [])
    let full = try Command(
      ["sh", "-c", "exec /usr/bin/python3 \"$@\" >/dev/full", "sh", script] + words,
      environment: environment)
    #expect(full.status == 1)
    #expect(
      full.errors
        == "mien: the standard output cannot be written: No space left on device\n")
  }

  /// Names of films, with the ffmpeg options that make them from a film, texts, subtitles and a
  /// cover.
  private static func variants(cover: String) -> [(name: String, options: [String])] {
    let word = TaggedFilm.word
    let sei = "h264_metadata=sei_user_data=086f3693-b7b3-4f2c-9653-21492feee5b8+\(word)"
    return [
      (
        "cover.mp4",
        ["-map", "0", "-map", "3", "-map", "2", "-c", "copy", "-c:s", "mov_text"]
          + ["-disposition:v:1", "attached_pic", "-bsf:v:0", sei]
      ),
      (
        "words.mov", ["-map", "0", "-c", "copy", "-movflags", "use_metadata_tags", "-bsf:v:0", sei]
      ),
      (
        "attached.mkv",
        ["-map", "0", "-map", "2", "-c", "copy", "-attach", cover]
          + ["-metadata:s:t", "mimetype=image/jpeg", "-metadata:s:a", "title=\(word)"]
          + ["-metadata:s:v", "title=\(word)", "-metadata:s:a", "language=deu"]
      ),
      ("words.avi", ["-map", "0", "-c", "copy", "-c:a", "pcm_s16le"]),
      (
        "service.ts", ["-map", "0", "-c", "copy", "-metadata", "service_provider=\(word)"]
      ),
      ("second.mkv", ["-map", "0", "-map", "3", "-map", "3", "-c", "copy"]),
    ]
  }

  /// Covers, attachments, chapters, subtitles, additional picture streams and SEI messages.
  @Test func metadataOfOtherProgramsIsRemoved() throws {
    let cover = try cover()
    let film = try scene.film("film.mp4", frames: 12)
    let word = TaggedFilm.word
    let words = scene.scratch.write(
      "words.txt",
      Array(
        """
        ;FFMETADATA1
        title=\(word)
        artist=\(word)
        comment=\(word)
        synopsis=\(word)
        location=+47.125+047.125/
        creation_time=2001-02-03T00:00:00Z
        com.apple.quicktime.model=\(word)
        service_name=\(word)
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=500
        title=\(word)
        """.utf8))
    let lines = scene.scratch.write(
      "lines.srt", Array("1\n00:00:00,000 --> 00:00:00,900\n\(word)\n".utf8))
    for (name, options) in Self.variants(cover: cover.path) {
      let input = scene.path(name)
      let made = try Command(
        ["ffmpeg", "-v", "error", "-i", film, "-f", "ffmetadata", "-i", words]
          + ["-i", lines, "-i", cover.path, "-map_metadata", "1"] + options + [input])
      try #require(made.status == 0, "\(name): \(made.errors)")
      let run = try Command.mien(["decorate", input, "--hide"])
      #expect(run.status == 0, "\(name): \(run.errors)")
      let output = String(run.output.dropFirst("wrote ".count).dropLast())
      #expect(try found(in: output, cover: cover.part) == [], "\(name)")
      #expect(run.errors.contains("left out") == (name == "second.mkv"), "\(name): \(run.errors)")
      let keys = try Command([
        "ffprobe", "-v", "error", "-show_entries", "format_tags:stream_tags:chapter_tags", "-of",
        "csv=nk=0:p=0", output,
      ]).output
      if name == "attached.mkv" { #expect(keys.contains("language=ger"), "\(keys)") }
      for key in keys.split(whereSeparator: { $0 == "," || $0 == "\n" }) where key.contains("tag:")
      {
        #expect(Self.harmless.contains { key.hasPrefix("tag:\($0)") }, "\(name): \(key)")
      }
    }
  }

  /// Tags that ffprobe reports for films without metadata.
  private static let harmless = [
    "major_brand=", "minor_version=", "compatible_brands=", "creation_time=", "encoder=",
    "handler_name=", "vendor_id=", "language=", "title=Video", "title=Audio", "BITSPS=",
  ]
}
