import Glibc

/// Why a file is not read; the text is the rest of a sentence that begins with its name.
package struct FileProblem: Error, Equatable, CustomStringConvertible {
  package enum Kind: Equatable, Sendable {
    /// There is no such thing, or no such path.
    case missing
    case folder
    /// A pipe, a socket, a device.
    case noFile
    case tooLarge(size: Int)
    /// It lies outside the folder that it was looked for in.
    case outside
    /// The system does not let it be opened, or read to its end.
    case unreadable
  }

  package let kind: Kind
  package let description: String

  /// What the C library says of the call that has just failed.
  static func system() -> FileProblem {
    let code = errno
    let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    let isMissing = code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG
    return FileProblem(kind: isMissing ? .missing : .unreadable, description: text)
  }
}

/// A file that may be anything, opened once.
///
/// Whatever is asked about it is asked of the file that was opened, so that nobody can put another
/// one in its place between two questions. Opening never blocks; only regular files are opened.
/// For any thread; closed when nobody holds it any more.
package final class HostileFile: Sendable {
  /// As it was asked for, for messages.
  package let path: FilePath
  /// Bytes, when it was opened; from 0 to the limit.
  package let size: Int
  private let descriptor: Descriptor

  /// Not blocking, so that a named pipe is refused and does not hang the caller.
  static let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY

  /// Opens the file at `path` for reading; one of more than `limit` bytes is refused.
  package convenience init(_ path: FilePath, limit: Int) throws(FileProblem) {
    try self.init(Descriptor.open(path, Self.flags), path, limit: limit)
  }

  /// Takes what was opened with `flags` if it is a regular file of at most `limit` bytes.
  init(_ descriptor: Descriptor, _ path: FilePath, limit: Int) throws(FileProblem) {
    let status = try descriptor.status()
    switch FileKind(status) {
    case .file(let size): self.size = size
    case .folder: throw FileProblem(kind: .folder, description: "is a folder, not a file")
    default: throw FileProblem(kind: .noFile, description: "is not a regular file")
    }
    guard size <= limit else {
      throw FileProblem(
        kind: .tooLarge(size: size), description: "the file has \(size) bytes, more than \(limit)")
    }
    self.descriptor = descriptor
    self.path = path
  }

  /// A path by which others open this very file, as long as this is open.
  ///
  /// Where the system has no `/proc` it is the path it was opened by.
  package var location: FilePath {
    let own = FilePath("/proc/self/fd/\(descriptor.number)")
    return unsafe own.withCString { unsafe access($0, R_OK) } == 0 ? own : path
  }

  /// The whole file; one that became shorter meanwhile is a problem.
  package func bytes() throws(FileProblem) -> [UInt8] {
    let bytes = try first(size)
    guard bytes.count == size else {
      throw FileProblem(
        kind: .unreadable, description: "the file became shorter while it was read")
    }
    return bytes
  }

  /// Its first `count` bytes, or as many as it has.
  package func first(_ count: Int) throws(FileProblem) -> [UInt8] {
    try bytes(from: 0, count: count)
  }

  /// `count` bytes from byte `start` on, or as many as there are.
  package func bytes(from start: Int, count: Int) throws(FileProblem) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = unsafe bytes.withUnsafeMutableBytes { memory in
        unsafe pread(
          descriptor.number, memory.baseAddress! + filled, count - filled, start + filled)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw .system() }
      if got == 0 { break }
      filled += got
    }
    return Array(bytes.prefix(filled))
  }
}
