import Support
import Testing

/// The manual page and the help list the same options; every command of the page is run.
@Suite(.timeLimit(.minutes(20))) struct ManualTests {
  private let scene = MienScene()

  /// The page as text, without line breaks in paragraphs.
  private static func page() throws -> String {
    String(decoding: ScratchFolder.bytes(Photograph.root + "/docs/mien.1"), as: UTF8.self)
  }

  /// The lines of the examples.
  private static func commands() throws -> [String] {
    try page().components(between: ".EX\n", and: ".EE").flatMap { $0.split(separator: "\n") }.map {
      String($0).replacing("\\-", with: "-")
    }
  }

  @Test func everyCommandOfTheManualRuns() throws {
    _ = try scene.photograph("holiday.jpg", "jpegenc")
    _ = try scene.photograph("beach.jpg", "videoscale ! video/x-raw,width=320,height=240 ! jpegenc")
    _ = try scene.film("film.mp4")
    let ssh = scene.scratch.write("ssh", BatchTests.sshStub)
    let made = try Command.shell(
      "cd \"$1\" && chmod +x ssh && cp film.mp4 shot.mp4 && mkdir -p films/sub bin"
        + " && cp film.mp4 films/sub && cp holiday.jpg films && cp -r \"$2\" my-pack"
        + " && ln -s \"$mien\" bin/mien", [scene.folder, Photograph.root + "/stickers/halo"])
    try #require(made.status == 0, "\(made.errors)")
    let before = try scene.contents()
    let commands = try Self.commands()
    #expect(commands.count >= 12)
    for command in commands {
      let run = try Command.shell(
        "cd \"$1\" && PATH=\"$1/bin:$PATH\" && set -o pipefail && " + command, [scene.folder],
        ["PARALLEL_SSH": ssh])
      #expect(run.status == 0, "\(command)\n\(run.output)\(run.errors)")
    }
    let after = Set(try scene.contents().split(separator: "\n"))
    #expect(after.isSuperset(of: before.split(separator: "\n")))
    for name in [
      "holiday-mien.jpg", "noir.mp4", "keyed.mp4", "film-mien.mp4", "cut.png", "worn.jpg",
    ] {
      #expect(after.contains { $0.hasSuffix(" ./" + name) }, "\(name)")
    }
    #expect(after.count { $0.contains("/decorated/") && !$0.contains(".jsonl") } == 2)
  }

  @Test func helpManualAndCompletionListTheSameOptions() throws {
    let page = try Self.page().replacing("\\-", with: "-")
    let completion = Photograph.root + "/setup/mien.bash"
    for task in ["decorate", "faces", "batch", "camera", "verify", "check", "doctor", "studio"] {
      let help = try Command.mien([task, "--help"])
      #expect(help.status == 0 && help.errors.isEmpty)
      #expect(page.contains("mien \(task)"))
      let options = help.output.split(separator: "\n").compactMap { line -> String? in
        guard line.hasPrefix("  -"), let word = line.split(separator: " ").dropFirst().first,
          word.hasPrefix("--")
        else { return nil }
        return String(word.prefix { $0 != "=" && $0 != "[" })
      }
      #expect(options.contains("--help"))
      let offered = try Command.shell(
        "PATH=$(dirname $mien):$PATH; . \"$1\"; COMP_WORDS=(mien \(task) --) COMP_CWORD=2; _mien;"
          + " printf '%s\\n' \"${COMPREPLY[@]}\"", [completion]
      ).output.split(separator: "\n").map(String.init)
      #expect(offered == options, "\(task)")
      for option in options where option != "--help" {
        #expect(page.contains(option), "\(task) \(option)")
      }
    }
    #expect(try Command.mien(["--help"]).output.hasPrefix("Usage: mien TASK"))
    let version = String(decoding: ScratchFolder.bytes(Photograph.root + "/VERSION"), as: UTF8.self)
    #expect(try Command.mien(["--version"]).output == "mien " + version)
  }

  @Test func completionOffersOptionValues() throws {
    for (words, expected) in [
      ("mien de", "decorate"), ("mien decorate --sticker = ha", "halo"),
      ("mien decorate -l no", "noir"), ("mien batch --person = bl", "blur"),
    ] {
      let run = try Command.shell(
        ". \"$1\"; COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); cd /; _mien;"
          + " echo \"${COMPREPLY[0]}\"", [Photograph.root + "/setup/mien.bash"])
      #expect(run.output == expected + "\n", "\(words): \(run.errors)")
    }
  }
}
