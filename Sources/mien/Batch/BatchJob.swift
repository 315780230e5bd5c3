import Files
import Glibc
import Programs

/// One file of a batch, done in a process of its own, on this machine or another.
///
/// Prints one line: its number; "done", "partly" (done, but something did not come along) or
/// "failed"; and what there is to say, with tabs between.
enum BatchJob {
  /// The words that call it: this, a number, the two folders, the film, and the effects.
  static let word: FilePath = "--job"

  static func run(_ words: [FilePath]) throws(Problem) -> Int32 {
    guard words.count >= 4 else { throw .use("a batch calls its jobs by itself") }
    let number = words[0].description
    let names = BatchNames(folder: words[1], outFolder: words[2])
    do throws(Problem) {
      let (state, text) = try decorate(
        number, words[3], names, ["batch"] + words[4...].filter { !$0.isEmpty })
      say(number, state, text)
      return Ending.done.rawValue
    } catch {
      say(number, "failed", error.text)
      return Ending.no.rawValue
    }
  }

  private static func say(_ number: String, _ state: String, _ text: String) {
    Terminal.say([number, state, Terminal.oneLine(text)].joined(separator: "\t"))
  }

  private static func decorate(
    _ number: String, _ film: FilePath, _ names: BatchNames, _ effects: [FilePath]
  ) throws(Problem) -> (state: String, text: String) {
    // Another machine, or a job that outlived its batch, may have been faster.
    if names.done(film) != nil { return ("done", "was there already") }
    try names.checkFolders(film)
    let started = StallWatch.seconds(CLOCK_MONOTONIC)
    let folder = names.outFolder.appending(film).split.folder
    guard folder.makeFolders() else {
      throw .failure(
        "the folder \(folder) cannot be made: \(Terminal.reason); move away what is in the way, or"
          + " give the batch another place to write to")
    }
    try Plugin.load()
    let decoration = try Decoration(
      names.folder.appending(film), try Effects(BatchCommand.read(effects)), threads: 1
    ) { (type, isFilm) throws(Problem) in try names.target(film, type, isFilm: isFilm) }
    decoration.lastWords = { say(number, "failed", $0) }
    _ = try decoration.run()
    let seconds = (StallWatch.seconds(CLOCK_MONOTONIC) - started).fixed(1) + " s"
    let text = decoration.isFilm ? "\(decoration.frames) frames, \(seconds)" : seconds
    if let leftOut = decoration.leftOut { return ("partly", "\(leftOut) was left out (\(text))") }
    return ("done", text)
  }
}

extension FilePath {
  /// Makes the folder and those it is in; false, with the reason in errno, where one cannot be.
  func makeFolders() -> Bool {
    if case .folder = FileKind(self) { return true }
    let (parent, name) = split
    guard name.isEmpty || parent == self || parent.makeFolders() else { return false }
    let isMade = withCString { mkdir($0, 0o777) } == 0
    if isMade || errno != EEXIST { return isMade }
    if case .folder = FileKind(self) { return true }
    errno = ENOTDIR
    return false
  }
}
