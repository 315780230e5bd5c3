import Glibc

extension TFLiteModel {
  /// Reads a model file; the error names the path and says why.
  package init(path: String) throws(ModelError) {
    do {
      try self.init(bytes: Self.read(path), name: path)
    } catch {
      throw ModelError("\(path): \(error)")
    }
  }

  private static func read(_ path: String) throws(ModelError) -> [UInt8] {
    // A NUL would cut the path short and open another file.
    guard !path.utf8.contains(0) else { throw ModelError("the path contains a NUL") }
    // Not blocking, so that a named pipe is refused below and does not hang the caller.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw systemError() }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw systemError() }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ModelError(
        status.st_mode & S_IFMT == S_IFDIR ? "is a folder, not a file" : "is not a regular file")
    }
    let size = Int(status.st_size)
    guard size > 0 else { throw ModelError("the file is empty") }
    guard size <= Ceiling.fileBytes else {
      throw ModelError("the file has \(size) bytes, more than \(Ceiling.fileBytes)")
    }
    var bytes = [UInt8](repeating: 0, count: size)
    var filled = 0
    while filled < size {
      let got = unsafe bytes.withUnsafeMutableBytes { memory in
        unsafe Glibc.read(descriptor, memory.baseAddress! + filled, size - filled)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw systemError() }
      guard got > 0 else { throw ModelError("the file became shorter while it was read") }
      filled += got
    }
    return bytes
  }

  /// The C library's reason for the call that has just failed.
  private static func systemError() -> ModelError {
    let code = errno
    guard let text = unsafe strerror(code) else { return ModelError("error \(code)") }
    return ModelError(unsafe String(cString: text))
  }
}
