package import Files
import Glibc

/// Results on the standard output; warnings and progress on the standard error.
package enum Terminal {
  /// Whether writing to the standard output has failed.
  package nonisolated(unsafe) private(set) static var isClosed = false
  /// Why it has failed; nil for a closed pipe, which is no error.
  package nonisolated(unsafe) private(set) static var outputError: ProgramError?
  /// Whether the last line is a progress line.
  nonisolated(unsafe) private static var hasProgress = false

  /// Whether progress is shown.
  package static let isInteractive = isatty(STDERR_FILENO) != 0

  /// The descriptor of warnings and progress.
  nonisolated(unsafe) private static var errors = STDERR_FILENO

  /// Redirects the standard error of libraries to /dev/null, unless GST_DEBUG is set.
  ///
  /// OpenH264, for example, prints errors there at the end of every film.
  package static func silenceLibraries() {
    guard errors == STDERR_FILENO, getenv("GST_DEBUG") == nil else { return }
    let own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard own >= 0, nothing >= 0 else { return }
    dup2(nothing, STDERR_FILENO)
    close(nothing)
    errors = own
  }

  /// Opens standard streams that are closed, so that no other file gets their descriptors.
  ///
  /// Reading or writing them fails, as on closed ones. Call it first.
  package static func reserveStandardStreams() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
      // open(2) returns the lowest free descriptor, which is the stream's.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes a line to the standard output.
  package static func printLine(_ line: String) { print(line + "\n") }

  /// Writes text to the standard output.
  package static func print(_ text: String) {
    clearProgress()
    if !isClosed, !write(text, to: STDOUT_FILENO) { recordOutputError() }
  }

  private static func recordOutputError() {
    isClosed = true
    if errno != EPIPE {
      outputError = .failure("the standard output cannot be written: \(errnoText)")
    }
  }

  /// Closes the standard output and returns the exit code of the process: at least that of a
  /// failure where output was lost, which is reported.
  ///
  /// Call it once, with the code of a program that succeeds.
  ///
  /// Some file systems report failed writes only when the file is closed.
  package static func closeOutput(exitCode code: Int32) -> Int32 {
    // A failed write, or a stream that was closed at the start, is reported already.
    if !isClosed, close(STDOUT_FILENO) != 0, errno != EBADF, errno != EINTR { recordOutputError() }
    guard let outputError else { return code }
    warn(outputError.text)
    return max(code, outputError.code)
  }

  /// Writes an error or a note to the standard error, after the program's name.
  package static func warn(_ line: String) {
    clearProgress()
    _ = write("mien: " + singleLine(line) + "\n", to: errors)
  }

  /// Writes a further line of the last warning.
  package static func continueWarning(_ line: String) {
    _ = write(singleLine(line) + "\n", to: errors)
  }

  /// Writes a line that the next one replaces.
  package static func showProgress(_ text: String) {
    _ = write("\r\u{1B}[K" + text, to: errors)
    hasProgress = true
  }

  /// Clears the line that `showProgress` wrote.
  package static func clearProgress() {
    guard hasProgress else { return }
    _ = write("\r\u{1B}[K", to: errors)
    hasProgress = false
  }

  /// The text with line breaks and control characters replaced by visible ones.
  package static func singleLine(_ text: String) -> String {
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

  /// A path as a single line.
  package static func printable(_ path: FilePath) -> String { singleLine(path.description) }

  /// A duration as "0:07" or "1:02:03".
  package static func formattedDuration(_ seconds: Double) -> String {
    let all = Int(max(0, seconds).rounded())
    let (minutes, rest) = (all / 60, twoDigits(all % 60))
    return minutes < 60
      ? "\(minutes):\(rest)" : "\(minutes / 60):\(twoDigits(minutes % 60)):\(rest)"
  }

  private static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    writeAll(Array(text.utf8), to: descriptor)
  }

  /// Writes all bytes; false with the reason in errno where that fails.
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

  /// The C library's text for errno.
  package static var errnoText: String {
    strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
  }
}

extension Double {
  /// The number with this many decimal places.
  package func fixed(_ digits: Int) -> String {
    guard isFinite else { return "0" }
    var unit = 1
    for _ in 0..<digits { unit *= 10 }
    let scaled = Int((abs(self) * Double(unit)).rounded())
    let fraction = String(scaled % unit + unit).dropFirst()
    let sign = self < 0 && scaled != 0 ? "-" : ""
    return sign + "\(scaled / unit)" + (digits == 0 ? "" : "." + fraction)
  }

  /// The number with at most this many decimal places, without trailing zeros.
  package func short(_ digits: Int) -> String {
    var text = fixed(digits)
    if text.contains(".") {
      while text.last == "0" { text.removeLast() }
      if text.last == "." { text.removeLast() }
    }
    return text
  }
}
