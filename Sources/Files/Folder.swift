import Glibc

/// A folder that may be anybody's: what lies in it is found and opened by way of this folder as it
/// was opened, and nothing outside of it ever.
///
/// Links are followed by hand, one part of a path after the other, as long as they stay inside, so
/// that nobody can swap one between a check and its use. For any thread.
package final class Folder: Sendable, Equatable {
  /// As it was asked for, for messages.
  package let path: FilePath
  private let descriptor: Descriptor

  /// Names a thing without opening it; `O_PATH` of Linux, which glibc shows to C with its own
  /// extensions only.
  private static let named: CInt = 0o10_000_000
  /// Most links that a path may lead over, as many as Linux follows.
  private static let maximumLinks = 40

  /// Opens the folder at `path`, which may itself be a link.
  package init(_ path: FilePath) throws(FileProblem) {
    descriptor = try .open(path, O_RDONLY | O_DIRECTORY)
    self.path = path
  }

  /// Opens a file of the folder for reading; one of more than `limit` bytes is refused.
  package func file(_ name: FilePath, limit: Int) throws(FileProblem) -> HostileFile {
    try HostileFile(find(name, HostileFile.flags), path.appending(name), limit: limit)
  }

  package func kind(_ name: FilePath) throws(FileProblem) -> FileKind {
    FileKind(try find(name, Self.named).status())
  }

  /// When a file of the folder was last changed; all that cannot be had is of the same age.
  package func age(_ name: FilePath) -> FileAge {
    FileAge(try? find(name, Self.named).status())
  }

  /// The names of all that lies in a folder of this one; nil when they are more than `limit`.
  package func names(in name: FilePath, atMost limit: Int) throws(FileProblem) -> [FilePath]? {
    try find(name, O_RDONLY | O_DIRECTORY).names(atMost: limit)
  }

  /// Opens what `name` leads to inside this folder.
  private func find(_ name: FilePath, _ flags: CInt) throws(FileProblem) -> Descriptor {
    try name.check()
    guard !name.isAbsolute else { throw Self.outside }
    var parts = name.parts[...]
    var folders = [descriptor]
    var links = 0
    while let part = parts.popFirst() {
      if part == "." { continue }
      if part == ".." {
        guard folders.count > 1 else { throw Self.outside }
        folders.removeLast()
        continue
      }
      let folder = folders[folders.count - 1]
      guard let target = folder.link(part) else {
        let found = try folder.open(
          part, O_NOFOLLOW | (parts.isEmpty ? flags : Self.named | O_DIRECTORY))
        if parts.isEmpty { return found }
        folders.append(found)
        continue
      }
      links += 1
      guard !target.isAbsolute else { throw Self.outside }
      guard links <= Self.maximumLinks else {
        throw FileProblem(kind: .missing, description: "is a link that leads round in a circle")
      }
      parts = target.parts + parts
    }
    // The last part was one of the dots.
    return try folders[folders.count - 1].open(".", flags)
  }

  /// Whether both were opened by the same path.
  package static func == (a: Folder, b: Folder) -> Bool { a.path == b.path }

  private static let outside = FileProblem(
    kind: .outside, description: "is a link that leads out of the folder")
}
