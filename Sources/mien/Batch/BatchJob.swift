import Effects
import Files
import Glibc
import Programs

/// One file of a batch, processed in a process of its own, on this machine or another.
///
/// Prints lines of three fields between tabs: the job's number; a state; and a text. States: "progress", with a
/// percentage; and at the end "done", "before" (there was an output), "held" (another process is at work on
/// it), "partly" (the output lacks something), "damaged" (the input is) or "failed".
struct BatchJob {
  /// The option of a job; a number, the two folders, the film, the report, the seconds between two
  /// messages and the effects follow.
  static let option: FilePath = "--job"
  /// In place of a report, where there is none.
  static let noReport: FilePath = "-"

  private let number: String
  private let film: FilePath
  private let paths: BatchPaths
  private let report: ReportFile?
  private let interval: Double
  private let effects: EffectOptions
  /// Whether a film that would lack something fails.
  private let isStrict: Bool
  private var line: ReportLine

  static func run(_ arguments: [FilePath]) throws(ProgramError) -> Int32 {
    guard arguments.count >= 6 else { throw .usage("a batch calls its jobs by itself") }
    let number = arguments[0].description
    do throws(ProgramError) {
      try Plugin.load()
      var job = try BatchJob(number, arguments)
      let (state, text) = try job.run()
      printResult(number, state, text)
      return ExitCode.success.rawValue
    } catch {
      printResult(number, error.isDamage ? "damaged" : "failed", error.text)
      return ExitCode.negative.rawValue
    }
  }

  private static func printResult(_ number: String, _ state: String, _ text: String) {
    Terminal.printLine([number, state, Terminal.singleLine(text)].joined(separator: "\t"))
  }

  private init(_ number: String, _ arguments: [FilePath]) throws(ProgramError) {
    self.number = number
    film = arguments[3]
    paths = BatchPaths(folder: arguments[1], outFolder: arguments[2])
    report = arguments[4] == Self.noReport ? nil : try ReportFile(arguments[4])
    interval = Double(arguments[5].description) ?? 60
    let options = try BatchCommand.parse(["batch"] + arguments[6...].filter { !$0.isEmpty })
    effects = try EffectOptions(options)
    isStrict = options.has("strict")
    line = ReportLine(file: film)
    line.options = effects.childArguments(options)
  }

  private mutating func run() throws(ProgramError) -> (state: String, text: String) {
    // Another machine, or a job of an earlier batch, may have processed it.
    if paths.existingOutput(of: film) != nil { return ("before", "was there already") }
    let started = MonotonicClock.seconds
    do throws(ProgramError) {
      return try claimAndDecorate(since: started)
    } catch {
      // What was stopped is no result.
      if let report, TerminationSignal.received == nil {
        line.state = error.isDamage ? "damaged" : "failed"
        line.reason = error.text
        line.seconds = MonotonicClock.seconds - started
        line.input = try? FileChecksum(paths.folder.appending(film))
        try report.append(line.text)
      }
      throw error
    }
  }

  private func claimAndDecorate(since started: Double) throws(ProgramError) -> (
    state: String, text: String
  ) {
    try paths.rejectFolderNamedAsOutput(of: film)
    let folder = paths.claimed(film).split.folder
    guard folder.makeFolders() else {
      throw .failure(
        "the folder \(folder) cannot be made: \(Terminal.errnoText); move away what is in the way, or"
          + " give the batch another place to write to")
    }
    let claim: FilmClaim
    switch try FilmClaim.take(paths.claimed(film)) {
    case .held(let holder): return ("held", holder)
    case .taken(let taken): claim = taken
    }
    defer { claim.release() }
    if paths.existingOutput(of: film) != nil { return ("before", "was there already") }
    BatchCleaner.removeParts(of: film, in: folder)
    return try decorate(since: started)
  }

  private func decorate(since started: Double) throws(ProgramError) -> (
    state: String, text: String
  ) {
    let paths = paths
    let film = film
    let makesAlpha = effects.chain.makesAlpha
    let decoration = try Decoration(paths.folder.appending(film), effects, threads: 1) {
      (type, isFilm) throws(ProgramError) in
      try paths.target(film, type, isFilm: isFilm, makesAlpha: makesAlpha)
    }
    decoration.isStrict = isStrict
    let number = number
    decoration.onAbort = { Self.printResult(number, "failed", $0) }
    let counter = FaceCounter()
    if effects.faceDetector != nil, report != nil { decoration.onFrame = { counter.count($0) } }
    if let report {
      var line = line
      let (source, counts) = (paths.folder.appending(film), effects.faceDetector != nil)
      // The line precedes the output, so that no output is without one.
      decoration.beforeCommit = { [unowned decoration] (part) throws(ProgramError) in
        line.input = try FileChecksum(source)
        line.result = try FileChecksum(part.temporaryPath)
        line.output = FilePath(bytes: part.path.bytes.dropFirst(paths.outFolder.bytes.count + 1))
        line.frames = decoration.frames
        line.faces = counts ? counter.counts : nil
        line.seconds = MonotonicClock.seconds - started
        line.reason = decoration.leftOut.map { "\($0) was left out" }
        line.state = line.reason == nil ? "done" : "partly"
        try report.append(line.text)
      }
    }
    var due = MonotonicClock.seconds + interval
    _ = try decoration.run {
      guard decoration.isFilm, let progress = decoration.progress, MonotonicClock.seconds >= due
      else { return }
      due = MonotonicClock.seconds + interval
      Self.printResult(number, "progress", (100 * progress).fixed(0))
    }
    if decoration.isTaken { return ("before", "was there already") }
    let seconds = (MonotonicClock.seconds - started).fixed(1) + " s"
    let text = decoration.isFilm ? "\(decoration.frames) frames, \(seconds)" : seconds
    if let leftOut = decoration.leftOut { return ("partly", "\(leftOut) was left out (\(text))") }
    return ("done", text + (decoration.loss.map { "; \($0)" } ?? ""))
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
