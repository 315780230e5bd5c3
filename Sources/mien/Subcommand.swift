import Files
import Programs

/// The subcommands, chosen by the first argument.
enum Subcommand {
  /// Name, line of the help and entry of each.
  private static let all:
    [(
      name: String, help: String, run: @Sendable ([FilePath]) throws(ProgramError) -> Int32
    )] = [
      (
        "decorate", "decorate a picture or a film: stickers, retouching, looks, another background",
        DecorateCommand.run
      ),
      (
        "faces", "say where faces are: as text, JSON or a table, or check how many",
        FacesCommand.run
      ),
      (
        "batch", "decorate every film and picture of a folder, on all cores or machines",
        BatchCommand.run
      ),
      (
        "camera", "be a camera that calls and other programs see, with the effects",
        CameraCommand.run
      ),
      (
        "verify", "say which outputs of a batch are missing, stale or damaged",
        VerifyCommand.run
      ),
      ("check", "say what is wrong with a sticker pack", CheckCommand.run),
      (
        "doctor", "say what is there, what is missing, and which package brings it",
        DoctorCommand.run
      ),
      (
        "studio", "show a camera, film or picture through the elements, in a window",
        StudioCommand.run
      ),
    ]

  private static func helpText() -> String {
    let lines = all.map { subcommand in
      "  " + subcommand.name + String(repeating: " ", count: 10 - subcommand.name.count)
        + subcommand.help
    }
    return """
      Usage: mien TASK [OPTION...] ...

      Finds, retouches and decorates faces in pictures and films.

      \(lines.joined(separator: "\n"))

      mien TASK --help says more of each; man mien says all. mien --version says which one this is.
      """
  }

  /// Runs the subcommand of the command line; returns the exit code.
  static func run() throws(ProgramError) -> Int32 {
    var words: [FilePath] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      if let word = CommandLine.unsafeArgv[index] { words.append(FilePath(word)) }
    }
    guard let first = words.first?.description else {
      throw .usage("name a task: " + all.map(\.name).joined(separator: ", ") + " (see mien --help)")
    }
    switch first {
    case "--help", "-h", "-?", "help":
      Terminal.printLine(helpText())
      return 0
    case "--version":
      try Plugin.load()
      Terminal.printLine("mien \(Plugin.version)")
      return 0
    default: break
    }
    guard let subcommand = all.first(where: { $0.name == first }) else {
      throw .usage(
        "there is no task \(Terminal.singleLine(first)); there are "
          + all.map(\.name).joined(separator: ", ") + " (see mien --help)")
    }
    return try subcommand.run(words)
  }
}
