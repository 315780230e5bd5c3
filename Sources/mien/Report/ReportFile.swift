import Files
import Glibc
import Programs

/// A report that several processes append to, a line at a time.
///
/// Each line is one write(2) to a file opened with O_APPEND, which local file systems do not interleave. Over
/// NFS clients append at the end that they know, so a record lock (fcntl), which NFS passes to the server, is
/// held meanwhile where there is one.
struct ReportFile {
  private let path: FilePath

  /// Throws where the file can be neither opened nor made.
  init(_ path: FilePath) throws(ProgramError) {
    self.path = path
    close(try Self.open(path))
  }

  /// Appends a line, with its line break, and flushes it to the disk.
  func append(_ line: String) throws(ProgramError) {
    let file = try Self.open(path)
    // Closing the file gives the lock back.
    defer { close(file) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    for _ in 0..<100 {
      guard fcntl(file, F_SETLK, &lock) != 0, errno == EAGAIN || errno == EACCES else { break }
      usleep(20_000)
    }
    // A writer that ran out of space may have left a part of a line.
    let end = lseek(file, 0, SEEK_END)
    var last = UInt8(ascii: "\n")
    if end > 0 { pread(file, &last, 1, end - 1) }
    let bytes = Array(((last == UInt8(ascii: "\n") ? "" : "\n") + line).utf8)
    guard Terminal.writeAll(bytes, to: file), fdatasync(file) == 0 || errno == EINVAL else {
      throw .failure("\(Terminal.printable(path)): \(Terminal.errnoText)")
    }
  }

  private static func open(_ path: FilePath) throws(ProgramError) -> Int32 {
    let file = path.withCString { Glibc.open($0, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666) }
    guard file >= 0 else { throw .failure("\(Terminal.printable(path)): \(Terminal.errnoText)") }
    return file
  }
}
