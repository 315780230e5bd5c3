import Files
import Glibc
import Programs

/// Reads a file at an offset, which advances.
final class FileReader {
  let size: Int
  /// The offset of the next read.
  var offset = 0
  private let descriptor: Int32
  /// The bytes that were read last: headers are close together.
  private var window: [UInt8] = []
  private var windowStart = 0

  init(_ path: FilePath) throws(ProgramError) {
    descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw .failure("\(Terminal.printable(path)): \(Terminal.errnoText)")
    }
    size = Int(status.st_size)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Up to `count` bytes; fewer at the end of the file.
  func read(_ count: Int) -> ArraySlice<UInt8> {
    if offset < windowStart || offset + count > windowStart + window.count {
      windowStart = offset
      window = readFully(at: offset, max(count, 512))
    }
    let start = min(offset - windowStart, window.count)
    let found = window[start..<min(start + count, window.count)]
    offset += found.count
    return found
  }

  /// `count` bytes; throws `truncated` at the end of the file.
  func readExactly(_ count: Int) throws(ContainerError) -> [UInt8] {
    let found = read(count)
    guard found.count == count else { throw .truncated }
    return Array(found)
  }

  private func readFully(at offset: Int, _ count: Int) -> [UInt8] {
    guard offset >= 0, count > 0 else { return [] }
    let expected = min(count, max(size - offset, 0))
    var bytes = [UInt8](repeating: 0, count: expected)
    var have = 0
    while have < expected {
      let more = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + have, expected - have, off_t(offset + have))
      }
      if more < 0 && errno == EINTR { continue }
      if more <= 0 { break }
      have += more
    }
    return Array(bytes[..<have])
  }
}

/// What is wrong with a file, for the user.
struct ContainerError: Error {
  let text: String

  static let truncated = ContainerError(text: "its end is missing")

  static func broken(_ offset: Int) -> ContainerError {
    ContainerError(text: "what stands at byte \(offset) is no part of a film")
  }

  /// Throws where a unit ends beyond the file.
  static func checkEnd(_ end: Int, _ size: Int) throws(ContainerError) {
    if end > size { throw ContainerError(text: "its last \(end - size) bytes are missing") }
  }
}

extension Sequence<UInt8> {
  /// The big-endian number.
  var bigEndian: Int { reduce(0) { $0 &<< 8 | Int($1) } }
  /// The little-endian number.
  var littleEndian: Int { reversed().bigEndian }
}
