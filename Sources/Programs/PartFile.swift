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
    // What follows the prefix is replaced by letters that no other file there has (mkstemp(3)).
    var name = folder.appending(FilePath(Self.prefix + "XXXXXX")).bytes.map {
      CChar(bitPattern: $0)
    }
    name.append(0)
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else {
      throw .failure("nothing can be written to \(Terminal.shown(folder)): \(Terminal.reason)")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    current = name.withUnsafeBufferPointer { FilePath($0.baseAddress!) }
  }

  deinit {
    discard()
    close(descriptor)
  }

  /// Brings it to the disk and gives it its name.
  package func keep() throws(Problem) {
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, 0o666 & ~mask)
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw .failure("\(Terminal.shown(path)): \(Terminal.reason)")
    }
    let isKept = lock {
      let isKept =
        isThere && current.withCString { old in path.withCString { rename(old, $0) } } == 0
      if isKept { isThere = false }
      return isKept
    }
    guard isKept else { throw .failure("\(Terminal.shown(path)): \(Terminal.reason)") }
    // A name is on the disk only when its folder is.
    let opened = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { return }
    fsync(opened)
    close(opened)
  }

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
