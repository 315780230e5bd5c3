import Files
import Glibc
import Programs

/// `mien batch`: every film and picture of a folder, on all cores or on several machines.
enum BatchCommand {
  private static let own: [Options.Option] = [
    .init("jobs", "j", .required("N"), "Do so many files at once; without, one a core"),
    .init("sshlogin", "S", .required("HOSTS"), "Work on these machines too, as :,8/anna,8/bert"),
  ]

  /// Reads the words of a batch, or those that it gives its jobs.
  static func read(_ arguments: [FilePath]) throws(Problem) -> Options {
    try Options.read(
      arguments, Effects.options + own, usage: "FOLDER OUTFOLDER [-- OPTIONS OF GNU PARALLEL...]",
      summary:
        "Decorates every film and picture of a folder and of the folders in it, on all cores.\n"
        + "Run again, it goes on where it was stopped.",
      text: Effects.help + "\n\n" + """
        What keeps its type keeps its name, else the new ending is added: old.avi becomes
        old.avi.webm. Words behind "--" go to GNU parallel.

        Exit code: 0; 1 when some files failed, something was left out of one, or not all of the
        folder could be looked into; 2 when it could not begin.
        """)
  }

  static func run(_ arguments: [FilePath]) throws(Problem) -> Int32 {
    if arguments.count > 1, arguments[1] == BatchJob.word {
      return try BatchJob.run(Array(arguments[2...]))
    }
    let split = arguments.firstIndex(of: "--") ?? arguments.count
    let options = try read(Array(arguments[..<split]))
    guard options.words.count == 2 else {
      throw .use("name FOLDER and OUTFOLDER (see mien batch --help)")
    }
    var forParallel = Array(arguments[split...].dropFirst())
    if let jobs = options.value("jobs") { forParallel = ["--jobs", jobs] + forParallel }
    if let hosts = options.value("sshlogin") { forParallel = ["--sshlogin", hosts] + forParallel }
    guard Parallel.isHere else { throw .use("GNU parallel is missing: apt-get install parallel") }
    let (folder, outFolder) = try folders(options.words)
    try Plugin.load()
    let effects = try Effects(options)
    guard !effects.makesAlpha else {
      throw .use("a batch makes no pictures with holes; put something behind")
    }
    try effects.check()

    let lock = try BatchLock(outFolder)
    defer { lock.release() }
    var batch = Batch(BatchNames(folder: folder, outFolder: outFolder))
    return try batch.run(effects: effects.words(options), options: forParallel)
  }

  /// The real paths of both.
  private static func folders(_ words: [FilePath]) throws(Problem) -> (FilePath, FilePath) {
    guard case .folder = FileKind(words[0]), let folder = words[0].real else {
      throw .use("there is no folder \(Terminal.shown(words[0]))")
    }
    guard folder.withCString({ access($0, R_OK | X_OK) }) == 0 else {
      throw .use("the folder \(Terminal.shown(folder)) cannot be read")
    }
    guard words[1].makeFolders(), let outFolder = words[1].real else {
      throw .use("the folder \(Terminal.shown(words[1])) cannot be made: \(Terminal.reason)")
    }
    guard folder != outFolder else { throw .use("what comes out needs a folder of its own") }
    return (folder, outFolder)
  }
}

/// Keeps a second batch out of a folder.
///
/// The jobs hold the lock too: it is free when the last of them is gone, however the batch ended.
struct BatchLock {
  private let descriptor: Int32

  init(_ folder: FilePath) throws(Problem) {
    descriptor = folder.appending(".mien-batch.lock").withCString {
      open($0, O_RDWR | O_CREAT, 0o666)
    }
    guard descriptor >= 0 else {
      throw .use("nothing can be written to \(Terminal.shown(folder)): \(Terminal.reason)")
    }
    for _ in 0..<100 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
      usleep(100_000)
    }
    throw .use("another batch is at work in \(Terminal.shown(folder))")
  }

  func release() { close(descriptor) }
}
