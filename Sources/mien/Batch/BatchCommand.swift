import Files
import Glibc
import Programs

/// `mien batch`: every film and picture of a folder, on all cores or on several machines.
enum BatchCommand {
  private static let own: [Options.Option] = [
    .init("jobs", "j", .required("N"), "Do so many files at once; without, one a core"),
    .init("sshlogin", "S", .required("HOSTS"), "Work on these machines too, as :,8/anna,8/bert"),
  ]

  /// Parses the arguments of a batch, or of one of its jobs.
  static func parse(_ arguments: [FilePath]) throws(ProgramError) -> Options {
    try Options.parse(
      arguments, EffectOptions.options + own,
      usage: "FOLDER OUTFOLDER [-- OPTIONS OF GNU PARALLEL...]",
      summary:
        "Decorates every film and picture of a folder and of the folders in it, on all cores.\n"
        + "Run again, it goes on where it was stopped.",
      text: EffectOptions.help + "\n\n" + """
        What keeps its type keeps its name, else the new ending is added: old.avi becomes
        old.avi.webm. Words behind "--" go to GNU parallel.

        Exit code: 0; 1 when some files failed, something was left out of one, or not all of the
        folder could be looked into; 2 when it could not begin.
        """)
  }

  static func run(_ arguments: [FilePath]) throws(ProgramError) -> Int32 {
    if arguments.count > 1, arguments[1] == BatchJob.option {
      return try BatchJob.run(Array(arguments[2...]))
    }
    let split = arguments.firstIndex(of: "--") ?? arguments.count
    let options = try parse(Array(arguments[..<split]))
    guard options.positional.count == 2 else {
      throw .usage("name FOLDER and OUTFOLDER (see mien batch --help)")
    }
    var forParallel = Array(arguments[split...].dropFirst())
    if let jobs = options.value("jobs") { forParallel = ["--jobs", jobs] + forParallel }
    if let hosts = options.value("sshlogin") { forParallel = ["--sshlogin", hosts] + forParallel }
    guard Parallel.isInstalled else {
      throw .usage("GNU parallel is missing: apt-get install parallel")
    }
    let (folder, outFolder) = try realFolders(options.positional)
    try Plugin.load()
    let effects = try EffectOptions(options)
    guard !effects.makesAlpha else {
      throw .usage("a batch makes no pictures with holes; put something behind")
    }
    try effects.runOnTestPicture()

    let lock = try BatchLock(outFolder)
    defer { lock.release() }
    var batch = Batch(BatchPaths(folder: folder, outFolder: outFolder))
    return try batch.run(effects: effects.childArguments(options), options: forParallel)
  }

  /// The real paths of both folders.
  private static func realFolders(_ paths: [FilePath]) throws(ProgramError) -> (FilePath, FilePath)
  {
    guard case .folder = FileKind(paths[0]), let folder = paths[0].realPath else {
      throw .usage("there is no folder \(Terminal.printable(paths[0]))")
    }
    guard folder.withCString({ access($0, R_OK | X_OK) }) == 0 else {
      throw .usage("the folder \(Terminal.printable(folder)) cannot be read")
    }
    guard paths[1].makeFolders(), let outFolder = paths[1].realPath else {
      throw .usage(
        "the folder \(Terminal.printable(paths[1])) cannot be made: \(Terminal.errnoText)")
    }
    guard folder != outFolder else { throw .usage("what comes out needs a folder of its own") }
    return (folder, outFolder)
  }
}

/// A lock file that excludes a second batch from a folder.
///
/// Jobs inherit the lock: it is free when the last of them has ended, however the batch ended.
struct BatchLock {
  private let descriptor: Int32

  init(_ folder: FilePath) throws(ProgramError) {
    descriptor = folder.appending(".mien-batch.lock").withCString {
      open($0, O_RDWR | O_CREAT, 0o666)
    }
    guard descriptor >= 0 else {
      throw .usage("nothing can be written to \(Terminal.printable(folder)): \(Terminal.errnoText)")
    }
    for _ in 0..<100 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
      usleep(100_000)
    }
    throw .usage("another batch is at work in \(Terminal.printable(folder))")
  }

  func release() { close(descriptor) }
}
