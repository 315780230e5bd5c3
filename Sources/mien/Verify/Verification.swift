import Files
import Glibc
import Programs

/// The comparison of a batch's outputs with the films and the reports.
struct Verification {
  /// What is wrong with a film's output.
  private enum Finding: String {
    case missing, stale, damaged, unknown
    /// Missing because the film itself is damaged.
    case broken = "broken film"
  }

  private let paths: BatchPaths
  private let records: BatchRecords
  private let expected: [String]
  /// Whether stale and damaged outputs are deleted.
  var deletes = false

  /// `expected`: the options that outputs are made with.
  init(_ paths: BatchPaths, _ records: BatchRecords, expected: [String]) {
    self.paths = paths
    self.records = records
    self.expected = Self.sorted(expected)
  }

  /// Prints a line for each output that is not in order, and a summary.
  func run(_ scan: InputScan, _ shard: Shard?) throws(ProgramError) -> ExitCode {
    let films = scan.films.filter { shard?.contains($0) != false }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    var counts: [Finding: Int] = [:]
    for (index, film) in films.enumerated() {
      if let signal = TerminationSignal.received { throw .interrupted(signal) }
      if Terminal.isInteractive {
        Terminal.showProgress("[\(index)/\(films.count)] \(Terminal.printable(film))")
      }
      guard let (finding, reason) = try check(film) else { continue }
      counts[finding, default: 0] += 1
      Terminal.printLine("\(finding.rawValue): \(Terminal.printable(film)): \(reason)")
      if deletes, finding == .stale || finding == .damaged,
        let output = paths.existingOutput(of: film).map({ paths.outFolder.appending($0) })
      {
        guard output.withCString({ unlink($0) }) == 0 else {
          throw .failure("\(Terminal.printable(output)): \(Terminal.errnoText)")
        }
      }
    }
    for (path, reason) in scan.unread {
      Terminal.warn("passed over: \(Terminal.printable(path.isEmpty ? "." : path)): \(reason)")
    }
    if records.brokenLineCount > 0 {
      Terminal.warn("\(records.brokenLineCount) lines of the reports are no reports of films")
    }
    let bad = counts.values.reduce(0, +)
    let kinds: [Finding] = [.missing, .stale, .damaged, .unknown, .broken]
    Terminal.printLine(
      "mien: \(films.count) films and pictures, \(films.count - bad) in order; "
        + kinds.map { "\(counts[$0] ?? 0) \($0 == .broken ? "broken films" : $0.rawValue)" }
        .joined(separator: ", "))
    let isOtherwiseComplete =
      scan.unread.isEmpty && [Finding.missing, .stale, .unknown].allSatisfy { counts[$0] == nil }
    return isOtherwiseComplete ? (bad == 0 ? .success : .damaged) : .negative
  }

  /// What is wrong with the film's output; nil where it is in order.
  private func check(_ film: FilePath) throws(ProgramError) -> (Finding, String)? {
    let told = records[film]
    guard let output = paths.existingOutput(of: film) else {
      guard let last = told.last, let reason = last.reason else {
        return (.missing, "no report tells of it")
      }
      return (last.state == "damaged" ? .broken : .missing, reason)
    }
    let checksum = try FileChecksum(paths.outFolder.appending(output))
    guard let record = told.last(where: { $0.outputChecksum == checksum.sha256 }) else {
      return told.contains { $0.outputChecksum != nil }
        ? (.damaged, "the output is not what was written")
        : (.unknown, "no report tells how its output was made")
    }
    if Self.sorted(record.options) != expected {
      let options = record.options.isEmpty ? "no options" : record.options.joined(separator: " ")
      return (.stale, "made with \(options)")
    }
    if record.version != Plugin.version { return (.stale, "made by version \(record.version)") }
    if record.inputChecksum != (try FileChecksum(paths.folder.appending(film))).sha256 {
      return (.stale, "the film has changed since")
    }
    return nil
  }

  /// Options by name; several of one name keep their order, since stickers lie on each other.
  private static func sorted(_ options: [String]) -> [String] {
    options.enumerated().sorted { a, b in
      let names = (name(a.element), name(b.element))
      return names.0 != names.1 ? names.0 < names.1 : a.offset < b.offset
    }.map(\.element)
  }

  private static func name(_ option: String) -> Substring { option.prefix { $0 != "=" } }
}
