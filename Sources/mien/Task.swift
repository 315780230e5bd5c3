import Files
import Programs

/// What the command does, by the first of its words.
enum Task {
  /// The tasks by name, each with a line for the help.
  private static let tasks:
    [(
      name: String, help: String, run: @Sendable ([FilePath]) throws(Problem) -> Int32
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
      ("check", "say what is wrong with a sticker pack", CheckCommand.run),
      (
        "studio", "show a camera, film or picture through the elements, in a window",
        StudioCommand.run
      ),
    ]

  private static func help() -> String {
    let lines = tasks.map { task in
      "  " + task.name + String(repeating: " ", count: 10 - task.name.count) + task.help
    }
    return """
      Usage: mien TASK [OPTION...] ...

      Finds, retouches and decorates faces in pictures and films.

      \(lines.joined(separator: "\n"))

      mien TASK --help says more of each; man mien says all. mien --version says which one this is.
      """
  }

  /// Does what the command line asks for; returns the exit code.
  static func run() throws(Problem) -> Int32 {
    var words: [FilePath] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      if let word = CommandLine.unsafeArgv[index] { words.append(FilePath(word)) }
    }
    guard let first = words.first?.description else {
      throw .use("name a task: " + tasks.map(\.name).joined(separator: ", ") + " (see mien --help)")
    }
    switch first {
    case "--help", "-h", "-?", "help":
      Terminal.say(help())
      return 0
    case "--version":
      try Plugin.load()
      Terminal.say("mien \(Plugin.version)")
      return 0
    default: break
    }
    guard let task = tasks.first(where: { $0.name == first }) else {
      throw .use(
        "there is no task \(Terminal.oneLine(first)); there are "
          + tasks.map(\.name).joined(separator: ", ") + " (see mien --help)")
    }
    return try task.run(words)
  }
}
