import CGStreamer
import Client
import Files
import Glibc
import Programs

/// Finds out before a batch which machines of --sshlogin can be used.
struct HostProbe {
  /// The entries that can be used, separated by commas.
  private(set) var usable: [FilePath] = []
  /// The others, with the reasons.
  private(set) var refused: [(host: String, reason: String)] = []

  /// `hosts`: the value of --sshlogin; `ssh`: the program; all machines are asked at once.
  init(_ hosts: FilePath, ssh: String, outFolder: FilePath) {
    let entries = hosts.bytes.split(separator: UInt8(ascii: ",")).map { FilePath(bytes: $0) }
    let questions = entries.map { entry in
      Self.hostName(entry).map { Question($0, ssh: ssh, outFolder: outFolder) }
    }
    for (entry, question) in zip(entries, questions) {
      if let question, let reason = question.refusal {
        refused.append((question.host, reason))
      } else {
        usable.append(entry)
      }
    }
  }

  /// The machine of an entry such as "8/anna"; nil for this one, for files of machines, and for what has an
  /// ssh command of its own.
  private static func hostName(_ entry: FilePath) -> String? {
    var text = entry.description
    guard !text.contains(" "), !text.hasPrefix("@"), !text.hasPrefix("/") else { return nil }
    if let slash = text.firstIndex(of: "/"), Int(text[..<slash]) != nil {
      text = String(text[text.index(after: slash)...])
    }
    return [":", "..", "-", ""].contains(text) || text.contains("/") ? nil : text
  }

  /// A running ssh.
  private final class Question {
    let host: String
    private var process: GPid = 0
    private var errors: gint = -1
    private var failure: String?

    init(_ host: String, ssh: String, outFolder: FilePath) {
      self.host = host
      let program = FilePath(Plugin.executablePath)
      var quoted: [String] = []
      for path in [program, outFolder] {
        quoted.append(path.withCString { g_shell_quote($0) }.map { String(cString: $0) } ?? "''")
      }
      // The exit codes are of no use: 255 is ssh's.
      let script =
        "test -x \(quoted[0]) || { echo no program \(quoted[0]) there >&2; exit 3; };"
        + " test -d \(quoted[1]) || { echo no folder \(quoted[1]) there >&2; exit 3; }"
      let words =
        ssh.split(separator: " ").map(String.init)
        + ["-o", "BatchMode=yes", "-o", "ConnectTimeout=10", host, "--", script]
      var argv = words.map { strdup($0) } + [nil]
      defer { argv.forEach { free($0) } }
      var error: UnsafeMutablePointer<GError>?
      let flags = GSpawnFlags(rawValue: cgst_spawn_search_path | cgst_spawn_do_not_reap_child)
      let isStarted = g_spawn_async_with_pipes(
        nil, &argv, nil, flags, nil, nil, &process, nil, nil, &errors, &error)
      if isStarted == 0 { failure = ClientError(error, or: "ssh does not start").text }
    }

    /// Waits for the answer; nil where the machine can be used.
    var refusal: String? {
      if let failure { return failure }
      var (said, part): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1024))
      while true {
        let count = read(errors, &part, part.count)
        if count < 0, errno == EINTR, TerminationSignal.received == nil { continue }
        guard count > 0 else { break }
        said += part[..<count]
      }
      close(errors)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
      guard status != 0 else { return nil }
      let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
      return lines.last { !$0.hasPrefix("Warning:") }.map { Terminal.singleLine(String($0)) }
        ?? "ssh ended with \(status >> 8 & 0xFF)"
    }
  }
}
