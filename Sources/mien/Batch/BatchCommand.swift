import Files
import Glibc
import Programs

/// `mien batch`: every film and picture of a folder, on all cores or on several machines.
enum BatchCommand {
  private static let own: [Options.Option] = [
    .init("jobs", "j", .required("N"), "Do so many files at once; without, one a core"),
    .init("sshlogin", "S", .required("HOSTS"), "Work on these machines too, as :,8/anna,8/bert"),
    .init("shard", "n", .required("I/N"), "Do only share I of N, as 3/8: for arrays of jobs"),
    .init(
      "files-from", "T", .required("FILE"),
      "Do only the files named in FILE, or for - in the standard input, a name a line"),
    .init(
      "report", "o", .required("FILE"), "Append a line of JSON to FILE for each film that is ended"),
    .init("strict", "Q", "Write no film that would lack bits or tracks; it counts as failed"),
    .init("tell-before", "B", "End with 4 where everything was done before"),
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

        Several batches may work in the same folders; each file is done by one of them.

        Exit code: 0; 1 when some files failed, something was left out of one, or not all of the
        folder could be looked into; 2 when it could not begin; 5 when damaged files are all that
        is missing; with --tell-before 4 when there was nothing to do.
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
    let shard: Shard? =
      if let text = options.value("shard") { try Shard(text) } else { nil }
    guard Parallel.isInstalled else {
      throw .usage("GNU parallel is missing: apt-get install parallel")
    }
    let (folder, outFolder) = try realFolders(options.positional)
    try Plugin.load()
    let effects = try EffectOptions(options)
    try effects.runOnTestPicture()

    let report = try options.value("report").map { (path) throws(ProgramError) in
      try reportPath(path)
    }
    if let hosts = options.value("sshlogin") {
      forParallel =
        ["--sshlogin", try usableHosts(hosts, forParallel, outFolder)] + forParallel
    }
    let scan: InputScan =
      if let list = options.value("files-from") {
        InputScan(folder, outFolder: outFolder, names: try FileList.names(list, in: folder))
      } else {
        InputScan(folder, outFolder: outFolder)
      }
    var batch = Batch(
      BatchPaths(folder: folder, outFolder: outFolder), scan, shard: shard, report: report)
    return try batch.run(
      effects: effects.childArguments(options) + (options.has("strict") ? ["--strict"] : []),
      options: forParallel,
      tellsDoneBefore: options.has("tell-before"))
  }

  /// The absolute path of a report that can be written.
  private static func reportPath(_ path: FilePath) throws(ProgramError) -> FilePath {
    do throws(ProgramError) {
      _ = try ReportFile(path)
    } catch {
      throw .usage(error.text)
    }
    return path.realPath ?? path
  }

  /// The machines of --sshlogin that answer; those that do not are told of, once each.
  private static func usableHosts(
    _ hosts: FilePath, _ options: [FilePath], _ outFolder: FilePath
  ) throws(ProgramError) -> FilePath {
    var ssh = getenv("PARALLEL_SSH").map { String(cString: $0) } ?? "ssh"
    if let index = options.firstIndex(of: "--ssh"), index + 1 < options.count {
      ssh = options[index + 1].description
    }
    let probe = HostProbe(hosts, ssh: ssh, outFolder: outFolder)
    for (host, reason) in probe.refused {
      Terminal.warn("\(host) is not used: \(reason)")
    }
    guard !probe.usable.isEmpty else { throw .usage("none of the machines can be used") }
    return FilePath(bytes: probe.usable.map(\.bytes).joined(separator: [UInt8(ascii: ",")]))
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
