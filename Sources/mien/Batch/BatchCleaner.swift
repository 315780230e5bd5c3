import Files
import Glibc
import Programs

/// Removes what killed batches left in the folder of outputs: temporary files and claims.
enum BatchCleaner {
  /// Seconds after which a temporary file of unknown origin is removed.
  private static let patience = 600

  /// Removes leftovers in a folder and its subfolders; what living processes use is kept.
  static func removeLeftovers(in folder: FilePath) {
    forEachEntry(of: folder) { name, path, status in
      if status.st_mode & S_IFMT == S_IFDIR { removeLeftovers(in: path) }
      guard status.st_mode & S_IFMT == S_IFREG else { return }
      if starts(name, FilmClaim.prefix) { FilmClaim.removeIfDead(path) }
      guard starts(name, AtomicFile.prefix) else { return }
      let rest = name.description.dropFirst(AtomicFile.prefix.count)
      if rest.count > 17, rest.dropFirst(16).first == "-" {
        guard !FilmClaim.isHeld(String(rest.prefix(16)), in: folder) else { return }
      } else {
        guard time(nil) - status.st_mtim.tv_sec > patience else { return }
      }
      _ = path.withCString { unlink($0) }
    }
  }

  /// Removes the temporary files of a film that this process has claimed.
  static func removeParts(of film: FilePath, in folder: FilePath) {
    forEachEntry(of: folder) { name, path, _ in
      if starts(name, AtomicFile.prefix + BatchPaths.tag(film)) {
        _ = path.withCString { unlink($0) }
      }
    }
  }

  private static func starts(_ name: FilePath, _ prefix: String) -> Bool {
    name.bytes.starts(with: Array(prefix.utf8))
  }

  private static func forEachEntry(
    of folder: FilePath, _ body: (_ name: FilePath, _ path: FilePath, stat) -> Void
  ) {
    guard let listing = folder.withCString(opendir) else { return }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = entry.fileName
      guard name != ".", name != ".." else { continue }
      let path = folder.appending(name)
      var status = stat()
      guard path.withCString({ lstat($0, &status) }) == 0 else { continue }
      body(name, path, status)
    }
  }
}
