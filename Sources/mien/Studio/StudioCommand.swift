import Files
import Glibc
import Programs

/// `mien studio`: replaces this process with the window, a program and package of its own.
enum StudioCommand {
  private static let name: FilePath = "mien-studio"

  static func run(_ arguments: [FilePath]) throws(ProgramError) -> Int32 {
    let beside = FilePath(Plugin.executablePath).split.folder.appending(name)
    // The window installs its own handlers.
    for signal in [SIGPIPE, SIGXFSZ] { Glibc.signal(signal, SIG_DFL) }
    let words = arguments.dropFirst().map { word in word.withCString { strdup($0) } }
    for path in [beside, name] {
      var all = [path.withCString { strdup($0) }] + words + [nil]
      execvp(all[0]!, &all)
    }
    throw .usage("the studio is a program of its own: install the package mien-studio")
  }
}
