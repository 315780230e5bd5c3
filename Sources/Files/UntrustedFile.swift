import Glibc

/// Why a file cannot be read; `description` completes a sentence that begins with the file's name.
package struct FileError: Error, Equatable, CustomStringConvertible {
  package enum Kind: Equatable, Sendable {
    /// No such file or path.
    case missing
    case folder
    /// A pipe, a socket, a device.
    case notRegularFile
    case tooLarge(size: Int)
    /// Outside the folder that it was opened through.
    case outside
    /// The system denies opening it or reading it to its end.
    case unreadable
  }

  package let kind: Kind
  package let description: String
}

/// An untrusted file, opened once.
///
/// All queries use the open descriptor, so that the file cannot be replaced between check and use.
/// Opening never blocks; only regular files are accepted. Thread-safe; closed when it is freed.
package final class UntrustedFile: Sendable {
  /// The path it was opened by, for messages.
  package let path: FilePath
  /// Size in bytes when it was opened; from 0 to the limit.
  package let size: Int
  private let descriptor: FileDescriptor

  /// Non-blocking, so that a named pipe is rejected and does not block the caller.
  static let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY

  /// Opens the file at `path` for reading; throws if it has more than `limit` bytes.
  package convenience init(_ path: FilePath, limit: Int) throws(FileError) {
    try self.init(FileDescriptor.open(path, Self.flags), path, limit: limit)
  }

  /// Owns a descriptor opened with `flags`; throws unless it is a regular file of at most `limit`
  /// bytes.
  init(_ descriptor: FileDescriptor, _ path: FilePath, limit: Int) throws(FileError) {
    let status = try descriptor.status()
    switch FileKind(status) {
    case .file(let size): self.size = size
    case .folder: throw FileError(kind: .folder, description: "is a folder, not a file")
    default: throw FileError(kind: .notRegularFile, description: "is not a regular file")
    }
    guard size <= limit else {
      throw FileError(
        kind: .tooLarge(size: size), description: "the file has \(size) bytes, more than \(limit)")
    }
    self.descriptor = descriptor
    self.path = path
  }

  /// A path that opens this same file while it is open; without `/proc` the original path.
  package var reopenPath: FilePath { descriptor.procPath ?? path }

  /// The whole file; throws if it became shorter meanwhile.
  package func bytes() throws(FileError) -> [UInt8] {
    let bytes = try prefix(size)
    guard bytes.count == size else {
      throw FileError(
        kind: .unreadable, description: "the file became shorter while it was read")
    }
    return bytes
  }

  /// The first `count` bytes, or fewer at the end of the file.
  package func prefix(_ count: Int) throws(FileError) -> [UInt8] {
    try bytes(from: 0, count: count)
  }

  /// `count` bytes from byte `start` on, or fewer at the end of the file.
  package func bytes(from start: Int, count: Int) throws(FileError) -> [UInt8] {
    try descriptor.read(from: start, count: count)
  }
}
