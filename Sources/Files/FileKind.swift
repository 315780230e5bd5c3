import Glibc

/// The kind of the file at a path, with symbolic links followed.
package enum FileKind: Equatable, Sendable {
  case folder, file(size: Int), other, nothing

  package init(_ path: FilePath) {
    self = FileDescriptor.status(of: path).map { FileKind($0) } ?? .nothing
  }

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: self = .folder
    case S_IFREG: self = .file(size: max(Int(status.st_size), 0))
    default: self = .other
    }
  }
}

/// A fingerprint of a file's version: it differs after the file was changed or replaced.
package struct FileVersion: Hashable, Sendable {
  /// Modification time in seconds and nanoseconds, size, inode and device.
  private let numbers: SIMD8<UInt64>?

  /// All missing files have the same version.
  package init(_ path: FilePath) { self.init(FileDescriptor.status(of: path)) }

  init(_ status: stat?) {
    numbers =
      status.map {
        [
          UInt64(truncatingIfNeeded: $0.st_mtim.tv_sec),
          UInt64(truncatingIfNeeded: $0.st_mtim.tv_nsec),
          UInt64(truncatingIfNeeded: $0.st_size), UInt64(truncatingIfNeeded: $0.st_ino),
          UInt64(truncatingIfNeeded: $0.st_dev), 0, 0, 0,
        ]
      }
  }
}
