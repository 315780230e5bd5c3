package import Files
import Glibc

/// What is said to whoever runs the command: results on the standard output, all else beside it.
package enum Terminal {
  /// Whether nothing more can be written to the standard output.
  package nonisolated(unsafe) private(set) static var isUnread = false
  /// Why not, unless whoever read it has gone, which is no failure.
  package nonisolated(unsafe) private(set) static var failure: Problem?
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

  /// Takes the places of standard streams that were closed when the program began, before a file gets
  /// them: lines would be written into it.
  ///
  /// Writing to them fails, as it does to what is closed.
  package static func begin() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
      // The lowest number that is free is that of the stream.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// A line of what was asked for.
  package static func say(_ line: String) { print(line + "\n") }

  /// Text of what was asked for.
  package static func print(_ text: String) {
    clearProgress()
    if !isUnread, !write(text, to: STDOUT_FILENO) { fail() }
  }

  private static func fail() {
    isUnread = true
    if errno != EPIPE { failure = .failure("the standard output cannot be written: \(reason)") }
  }

  /// To be called once at the end, with the exit code that the program would end with.
  ///
  /// Returns the code that it ends with: what was not written whole is a failure, and said. Some file
  /// systems say so only when the file is closed.
  package static func end(_ code: Int32) -> Int32 {
    // One that could not be written, or was closed all along, has been told of.
    if !isUnread, close(STDOUT_FILENO) != 0, errno != EBADF, errno != EINTR { fail() }
    guard let failure else { return code }
    complain(failure.text)
    return code > failure.code ? code : failure.code
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
        if count == 0 { errno = EIO }
        if count == 0 || count < 0 && errno != EINTR { return false }
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
