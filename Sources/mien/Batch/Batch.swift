import Files
import Glibc
import Programs

/// Decorates the films of a folder, perhaps beside other batches in the same folders.
struct Batch {
  private let paths: BatchPaths
  private let scan: InputScan
  private let shard: Shard?
  private let report: FilePath?
  private var pending: [FilePath] = []
  private var progress = BatchProgress()
  /// Reasons by film.
  private var reasons: [FilePath: String] = [:]
  private var damaged: Set<FilePath> = []
  /// Films that other processes are at work on, with these.
  private var held: [FilePath: String] = [:]
  private var partly: [(FilePath, String)] = []

  /// `report`: an absolute path; nil for none.
  init(_ paths: BatchPaths, _ scan: InputScan, shard: Shard?, report: FilePath?) {
    self.paths = paths
    self.scan = scan
    self.shard = shard
    self.report = report
  }

  /// Processes the films without output, and returns the exit code.
  mutating func run(effects: [FilePath], options: [FilePath], tellsDoneBefore: Bool)
    throws(ProgramError) -> Int32
  {
    BatchCleaner.removeLeftovers(in: paths.outFolder)
    let unreadHeading = "these were passed over, and may hold films"
    guard !scan.films.isEmpty || !scan.unread.isEmpty && scan.isList else {
      Self.warn(unreadHeading, scan.unread)
      throw .usage("there is no film or picture in \(Terminal.printable(paths.folder))")
    }
    let films = scan.films.filter { shard?.contains($0) != false }
    pending = films.filter { paths.existingOutput(of: $0) == nil }
    let all = pending
    let share = shard.map { " of \(scan.films.count) in share \($0.number)/\($0.count)" } ?? ""
    Terminal.printLine(
      "mien: \(films.count) films and pictures\(share), \(films.count - all.count) done already,"
        + " \(all.count) to do; \(scan.otherCount) other files are passed over")
    while !pending.isEmpty {
      try runJobs(effects, options)
      if let signal = TerminationSignal.received { throw .interrupted(signal) }
      try waitForOthers()
    }

    // The files on the disk decide, not the messages of jobs.
    let failed = all.filter { paths.existingOutput(of: $0) == nil }
    Self.warn(unreadHeading, scan.unread)
    Self.warn("of these not everything came along", partly)
    Self.warn(
      "these failed, and are tried again the next time (what to do with broken films stands in"
        + " docs/batch.md)",
      failed.map { ($0, reasons[$0] ?? "its job ended and gave no reason") })
    Terminal.printLine("mien: \(films.count - failed.count) of \(films.count) are done")
    let code: ExitCode =
      if !scan.unread.isEmpty || !partly.isEmpty
        || failed.contains(where: { !damaged.contains($0) })
      {
        .negative
      } else if !failed.isEmpty {
        .damaged
      } else {
        all.isEmpty && tellsDoneBefore ? .doneBefore : .success
      }
    return code.rawValue
  }

  private mutating func runJobs(_ effects: [FilePath], _ options: [FilePath]) throws(ProgramError) {
    let settings = [report ?? BatchJob.noReport, FilePath("\(BatchProgress.interval)")]
    let parallel = try Parallel(
      pending, arguments: [paths.folder, paths.outFolder] + settings + effects, options: options)
    progress.begin(count: pending.count)
    held = [:]
    while let line = parallel.nextLine() {
      let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, let number = Int(fields[0]), pending.indices.contains(number - 1)
      else {
        Terminal.printLine(Terminal.singleLine(line))
        continue
      }
      take(String(fields[1]), String(fields[2]), of: pending[number - 1])
    }
    parallel.waitForExit()
  }

  /// Notes and prints what a job said of its film.
  private mutating func take(_ state: String, _ text: String, of film: FilePath) {
    switch state {
    case "progress": return progress.show(film, percent: text)
    case "held":
      held[film] = text
      return progress.end(film, "left to \(text)")
    case "damaged", "failed":
      reasons[film] = text
      if state == "damaged" { damaged.insert(film) }
      return progress.end(film, "FAILED: " + text)
    case "partly": partly.append((film, text))
    default: break
    }
    progress.end(film, text)
  }

  /// Waits until no other process is at work on a film of this batch; those without an output then are
  /// pending again.
  private mutating func waitForOthers() throws(ProgramError) {
    pending = held.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    guard let first = pending.first else { return }
    Terminal.printLine(
      "mien: \(pending.count) are left to other processes, such as \(Terminal.printable(first)) to"
        + " \(held[first] ?? ""); waiting for them")
    while true {
      pending.removeAll { paths.existingOutput(of: $0) != nil }
      let free = pending.filter { FilmClaim.holder(paths.claimed($0)) == nil }
      if !free.isEmpty || pending.isEmpty {
        pending = free.isEmpty ? [] : pending
        return
      }
      if let signal = TerminationSignal.received { throw .interrupted(signal) }
      sleep(1)
    }
  }

  /// Prints a heading and a line for each film.
  private static func warn(_ heading: String, _ list: [(FilePath, String)]) {
    guard !list.isEmpty else { return }
    Terminal.warn(heading + ":")
    for (film, reason) in list {
      Terminal.continueWarning("  \(Terminal.printable(film.isEmpty ? "." : film)): \(reason)")
    }
  }
}
