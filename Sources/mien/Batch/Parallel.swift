import CGStreamer
import Client
import Files
import Glibc
import Programs

/// GNU parallel, which runs a job for each file of a list.
///
/// O. Tange: GNU Parallel, https://www.gnu.org/software/parallel.
final class Parallel {
  private let process: GPid
  private let output: Int32
  private var buffer: [UInt8] = []

  /// Whether it is in the PATH.
  static var isInstalled: Bool {
    guard let path = g_find_program_in_path("parallel") else { return false }
    g_free(path)
    return true
  }

  /// Starts the jobs.
  ///
  /// `names`: the films; `arguments`: those of each job beside its number and
  /// name; `options`: those of GNU parallel.
  init(_ names: [FilePath], arguments jobArguments: [FilePath], options: [FilePath])
    throws(ProgramError)
  {
    let list = try Self.openList(names)
    defer { close(list) }
    // Parallel ends with this process and jobs end with parallel, so that they do not disturb the next
    // batch. All arguments of jobs are passed as values, so that no character in them is special.
    var arguments: [FilePath] = ["setpriv", "--pdeathsig", "KILL", "parallel", "--will-cite"]
    // Jobs say while they work how far they are.
    arguments += ["--line-buffer"] + options
    arguments += ["-0", "-q", "exec", "setpriv", "--pdeathsig", "TERM"]
    let values = [FilePath(Plugin.executablePath), "batch", BatchJob.option] + jobArguments
    let references = values.indices.map { FilePath("{\($0 + 2)}") }
    // The number follows "--job", the name follows the two folders.
    arguments += references[..<3] + ["{#}"] + references[3..<5] + ["{1}"] + references[5...]
    arguments += ["::::", FilePath("/proc/self/fd/\(list)")]
    for value in values { arguments += [":::", value] }

    let argv = arguments.map { $0.withCString { strdup($0) } } + [nil]
    defer { argv.forEach { free($0) } }
    var mutable = argv
    var (pid, out): (GPid, gint) = (0, -1)
    var error: UnsafeMutablePointer<GError>?
    // Parallel inherits the list, and not the standard input.
    let flags = GSpawnFlags(
      rawValue: cgst_spawn_search_path | cgst_spawn_do_not_reap_child
        | cgst_spawn_leave_descriptors_open)
    let isStarted = g_spawn_async_with_pipes(
      nil, &mutable, nil, flags, nil, nil, &pid, nil, &out, nil, &error)
    guard isStarted != 0 else {
      throw .usage(ClientError(error, or: "GNU parallel does not start").text)
    }
    (process, output) = (pid, out)
    _ = fcntl(out, F_SETFD, FD_CLOEXEC)
  }

  /// A file without a name that holds each of the names with a NUL behind it.
  private static func openList(_ names: [FilePath]) throws(ProgramError) -> Int32 {
    guard let folder = g_get_tmp_dir() else { throw .failure("there is no temporary folder") }
    let file = try AtomicFile(for: FilePath(folder).appending("list"))
    defer { file.discard() }
    guard Terminal.writeAll(names.flatMap { $0.bytes + [0] }, to: file.descriptor) else {
      throw .failure("\(Terminal.printable(FilePath(folder))): \(Terminal.errnoText)")
    }
    // The copy is inherited.
    return dup(file.descriptor)
  }

  /// The next line that a job prints; nil at the end, or after a signal.
  func nextLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      guard TerminationSignal.received == nil else { return nil }
      var bytes = [UInt8](repeating: 0, count: 4096)
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      // A signal that arrives just before is seen in the next round.
      guard poll(&waiting, 1, 200) > 0 else { continue }
      let count = read(output, &bytes, bytes.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      buffer += bytes[..<count]
    }
  }

  /// Waits for the end; after a signal it stops the jobs first.
  func waitForExit() {
    if TerminationSignal.received != nil {
      // After the first parallel waits for its jobs, after the second it stops them.
      kill(process, SIGTERM)
      kill(process, SIGTERM)
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    close(output)
  }
}
