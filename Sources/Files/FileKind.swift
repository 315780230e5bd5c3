import Glibc

/// What a path leads to, every link followed.
package enum FileKind: Equatable, Sendable {
  case folder, file(size: Int), other, nothing

  package init(_ path: FilePath) {
    var status = stat()
    let isThere = unsafe path.withCString { unsafe stat($0, &status) } == 0
    self = isThere ? FileKind(status) : .nothing
  }

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: self = .folder
    case S_IFREG: self = .file(size: max(Int(status.st_size), 0))
    default: self = .other
    }
  }
}

/// When a file was last changed, as far as it takes to notice that it was.
package struct FileAge: Hashable, Sendable {
  /// Second, nanosecond and bytes; number of the file and of the device it lies on.
  private let numbers: SIMD8<UInt64>?

  /// All that is missing is of the same age.
  package init(_ path: FilePath) {
    var status = stat()
    let isThere = unsafe path.withCString { unsafe stat($0, &status) } == 0
    self.init(isThere ? status : nil)
  }

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
