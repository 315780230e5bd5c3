package import Files
import Glibc

/// A file that has another name until it is whole.
///
/// It is written beside the place it is for, so that it takes the name in one step, and never the
/// bytes of a file that is there.
package final class PartFile {
  /// Files whose names begin so are not whole; a batch clears away what a killed run left of them.
  package static let prefix = ".mien-part-"

  package let path: FilePath
  /// For whoever writes it.
  package let descriptor: Int32
  private let folder: FilePath
  /// The name that it has until it is kept.
  package let current: FilePath
  private let lock = Lock()
  private var isThere = true

  package init(for path: FilePath) throws(Problem) {
    self.path = path
    folder = path.split.folder
    var (made, name) = (Int32(-1), FilePath(""))
    for _ in 0..<100 {
      name = folder.appending(FilePath(Self.prefix + Self.letters()))
      // The kernel takes from the permissions what the umask forbids, and nobody has to ask for that: who asks
      // sets it (umask(2)), for all threads, and a file that another one makes meanwhile has other permissions.
      made = name.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
      if made >= 0 || errno != EEXIST { break }
    }
    guard made >= 0 else {
      throw .failure("nothing can be written to \(Terminal.shown(folder)): \(Terminal.reason)")
    }
    (descriptor, current) = (made, name)
  }

  /// A few that no other file has, most likely.
  private static func letters() -> String {
    String((0..<10).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement()! })
  }

  deinit {
    discard()
    close(descriptor)
  }

  /// Brings it to the disk and gives it its name, in place of a file that has it.
  package func keep() throws(Problem) {
    try sync(path)
    guard take({ current.withCString { old in path.withCString { Glibc.rename(old, $0) } } == 0 })
    else {
      throw .failure("\(Terminal.shown(path)): \(Terminal.reason)")
    }
    syncFolder()
  }

  /// The same under a name that no file has, which it returns; `name` is asked until there is one.
  package func keep(as name: () -> FilePath) throws(Problem) -> FilePath {
    var path = name()
    try sync(path)
    for _ in 0..<100 {
      if take({ Self.rename(current, unlessTaken: path) }) {
        syncFolder()
        return path
      }
      guard errno == EEXIST else { break }
      path = name()
    }
    throw .failure("\(Terminal.shown(path)): \(Terminal.reason)")
  }

  private func sync(_ path: FilePath) throws(Problem) {
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw .failure("\(Terminal.shown(path)): \(Terminal.reason)")
    }
  }

  /// A name is on the disk only when its folder is.
  private func syncFolder() {
    let opened = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { return }
    fsync(opened)
    close(opened)
  }

  /// Whether it has its name now; where not, errno says why.
  private func take(_ rename: () -> Bool) -> Bool {
    lock {
      errno = ENOENT
      guard isThere, rename() else { return false }
      isThere = false
      return true
    }
  }

  private static func rename(_ old: FilePath, unlessTaken new: FilePath) -> Bool {
    old.withCString { old in
      new.withCString { new in
        // A link replaces nothing.
        if link(old, new) == 0 {
          unlink(old)
          return true
        }
        // Not every file system has them: FAT has not.
        guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { return false }
        errno = EEXIST
        return access(new, F_OK) != 0 && Glibc.rename(old, new) == 0
      }
    }
  }

  // MARK: What is in it

  /// In bytes.
  package var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Bytes from a place on; fewer where it ends.
  package func bytes(at place: Int, _ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.removeLast(count - max(0, pread(descriptor, &bytes, count, place)))
    return bytes
  }

  /// Leaves so many bytes of it; false where that cannot be.
  package func cut(to length: Int) -> Bool { ftruncate(descriptor, length) == 0 }

  /// Removes it, unless it was kept; from any thread.
  package func discard() {
    lock {
      if isThere { _ = current.withCString { unlink($0) } }
      isThere = false
    }
  }
}

/// Which file a path leads to, whatever its names are.
package struct FileIdentity: Equatable {
  private let device: UInt
  private let number: UInt

  /// Nil where there is none.
  package init?(_ path: FilePath) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    device = UInt(status.st_dev)
    number = UInt(status.st_ino)
  }
}
