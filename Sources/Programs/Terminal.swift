package import Files
import Glibc

/// What is said to whoever runs the command: results on the standard output, all else beside it.
package enum Terminal {
  /// Whether whoever read the standard output has gone.
  package nonisolated(unsafe) private(set) static var isUnread = false
  /// Whether the progress of a film stands on the last line.
  nonisolated(unsafe) private static var hasProgress = false

  /// Whether somebody watches, who wants to see progress.
  package static let isWatched = isatty(STDERR_FILENO) != 0

  /// Where lines beside what was asked for go.
  nonisolated(unsafe) private static var errors = STDERR_FILENO

  /// From here on nobody but this writes to the standard error.
  ///
  /// Some libraries print there what they take for errors when all is well, as OpenH264 does when a
  /// film ends. Not where somebody looks into GStreamer.
  package static func silenceLibraries() {
    guard errors == STDERR_FILENO, getenv("GST_DEBUG") == nil else { return }
    let own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard own >= 0, nothing >= 0 else { return }
    dup2(nothing, STDERR_FILENO)
    close(nothing)
    errors = own
  }

  /// A line of what was asked for.
  package static func say(_ line: String) {
    clearProgress()
    if !isUnread, !write(line + "\n", to: STDOUT_FILENO) { isUnread = true }
  }

  /// A line about what went wrong or is worth knowing, beside what was asked for.
  package static func complain(_ line: String) {
    clearProgress()
    _ = write("mien: " + oneLine(line) + "\n", to: errors)
  }

  /// A line that belongs to the one before, beside what was asked for.
  package static func add(_ line: String) { _ = write(oneLine(line) + "\n", to: errors) }

  /// A line that the next one replaces.
  package static func progress(_ text: String) {
    _ = write("\r\u{1B}[K" + text, to: errors)
    hasProgress = true
  }

  /// Takes away what `progress` showed.
  package static func clearProgress() {
    guard hasProgress else { return }
    _ = write("\r\u{1B}[K", to: errors)
    hasProgress = false
  }

  /// The text with all that would break the line, or command the terminal, made visible.
  package static func oneLine(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A, 0x0D: line += " "
      case 0..<0x20, 0x7F..<0xA0: line += "\\x" + String(scalar.value, radix: 16)
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// A file's name as it is shown: on one line, whatever is in it.
  package static func shown(_ path: FilePath) -> String { oneLine(path.description) }

  /// "0:07", or "1:02:03".
  package static func clock(_ seconds: Double) -> String {
    let all = Int(max(0, seconds).rounded())
    let (minutes, rest) = (all / 60, twoDigits(all % 60))
    return minutes < 60
      ? "\(minutes):\(rest)" : "\(minutes / 60):\(twoDigits(minutes % 60)):\(rest)"
  }

  private static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    writeAll(Array(text.utf8), to: descriptor)
  }

  /// Writes all of it, or says no with the reason in errno.
  package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 && errno != EINTR { return false }
        rest = rest.dropFirst(max(count, 0))
      }
      return true
    }
  }

  /// What the C library says of the call that has just failed.
  package static var reason: String {
    strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
  }
}

extension Double {
  /// The number with so many digits behind the point.
  package func fixed(_ digits: Int) -> String {
    guard isFinite else { return "0" }
    var unit = 1
    for _ in 0..<digits { unit *= 10 }
    let scaled = Int((abs(self) * Double(unit)).rounded())
    let fraction = String(scaled % unit + unit).dropFirst()
    let sign = self < 0 && scaled != 0 ? "-" : ""
    return sign + "\(scaled / unit)" + (digits == 0 ? "" : "." + fraction)
  }

  /// The number with at most so many digits behind the point, and no zeros at its end.
  package func short(_ digits: Int) -> String {
    var text = fixed(digits)
    if text.contains(".") {
      while text.last == "0" { text.removeLast() }
      if text.last == "." { text.removeLast() }
    }
    return text
  }
}
