import CGStreamer
import Files
import Glibc
import Programs

/// The SHA-256 and the size of a file's content.
struct FileChecksum: Equatable {
  let sha256: String
  let size: Int

  /// Reads the whole file.
  init(_ path: FilePath) throws(ProgramError) {
    let file = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else {
      throw .failure("\(Terminal.printable(path)): \(Terminal.errnoText)")
    }
    defer { close(file) }
    posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL)
    let checksum = g_checksum_new(G_CHECKSUM_SHA256)
    defer { g_checksum_free(checksum) }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    var size = 0
    while true {
      let count = read(file, &bytes, bytes.count)
      if count < 0, errno == EINTR, TerminationSignal.received == nil { continue }
      guard count >= 0 else {
        throw .failure("\(Terminal.printable(path)): \(Terminal.errnoText)")
      }
      if count == 0 { break }
      g_checksum_update(checksum, bytes, gssize(count))
      size += count
    }
    sha256 = g_checksum_get_string(checksum).map { String(cString: $0) } ?? ""
    self.size = size
  }
}
