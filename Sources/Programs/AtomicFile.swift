package import Files
import Glibc

/// A file that is written under a temporary name and renamed when it is complete.
///
/// The temporary file is in the folder of the final one, so that the rename is atomic.
package final class AtomicFile {
  /// Temporary names begin so; a batch removes those that a killed run left.
  package static let prefix = ".mien-part-"

  /// The final path.
  package let path: FilePath
  /// Open for reading and writing.
  package let descriptor: Int32
  private let folder: FilePath
  package let temporaryPath: FilePath
  private let lock = RecursiveLock()
  private var exists = true

  /// `tag`: the temporary name begins with it, after the prefix.
  package init(for path: FilePath, tag: String = "") throws(ProgramError) {
    self.path = path
    folder = path.split.folder
    var (made, name) = (Int32(-1), FilePath(""))
    for _ in 0..<100 {
      name = folder.appending(FilePath(Self.prefix + tag + Self.randomLetters()))
      // The kernel applies the umask. To read it the process would have to set it, for all threads.
      made = name.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
      if made >= 0 || errno != EEXIST { break }
    }
    guard made >= 0 else {
      throw .failure(
        "nothing can be written to \(Terminal.printable(folder)): \(Terminal.errnoText)")
    }
    (descriptor, temporaryPath) = (made, name)
  }

  /// A random suffix.
  private static func randomLetters() -> String {
    String((0..<10).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement()! })
  }

  deinit {
    discard()
    close(descriptor)
  }

  /// Flushes the file to the disk and renames it, replacing an existing file.
  package func commit() throws(ProgramError) {
    try sync(path)
    guard
      renameOnce({
        temporaryPath.withCString { old in path.withCString { Glibc.rename(old, $0) } } == 0
      })
    else {
      throw .failure("\(Terminal.printable(path)): \(Terminal.errnoText)")
    }
    syncFolder()
  }

  /// Flushes and renames to a path that does not exist, which it returns; `name` is called until it
  /// gives one.
  package func commit(as name: () -> FilePath) throws(ProgramError) -> FilePath {
    var path = name()
    try sync(path)
    for _ in 0..<100 {
      if renameOnce({ Self.rename(temporaryPath, unlessTaken: path) }) {
        syncFolder()
        return path
      }
      guard errno == EEXIST else { break }
      path = name()
    }
    throw .failure("\(Terminal.printable(path)): \(Terminal.errnoText)")
  }

  /// Flushes and renames to `path`; false where a file with that name exists.
  package func commitUnlessTaken() throws(ProgramError) -> Bool {
    try sync(path)
    if renameOnce({ Self.rename(temporaryPath, unlessTaken: path) }) {
      syncFolder()
      return true
    }
    guard errno == EEXIST else {
      throw .failure("\(Terminal.printable(path)): \(Terminal.errnoText)")
    }
    return false
  }

  private func sync(_ path: FilePath) throws(ProgramError) {
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw .failure("\(Terminal.printable(path)): \(Terminal.errnoText)")
    }
  }

  /// A rename is durable only when the folder is flushed too.
  private func syncFolder() {
    let opened = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { return }
    fsync(opened)
    close(opened)
  }

  /// Whether the rename succeeds; otherwise errno has the reason.
  private func renameOnce(_ rename: () -> Bool) -> Bool {
    lock {
      errno = ENOENT
      guard exists, rename() else { return false }
      exists = false
      return true
    }
  }

  private static func rename(_ old: FilePath, unlessTaken new: FilePath) -> Bool {
    old.withCString { old in
      new.withCString { new in
        // link(2) fails where the name exists.
        // Over NFS it may have worked although it reports that.
        if link(old, new) == 0 || errno == EEXIST && isSameFile(old, new) {
          unlink(old)
          return true
        }
        // Some file systems have no hard links: FAT, for example.
        guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { return false }
        errno = EEXIST
        return access(new, F_OK) != 0 && Glibc.rename(old, new) == 0
      }
    }
  }

  private static func isSameFile(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> Bool {
    defer { errno = EEXIST }
    let identities = (FileIdentity(FilePath(old)), FileIdentity(FilePath(new)))
    return identities.0 != nil && identities.0 == identities.1
  }

  // MARK: Contents

  /// In bytes.
  package var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Up to `count` bytes at an offset; fewer at the end of the file.
  package func bytes(at offset: Int, _ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.removeLast(count - max(0, pread(descriptor, &bytes, count, offset)))
    return bytes
  }

  /// Truncates the file; false where that fails.
  package func truncate(to length: Int) -> Bool { ftruncate(descriptor, length) == 0 }

  /// Removes the temporary file, unless it was committed; for any thread.
  package func discard() {
    lock {
      if exists { _ = temporaryPath.withCString { unlink($0) } }
      exists = false
    }
  }
}

/// Identifies a file independently of its names.
package struct FileIdentity: Equatable {
  private let device: UInt
  private let number: UInt

  /// Nil where no file exists.
  package init?(_ path: FilePath) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
  }
}
