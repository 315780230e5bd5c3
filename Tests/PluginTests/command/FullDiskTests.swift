import Support
import Testing

/// Write errors end with an error; a reader that closes the pipe is not an error.
@Suite(.timeLimit(.minutes(20))) struct FullDiskTests {
  private let scene = MienScene()
  private static let full = "mien: the standard output cannot be written: "

  @Test func aFullOutputDeviceIsAnError() throws {
    _ = try scene.photograph("p.png", "videoscale ! video/x-raw,width=256 ! pngenc")
    try #require(
      try Command.shell("mkdir \"$1\"/in && mv \"$1\"/p.png \"$1\"/in", [scene.folder]).status == 0)
    let picture = scene.path("in/p.png")
    let commands: [[String]] =
      [
        ["--help"], ["--version"], ["help"], ["faces", picture], ["faces", picture, "--json"],
        ["faces", picture, "--csv"], ["faces", picture, "--summary"],
        ["faces", picture, "--json", "--expect", "7"], ["check", "stickers/halo"],
        ["check", scene.path("none")], ["decorate", picture, scene.path("a.png"), "--force"],
        ["decorate", picture, scene.path("b.png"), "--force", "--verbose"],
        ["batch", scene.path("in"), scene.path("out")],
      ] + ["decorate", "faces", "batch", "check"].map { [$0, "--help"] }
    for words in commands {
      let run = try Command.shell("$mien \"$@\" >/dev/full", words)
      #expect(run.status == 3, "\(words)")
      #expect(run.errors == Self.full + "No space left on device\n", "\(words)")
      // The reader may close the pipe at any time.
      let unread = try Command.shell("$mien \"$@\" | true; exit ${PIPESTATUS[0]}", words)
      #expect([0, 1].contains(unread.status), "\(words)")
      #expect(!unread.errors.contains("written"), "\(words): \(unread.errors)")
      _ = try Command(["rm", "-rf", scene.path("a.png"), scene.path("b.png"), scene.path("out")])
    }
    // The output file is complete; only the messages are lost.
    #expect(
      try Command.shell("$mien decorate \"$1\" \"$2\" >/dev/full", [picture, scene.path("a.png")])
        .status == 3)
    #expect(ScratchFolder.bytes(scene.path("a.png")).count > 1000)
  }

  @Test func truncatedLinesAreAnError() throws {
    let film = try scene.film("film.mp4", frames: 30)
    let run = try Command.shell(
      "ulimit -f 2; $mien faces \"$1\" --json >\"$2\"", [film, scene.path("faces.jsonl")])
    #expect(run.status == 3)
    #expect(run.errors == Self.full + "File too large\n")
    #expect(ScratchFolder.bytes(scene.path("faces.jsonl")).count == 2048)
  }

  /// Messages once went into GStreamer's sockets, which blocked; they could also go into the output
  /// file.
  @Test(arguments: [">&-", ">&- 2>&-", "<&- >&- 2>&-", "<&-"])
  func closedStandardStreamsAreNotReusedForFiles(closed: String) throws {
    let film = try scene.film("film.mp4")
    let run = try Command.shell(
      "timeout 30 $mien decorate \"$1\" \"$2\" --verbose --look mono --boxes \(closed)",
      [film, scene.path("out.mp4")])
    #expect(run.status == (closed == "<&-" ? 0 : 3), "\(run.errors)")
    #expect(run.errors == (closed == ">&-" ? Self.full + "Bad file descriptor\n" : ""))
    #expect(!ScratchFolder.bytes(scene.path("out.mp4")).holds(Array("confidence".utf8)))
    // The drawn boxes may prevent a detection; this checks only that the film is complete.
    #expect(try Command.mien(["faces", scene.path("out.mp4")]).status == 0)
  }

  @Test(arguments: ["out.mp4", "out.mov", "out.mkv", "out.webm", "out.jpg", "out.png"])
  func anOutputOverTheSizeLimitLeavesNoFile(name: String) throws {
    let isFilm = !name.hasSuffix("g")
    let input = isFilm ? try scene.film("film.mp4", frames: 40) : try scene.photograph("p.png")
    let before = try scene.contents()
    let run = try Command.shell(
      "ulimit -f 8; $mien decorate \"$1\" \"$2\" --look mono", [input, scene.path(name)])
    #expect(run.status == 3, "\(run.output)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(try scene.contents() == before)
  }

  private static let mayMount =
    (try? Command(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"]).status) == 0

  /// Uses a full file system, which requires root.
  @Test(.enabled(if: mayMount, "needs root, to mount a small file system"))
  func aFullDiskIsReported() throws {
    _ = try scene.film("film.mp4", frames: 40)
    _ = try scene.photograph("p.png")
    let run = try Command.shell(
      """
      cd "$1" && mkdir in small && mv film.mp4 p.png in
      exec unshare -m bash -c '
        mount -t tmpfs -o size=16k none small || exit 99
        $mien decorate in/film.mp4 small/film.mp4; echo $?
        $mien decorate in/p.png small/p.png; echo $?
        $mien faces in/film.mp4 --json --mesh >small/faces.jsonl; echo $?
        rm small/faces.jsonl; $mien batch in small --look mono; echo $?; ls -A small'
      """, [scene.folder])
    let output = run.output.split(separator: "\n").filter { !$0.hasPrefix("mien: ") }
    #expect(output == ["3", "3", "3", "1"], "\(run.output)\(run.errors)")
    #expect(run.errors.components(between: "No space", and: "left").count >= 5, "\(run.errors)")
    #expect(run.errors.contains("these failed, and are tried again"), "\(run.errors)")
  }
}
