import Files
import Glibc
import Programs

/// A folder of films on its way through the effects.
struct Batch {
  private let names: BatchNames
  private var todo: [FilePath] = []
  /// By number, from 1 on: why it failed.
  private var reasons: [Int: String] = [:]
  private var partly: [(FilePath, String)] = []

  init(_ names: BatchNames) { self.names = names }

  /// Does what is not done yet, and returns the exit code.
  mutating func run(effects: [FilePath], options: [FilePath]) throws(Problem) -> Int32 {
    clear(names.outFolder)
    let list = FilmList(names.folder, outFolder: names.outFolder)
    let unseenHeading = "these were passed over, and may hold films"
    guard !list.films.isEmpty else {
      Self.say(unseenHeading, list.unseen)
      throw .use("there is no film or picture in \(Terminal.shown(names.folder))")
    }
    todo = list.films.filter { names.done($0) == nil }
    let count = list.films.count
    Terminal.say(
      "mien: \(count) films and pictures, \(count - todo.count) done already, \(todo.count) to do;"
        + " \(list.others) other files are passed over")
    if !todo.isEmpty { try work(effects, options) }
    if let signal = Interruption.signal { throw .interrupted(signal) }

    // What is on the disk decides, not what was said.
    let failed = todo.enumerated().filter { names.done($0.element) == nil }.map { index, film in
      (film, reasons[index + 1] ?? "its job ended and gave no reason")
    }
    Self.say(unseenHeading, list.unseen)
    Self.say("of these not everything came along", partly)
    Self.say(
      "these failed, and are tried again the next time (what to do with broken films stands in"
        + " docs/batch.md)", failed)
    Terminal.say("mien: \(count - failed.count) of \(count) are done")
    let isAll = list.unseen.isEmpty && partly.isEmpty && failed.isEmpty
    return (isAll ? Ending.done : Ending.no).rawValue
  }

  private mutating func work(_ effects: [FilePath], _ options: [FilePath]) throws(Problem) {
    let list = try PartFile(for: names.outFolder.appending("list"))
    defer { list.discard() }
    guard Terminal.writeAll(todo.flatMap { $0.bytes + [0] }, to: list.descriptor) else {
      throw .failure("\(Terminal.shown(names.outFolder)): \(Terminal.reason)")
    }
    let parallel = try Parallel(
      list: list.current, words: [names.folder, names.outFolder] + effects, options: options)
    let started = StallWatch.seconds(CLOCK_MONOTONIC)
    var count = 0
    while let line = parallel.line() {
      let words = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard words.count == 3, let number = Int(words[0]), todo.indices.contains(number - 1),
        ["done", "partly", "failed"].contains(words[1])
      else {
        Terminal.say(Terminal.oneLine(line))
        continue
      }
      count += 1
      var text = String(words[2])
      if words[1] == "failed" {
        reasons[number] = text
        text = "FAILED: " + text
      } else if words[1] == "partly" {
        partly.append((todo[number - 1], text))
      }
      let spent = StallWatch.seconds(CLOCK_MONOTONIC) - started
      let left = Terminal.clock(spent * Double(todo.count - count) / Double(count))
      Terminal.say(
        "mien: [\(count)/\(todo.count), \(left) left] \(Terminal.shown(todo[number - 1])): \(text)")
    }
    parallel.end()
  }

  /// What went wrong with which.
  private static func say(_ heading: String, _ list: [(FilePath, String)]) {
    guard !list.isEmpty else { return }
    Terminal.complain(heading + ":")
    for (film, reason) in list {
      Terminal.add("  \(Terminal.shown(film.isEmpty ? "." : film)): \(reason)")
    }
  }

  /// Takes away what a killed run left half done.
  private func clear(_ folder: FilePath) {
    guard let listing = folder.withCString(opendir) else { return }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { FilePath($0) }
      }
      guard name != ".", name != ".." else { continue }
      let path = folder.appending(name)
      var status = stat()
      guard path.withCString({ lstat($0, &status) }) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR { clear(path) }
      if status.st_mode & S_IFMT == S_IFREG, name.bytes.starts(with: Array(PartFile.prefix.utf8)) {
        _ = path.withCString { unlink($0) }
      }
    }
  }
}
