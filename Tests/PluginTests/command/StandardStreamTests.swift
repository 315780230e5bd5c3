import Support
import Testing

/// `mien decorate - -`: films and pictures through pipes.
@Suite(.timeLimit(.minutes(20))) struct StandardStreamTests {
  private let scene = MienScene()

  /// What comes out of a pipe, with the last line of `mien faces --summary` for films.
  private func pass(_ input: String, _ words: String, _ name: String) throws -> Command {
    try Command.shell(
      "cd \"$1\" && cat \"$2\" | $mien decorate - - -l mono \(words) | cat >\(name)"
        + " && test ${PIPESTATUS[1]} = 0 && $mien faces \(name) --summary", [scene.folder, input])
  }

  @Test func aFilmPassesThroughPipesInEveryContainer() throws {
    let film = try scene.film("film.mp4", frames: 12)
    for words in ["", "--type mov", "--to-type mkv", "--to-type webm", "--to-type ts"] {
      let run = try pass(film, words, "out")
      #expect(run.status == 0, "\(words): \(run.errors)")
      #expect(run.output.hasPrefix("frames: 12\n"), "\(words): \(run.output)")
    }
  }

  @Test func aPicturePassesThroughPipes() throws {
    let picture = try scene.photograph("p.png")
    let run = try pass(picture, "--to-type jpg", "out")
    #expect(run.output.hasPrefix("frames: 1\nframes with faces: 1"), "\(run.output)\(run.errors)")
    let kept = try Command.shell(
      "cd \"$1\" && $mien decorate - - -l mono <p.png | head -c 4 | tail -c 3", [scene.folder])
    #expect(kept.output == "PNG", "\(kept.errors)")
    let named = try Command.shell(
      "cd \"$1\" && cat p.png | $mien decorate - named.png -l mono && $mien faces named.png -e 1",
      [scene.folder])
    #expect(named.output == "wrote named.png\n", "\(named.output)\(named.errors)")
  }

  @Test func whatCannotBeReadOrWrittenEndsWithOneLine() throws {
    let film = try scene.film("film.mp4", frames: 12)
    for (script, status, reason) in [
      (": | $mien decorate - - | cat", 3, "the standard input is empty"),
      ("echo nothing | $mien decorate - - | cat", 3, "-"),
      ("head -c 9000 \"$1\" | $mien decorate - - | cat", 3, "-: "),
      ("$mien decorate - - <\"$1\" >/dev/full", 3, "No space left"),
      ("$mien decorate - - --to-type png <\"$1\" | cat", 2, "this is a film"),
      ("$mien decorate - <\"$1\"", 2, "name an OUT"),
    ] {
      let run = try Command.shell("set -o pipefail; " + script, [film])
      #expect(run.status == status, "\(script): \(run.errors)")
      #expect(run.errors.contains(reason), "\(script): \(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(script): \(run.errors)")
    }
  }
}
