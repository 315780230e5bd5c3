import Glibc

/// A number that the system knows something open by, closed with this.
final class Descriptor: Sendable {
  let number: CInt

  /// Takes over what a call returned, or throws why it failed.
  private init(_ number: CInt) throws(FileProblem) {
    guard number >= 0 else { throw .system() }
    self.number = number
  }

  deinit { close(number) }

  /// Opens what the path leads to.
  static func open(_ path: FilePath, _ flags: CInt) throws(FileProblem) -> Descriptor {
    try path.check()
    return try Descriptor(unsafe path.withCString { unsafe Glibc.open($0, flags | O_CLOEXEC) })
  }

  /// Opens what is called `name` in this folder.
  func open(_ name: FilePath, _ flags: CInt) throws(FileProblem) -> Descriptor {
    try Descriptor(unsafe name.withCString { unsafe openat(number, $0, flags | O_CLOEXEC) })
  }

  /// Where `name` in this folder points when it is a link.
  func link(_ name: FilePath) -> FilePath? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe name.withCString {
      unsafe readlinkat(number, $0, &target, target.count)
    }
    guard count > 0, count < target.count else { return nil }
    return FilePath(bytes: target[..<count].map { UInt8(bitPattern: $0) })
  }

  func status() throws(FileProblem) -> stat {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw .system() }
    return status
  }

  /// The names of all that lies in this folder, once; nil when they are more than `limit`.
  func names(atMost limit: Int) throws(FileProblem) -> [FilePath]? {
    // Closed with the listing.
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .system() }
    guard let listing = unsafe fdopendir(copy) else {
      close(copy)
      throw .system()
    }
    defer { unsafe closedir(listing) }
    var names: [FilePath] = []
    while let entry = unsafe readdir(listing) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe FilePath($0) }
      }
      guard name != ".", name != ".." else { continue }
      guard names.count < limit else { return nil }
      names.append(name)
    }
    return names
  }
}
