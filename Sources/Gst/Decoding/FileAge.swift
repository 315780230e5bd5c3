#if canImport(Glibc)
  import Glibc
#endif

/// When a file was last changed, as far as it takes to notice that it was.
package enum FileAge {
  /// Whether there is anything at `path`.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// A text that differs after a change; of a folder that of its `meta.json`.
  ///
  /// Empty for nothing.
  package static func text(_ path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "" }
    if status.st_mode & S_IFMT == S_IFDIR { return text(path + "/meta.json") }
    return "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_size) \(status.st_ino)"
  }
}
