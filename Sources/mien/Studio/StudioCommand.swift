import Files
import Glibc
import Programs

/// `mien studio`: becomes the window, which is a program and a package of its own.
enum StudioCommand {
  private static let name: FilePath = "mien-studio"

  static func run(_ arguments: [FilePath]) throws(Problem) -> Int32 {
    let beside = FilePath(Plugin.own).split.folder.appending(name)
    // The window listens to these itself.
    for signal in [SIGPIPE, SIGXFSZ] { Glibc.signal(signal, SIG_DFL) }
    let words = arguments.dropFirst().map { word in word.withCString { strdup($0) } }
    for path in [beside, name] {
      var all = [path.withCString { strdup($0) }] + words + [nil]
      execvp(all[0]!, &all)
    }
    throw .use("the studio is a program of its own: install the package mien-studio")
  }
}
