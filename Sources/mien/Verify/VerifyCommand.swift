import Files
import Glibc
import Programs

/// `mien verify`: compares the outputs of a batch with the films and with what the batch reported.
enum VerifyCommand {
  private static let own: [Options.Option] = [
    .init(
      "report", "o", .required("FILE"),
      "A report that the batch wrote, more than one if repeated; without, OUTFOLDER/*.jsonl"),
    .init("shard", "n", .required("I/N"), "Look only at share I of N"),
    .init("delete", "d", "Delete stale and damaged outputs, so that the next batch makes them"),
  ]

  static func run(_ arguments: [FilePath]) throws(ProgramError) -> Int32 {
    let options = try Options.parse(
      arguments, EffectOptions.options + own, usage: "FOLDER OUTFOLDER",
      summary:
        "Says which outputs of a batch are missing, stale (made with other options, by another\n"
        + "version, or of another film) or damaged. Give it the options of the batch.",
      text: EffectOptions.help + "\n\n" + """
        Exit code: 0 when all are there; 1 when some are missing, stale or unknown to the reports;
        2 for wrong use; 5 when damaged files are all that is wrong.
        """)
    guard options.positional.count == 2 else {
      throw .usage("name FOLDER and OUTFOLDER (see mien verify --help)")
    }
    let folders = options.positional.map(\.realPath)
    guard let folder = folders[0], case .folder = FileKind(folder) else {
      throw .usage("there is no folder \(Terminal.printable(options.positional[0]))")
    }
    guard let outFolder = folders[1], case .folder = FileKind(outFolder) else {
      throw .usage("there is no folder \(Terminal.printable(options.positional[1]))")
    }
    let shard: Shard? = if let text = options.value("shard") { try Shard(text) } else { nil }
    try Plugin.load()
    let effects = try EffectOptions(options)

    let named = options.given.filter { $0.name == "report" }.compactMap(\.value)
    let reports = try BatchRecords(named.isEmpty ? reportsIn(outFolder) : named)
    guard !named.isEmpty || reports.lineCount > 0 else {
      throw .usage(
        "there is no report in \(Terminal.printable(outFolder)); mien batch --report=FILE writes one"
      )
    }
    var verification = Verification(
      BatchPaths(folder: folder, outFolder: outFolder), reports,
      expected: effects.childArguments(options).map(\.description))
    verification.deletes = options.has("delete")
    return try verification.run(InputScan(folder, outFolder: outFolder), shard).rawValue
  }

  /// The files *.jsonl in a folder.
  private static func reportsIn(_ folder: FilePath) -> [FilePath] {
    guard let listing = folder.withCString(opendir) else { return [] }
    defer { closedir(listing) }
    var files: [FilePath] = []
    while let entry = readdir(listing) {
      let name = entry.fileName
      guard name.hasSuffix(".jsonl"), case .file = FileKind(folder.appending(name)) else {
        continue
      }
      files.append(folder.appending(name))
    }
    return files.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }
}
