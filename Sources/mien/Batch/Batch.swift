import Files
import Glibc
import Programs

/// Decorates the films of a folder.
struct Batch {
  private let paths: BatchPaths
  private var pending: [FilePath] = []
  /// Errors by the number of the job, from 1 on.
  private var reasons: [Int: String] = [:]
  private var partly: [(FilePath, String)] = []

  init(_ paths: BatchPaths) { self.paths = paths }

  /// Processes the films without output, and returns the exit code.
  mutating func run(effects: [FilePath], options: [FilePath]) throws(ProgramError) -> Int32 {
    removeTemporaryFiles(paths.outFolder)
    let scan = InputScan(paths.folder, outFolder: paths.outFolder)
    let unreadHeading = "these were passed over, and may hold films"
    guard !scan.films.isEmpty else {
      Self.warn(unreadHeading, scan.unread)
      throw .usage("there is no film or picture in \(Terminal.printable(paths.folder))")
    }
    pending = scan.films.filter { paths.existingOutput(of: $0) == nil }
    let count = scan.films.count
    Terminal.printLine(
      "mien: \(count) films and pictures, \(count - pending.count) done already, \(pending.count) to do;"
        + " \(scan.otherCount) other files are passed over")
    if !pending.isEmpty { try runJobs(effects, options) }
    if let signal = TerminationSignal.received { throw .interrupted(signal) }

    // The files on the disk decide, not the messages of jobs.
    let failed = pending.enumerated().filter { paths.existingOutput(of: $0.element) == nil }.map {
      index, film in
      (film, reasons[index + 1] ?? "its job ended and gave no reason")
    }
    Self.warn(unreadHeading, scan.unread)
    Self.warn("of these not everything came along", partly)
    Self.warn(
      "these failed, and are tried again the next time (what to do with broken films stands in"
        + " docs/batch.md)", failed)
    Terminal.printLine("mien: \(count - failed.count) of \(count) are done")
    let isAll = scan.unread.isEmpty && partly.isEmpty && failed.isEmpty
    return (isAll ? ExitCode.success : ExitCode.negative).rawValue
  }

  private mutating func runJobs(_ effects: [FilePath], _ options: [FilePath]) throws(ProgramError) {
    let list = try AtomicFile(for: paths.outFolder.appending("list"))
    defer { list.discard() }
    guard Terminal.writeAll(pending.flatMap { $0.bytes + [0] }, to: list.descriptor) else {
      throw .failure("\(Terminal.printable(paths.outFolder)): \(Terminal.errnoText)")
    }
    let parallel = try Parallel(
      list: list.temporaryPath, arguments: [paths.folder, paths.outFolder] + effects,
      options: options)
    let started = MonotonicClock.seconds
    var count = 0
    while let line = parallel.nextLine() {
      let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, let number = Int(fields[0]), pending.indices.contains(number - 1),
        ["done", "partly", "failed"].contains(fields[1])
      else {
        Terminal.printLine(Terminal.singleLine(line))
        continue
      }
      count += 1
      var text = String(fields[2])
      if fields[1] == "failed" {
        reasons[number] = text
        text = "FAILED: " + text
      } else if fields[1] == "partly" {
        partly.append((pending[number - 1], text))
      }
      let spent = MonotonicClock.seconds - started
      let left = Terminal.formattedDuration(spent * Double(pending.count - count) / Double(count))
      Terminal.printLine(
        "mien: [\(count)/\(pending.count), \(left) left] \(Terminal.printable(pending[number - 1])): \(text)"
      )
    }
    parallel.waitForExit()
  }

  /// Prints a heading and a line for each film.
  private static func warn(_ heading: String, _ list: [(FilePath, String)]) {
    guard !list.isEmpty else { return }
    Terminal.warn(heading + ":")
    for (film, reason) in list {
      Terminal.continueWarning("  \(Terminal.printable(film.isEmpty ? "." : film)): \(reason)")
    }
  }

  /// Removes the temporary files of a killed run.
  private func removeTemporaryFiles(_ folder: FilePath) {
    guard let listing = folder.withCString(opendir) else { return }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = entry.fileName
      guard name != ".", name != ".." else { continue }
      let path = folder.appending(name)
      var status = stat()
      guard path.withCString({ lstat($0, &status) }) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR { removeTemporaryFiles(path) }
      if status.st_mode & S_IFMT == S_IFREG, name.bytes.starts(with: Array(AtomicFile.prefix.utf8))
      {
        _ = path.withCString { unlink($0) }
      }
    }
  }
}
