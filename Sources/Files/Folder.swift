import Glibc

/// An untrusted folder: files are opened relative to the open folder, and never outside of it.
///
/// Paths are resolved component by component with `openat`, and symbolic links are followed only
/// inside the folder, so that a link swapped between check and use cannot escape. Thread-safe.
package final class Folder: Sendable, Equatable {
  /// The path it was opened by, for messages.
  package let path: FilePath
  private let descriptor: FileDescriptor

  /// Linux's `O_PATH`, a descriptor without access to the contents; glibc declares it only with its
  /// extensions.
  private static let pathOnly: CInt = 0o10_000_000
  /// The maximum number of symbolic links in a path, Linux's own limit.
  private static let maximumLinks = 40

  /// Opens the folder at `path`, which may be a symbolic link.
  package init(_ path: FilePath) throws(FileError) {
    descriptor = try .open(path, O_RDONLY | O_DIRECTORY)
    self.path = path
  }

  /// Opens a file of the folder for reading; throws if it has more than `limit` bytes.
  package func openFile(_ name: FilePath, limit: Int) throws(FileError) -> UntrustedFile {
    try UntrustedFile(openResolved(name, UntrustedFile.flags), path.appending(name), limit: limit)
  }

  package func kind(of name: FilePath) throws(FileError) -> FileKind {
    FileKind(try openResolved(name, Self.pathOnly).status())
  }

  /// The version of a file of the folder; all inaccessible files have the same.
  package func version(of name: FilePath) -> FileVersion {
    FileVersion(try? openResolved(name, Self.pathOnly).status())
  }

  /// The names of the entries of a subfolder; nil if there are more than `limit`.
  package func entryNames(in name: FilePath, atMost limit: Int) throws(FileError) -> [FilePath]? {
    try openResolved(name, O_RDONLY | O_DIRECTORY).entryNames(atMost: limit)
  }

  /// Opens the file that `name` resolves to inside this folder.
  private func openResolved(_ name: FilePath, _ flags: CInt) throws(FileError) -> FileDescriptor {
    try name.rejectNUL()
    guard !name.isAbsolute else { throw Self.outside }
    var components = name.components[...]
    var folders = [descriptor]
    var links = 0
    while let component = components.popFirst() {
      if component == "." { continue }
      if component == ".." {
        guard folders.count > 1 else { throw Self.outside }
        folders.removeLast()
        continue
      }
      let folder = folders[folders.count - 1]
      guard let target = folder.linkTarget(component) else {
        let found = try folder.open(
          component, O_NOFOLLOW | (components.isEmpty ? flags : Self.pathOnly | O_DIRECTORY))
        if components.isEmpty { return found }
        folders.append(found)
        continue
      }
      links += 1
      guard !target.isAbsolute else { throw Self.outside }
      guard links <= Self.maximumLinks else {
        throw FileError(kind: .missing, description: "is a link that leads round in a circle")
      }
      components = target.components + components
    }
    // The last component was "." or "..".
    return try folders[folders.count - 1].open(".", flags)
  }

  /// Whether both were opened by the same path.
  package static func == (a: Folder, b: Folder) -> Bool { a.path == b.path }

  private static let outside = FileError(
    kind: .outside, description: "is a link that leads out of the folder")
}
