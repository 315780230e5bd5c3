import Files
import Glibc
import Programs

/// One file of a batch, processed in a process of its own, on this machine or another.
///
/// Prints one line of three fields between tabs: the job's number; "done", "partly" (the output lacks
/// something) or "failed"; and a text.
enum BatchJob {
  /// The option of a job; a number, the two folders, the film and the effects follow.
  static let option: FilePath = "--job"

  static func run(_ arguments: [FilePath]) throws(ProgramError) -> Int32 {
    guard arguments.count >= 4 else { throw .usage("a batch calls its jobs by itself") }
    let number = arguments[0].description
    let paths = BatchPaths(folder: arguments[1], outFolder: arguments[2])
    do throws(ProgramError) {
      let (state, text) = try decorate(
        number, arguments[3], paths, ["batch"] + arguments[4...].filter { !$0.isEmpty })
      printResult(number, state, text)
      return ExitCode.success.rawValue
    } catch {
      printResult(number, "failed", error.text)
      return ExitCode.negative.rawValue
    }
  }

  private static func printResult(_ number: String, _ state: String, _ text: String) {
    Terminal.printLine([number, state, Terminal.singleLine(text)].joined(separator: "\t"))
  }

  private static func decorate(
    _ number: String, _ film: FilePath, _ paths: BatchPaths, _ effects: [FilePath]
  ) throws(ProgramError) -> (state: String, text: String) {
    // Another machine, or a job of an earlier batch, may have processed it.
    if paths.existingOutput(of: film) != nil { return ("done", "was there already") }
    try paths.rejectFolderNamedAsOutput(of: film)
    let started = MonotonicClock.seconds
    let folder = paths.outFolder.appending(film).split.folder
    guard folder.makeFolders() else {
      throw .failure(
        "the folder \(folder) cannot be made: \(Terminal.errnoText); move away what is in the way, or"
          + " give the batch another place to write to")
    }
    try Plugin.load()
    let decoration = try Decoration(
      paths.folder.appending(film), try EffectOptions(BatchCommand.parse(effects)), threads: 1
    ) { (type, isFilm) throws(ProgramError) in try paths.target(film, type, isFilm: isFilm) }
    decoration.onAbort = { printResult(number, "failed", $0) }
    _ = try decoration.run()
    let seconds = (MonotonicClock.seconds - started).fixed(1) + " s"
    let text = decoration.isFilm ? "\(decoration.frames) frames, \(seconds)" : seconds
    if let leftOut = decoration.leftOut { return ("partly", "\(leftOut) was left out (\(text))") }
    return ("done", text)
  }
}

extension FilePath {
  /// Creates the folder and its parents; false with the reason in errno where that fails.
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
