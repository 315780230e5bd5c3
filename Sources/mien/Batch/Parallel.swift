import CGStreamer
import Files
import Glibc
import Programs

/// GNU parallel at work on a list of files, a job each.
///
/// O. Tange: GNU Parallel, https://www.gnu.org/software/parallel.
final class Parallel {
  private let process: GPid
  private let output: Int32
  private var rest: [UInt8] = []

  /// Where it is in the PATH.
  static var isHere: Bool {
    guard let path = g_find_program_in_path("parallel") else { return false }
    g_free(path)
    return true
  }

  /// Starts the jobs: `list` is a file of names, each ended by a NUL; `words` stand behind a job's
  /// number and name; `options` are GNU parallel's own.
  init(list: FilePath, words: [FilePath], options: [FilePath]) throws(Problem) {
    // Parallel ends with this process and jobs end with parallel, or they would be in the way of the
    // next batch. All words come to the jobs as values, so that no sign in them means anything.
    var arguments: [FilePath] = ["setpriv", "--pdeathsig", "KILL", "parallel", "--will-cite"]
    arguments += options
    arguments += ["-0", "-q", "exec", "setpriv", "--pdeathsig", "TERM"]
    let values = [FilePath(Plugin.own), "batch", BatchJob.word] + words
    let places = values.indices.map { FilePath("{\($0 + 2)}") }
    // The number goes behind "--job", the name behind the two folders.
    arguments += places[..<3] + ["{#}"] + places[3..<5] + ["{1}"] + places[5...]
    arguments += ["::::", list]
    for value in values { arguments += [":::", value] }

    let argv = arguments.map { $0.withCString { strdup($0) } } + [nil]
    defer { argv.forEach { free($0) } }
    var mutable = argv
    var (pid, out): (GPid, gint) = (0, -1)
    var error: UnsafeMutablePointer<GError>?
    // The jobs hold the batch's lock, which is open here. Parallel reads none of our input.
    let flags = GSpawnFlags(
      rawValue: cgst_spawn_search_path | cgst_spawn_do_not_reap_child
        | cgst_spawn_leave_descriptors_open)
    let isStarted = g_spawn_async_with_pipes(
      nil, &mutable, nil, flags, nil, nil, &pid, nil, &out, nil, &error)
    guard isStarted != 0 else {
      defer { g_error_free(error) }
      throw .use(error.map { String(cString: $0.pointee.message) } ?? "GNU parallel does not start")
    }
    (process, output) = (pid, out)
    _ = fcntl(out, F_SETFD, FD_CLOEXEC)
  }

  /// The next line that a job prints; nil at the end, or when a signal has come.
  func line() -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeFirst(end + 1) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      guard Interruption.signal == nil else { return nil }
      var bytes = [UInt8](repeating: 0, count: 4096)
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      // A signal that comes just before is noticed at the next turn.
      guard poll(&waiting, 1, 200) > 0 else { continue }
      let count = read(output, &bytes, bytes.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      rest += bytes[..<count]
    }
  }

  /// Ends it with all its jobs, where they are at work, and waits for it.
  func end() {
    if Interruption.signal != nil {
      // The first lets jobs come to their end, the second does not.
      kill(process, SIGTERM)
      kill(process, SIGTERM)
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    close(output)
  }
}
