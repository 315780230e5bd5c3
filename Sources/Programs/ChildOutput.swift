import CGStreamer
import Client
package import Files
import Glibc

/// A program that runs beside this one, and the lines that it prints.
///
/// For one thread. The program ends with this object.
package final class ChildOutput {
  private let process: GPid
  private let output: Int32
  private var buffer: [UInt8] = []

  /// Starts `arguments`, of which the first is the program's name in the PATH; the error says why it
  /// does not start.
  package init(_ arguments: [FilePath]) throws(ProgramError) {
    var argv = arguments.map { $0.withCString { strdup($0) } } + [nil]
    let words = argv
    defer { words.forEach { free($0) } }
    var (pid, out): (GPid, gint) = (0, -1)
    var error: UnsafeMutablePointer<GError>?
    let flags = GSpawnFlags(
      rawValue: cgst_spawn_search_path | cgst_spawn_do_not_reap_child
        | cgst_spawn_stderr_to_dev_null)
    guard
      g_spawn_async_with_pipes(nil, &argv, nil, flags, nil, nil, &pid, nil, &out, nil, &error) != 0
    else {
      throw .failure(ClientError(error, or: "\(arguments[0]) does not start").text)
    }
    (process, output) = (pid, out)
    _ = fcntl(out, F_SETFD, FD_CLOEXEC)
    _ = fcntl(out, F_SETFL, O_NONBLOCK)
  }

  deinit {
    kill(process, SIGTERM)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    close(output)
  }

  /// What a read returned.
  package enum Line {
    case text(String)
    /// Nothing is there yet.
    case none
    /// The program has ended, or closed its output.
    case end
  }

  /// The next line without its end; never waits.
  package func nextLine() -> Line {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeFirst(end + 1) }
        return .text(String(decoding: buffer[..<end], as: UTF8.self))
      }
      var bytes = [UInt8](repeating: 0, count: 16384)
      let count = read(output, &bytes, bytes.count)
      if count > 0 {
        buffer += bytes[..<count]
      } else if count == 0 {
        return .end
      } else if errno != EINTR {
        return errno == EAGAIN ? .none : .end
      }
    }
  }
}
