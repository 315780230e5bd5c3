import Glibc

/// A POSIX file descriptor, closed when the object is freed; the module's system calls are here.
final class FileDescriptor: Sendable {
  let number: CInt

  /// Owns a descriptor that a system call returned; throws its error if it failed.
  private init(_ number: CInt) throws(FileError) {
    guard number >= 0 else { throw .fromErrno() }
    self.number = number
  }

  deinit { close(number) }

  /// Opens the file or folder at `path`.
  static func open(_ path: FilePath, _ flags: CInt) throws(FileError) -> FileDescriptor {
    try path.rejectNUL()
    return try FileDescriptor(unsafe path.withCString { unsafe Glibc.open($0, flags | O_CLOEXEC) })
  }

  /// Opens `name` in this folder.
  func open(_ name: FilePath, _ flags: CInt) throws(FileError) -> FileDescriptor {
    try FileDescriptor(unsafe name.withCString { unsafe openat(number, $0, flags | O_CLOEXEC) })
  }

  /// The target of the symbolic link `name` in this folder; nil if it is not one.
  func linkTarget(_ name: FilePath) -> FilePath? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe name.withCString {
      unsafe readlinkat(number, $0, &target, target.count)
    }
    guard count > 0, count < target.count else { return nil }
    return FilePath(bytes: target[..<count].map { UInt8(bitPattern: $0) })
  }

  func status() throws(FileError) -> stat {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw .fromErrno() }
    return status
  }

  /// The status of the file at `path`, with symbolic links followed; nil if there is none.
  static func status(of path: FilePath) -> stat? {
    var status = stat()
    return unsafe path.withCString { unsafe stat($0, &status) } == 0 ? status : nil
  }

  /// `count` bytes from byte `start` on, or fewer at the end of the file.
  func read(from start: Int, count: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = unsafe bytes.withUnsafeMutableBytes { memory in
        unsafe pread(number, memory.baseAddress! + filled, count - filled, start + filled)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw .fromErrno() }
      if got == 0 { break }
      filled += got
    }
    return Array(bytes.prefix(filled))
  }

  /// A path that opens this same file while it is open; nil without `/proc`.
  var procPath: FilePath? {
    let path = FilePath("/proc/self/fd/\(number)")
    return unsafe path.withCString { unsafe access($0, R_OK) } == 0 ? path : nil
  }

  /// The names of the folder's entries, read once; nil if there are more than `limit`.
  func entryNames(atMost limit: Int) throws(FileError) -> [FilePath]? {
    // `closedir` closes the copy.
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .fromErrno() }
    guard let listing = unsafe fdopendir(copy) else {
      close(copy)
      throw .fromErrno()
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

extension FileError {
  /// The error of the system call that has just failed, from `errno`.
  static func fromErrno() -> FileError {
    let code = errno
    let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    let isMissing = code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG
    return FileError(kind: isMissing ? .missing : .unreadable, description: text)
  }
}
