import Glibc

/// What a path leads to, every link followed.
package enum FileKind: Equatable, Sendable {
  case folder, file(size: Int), other, nothing

  package init(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      self = .nothing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: self = .folder
    case S_IFREG: self = .file(size: Int(status.st_size))
    default: self = .other
    }
  }

  /// Whether there is anything at `path`.
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}

/// When a file was last changed, as far as it takes to notice that it was.
package struct FileAge: Hashable, Sendable {
  private let numbers: [Int]

  /// Of a folder that of its `meta.json`; all that is missing is of the same age.
  package init(_ path: String) {
    var status = stat()
    var isThere = unsafe stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT == S_IFDIR {
      isThere = unsafe stat(path + "/meta.json", &status) == 0
    }
    numbers =
      isThere
      ? [
        status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_size),
        Int(truncatingIfNeeded: status.st_ino),
      ] : []
  }
}
