import Glibc

/// The path of a file: bytes without NUL, which need not be valid text.
///
/// Paths come from properties, folders and manifests. `description` is for messages: it replaces
/// what is not UTF-8. Files are opened by the bytes.
package struct FilePath: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// Without the NUL.
  package let bytes: [UInt8]

  package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  package init(_ text: String) { self.init(bytes: text.utf8) }

  package init(stringLiteral text: String) { self.init(text) }

  /// A copy of the C string.
  package init(_ name: UnsafePointer<CChar>) {
    unsafe bytes = Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }

  package var description: String { String(decoding: bytes, as: UTF8.self) }

  package var isEmpty: Bool { bytes.isEmpty }

  package var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

  /// Throws if the path contains a NUL, which would cut it short in a system call.
  func rejectNUL() throws(FileError) {
    guard !bytes.contains(0) else {
      throw FileError(kind: .missing, description: "the path contains a NUL")
    }
  }

  /// The path of `name` in this folder.
  package func appending(_ name: FilePath) -> FilePath {
    FilePath(bytes: bytes + [UInt8(ascii: "/")] + name.bytes)
  }

  /// The folder, possibly ".", and the name in it.
  package var split: (folder: FilePath, name: FilePath) {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (".", self) }
    let folder = slash == 0 ? "/" : FilePath(bytes: bytes[..<slash])
    return (folder, FilePath(bytes: bytes[(slash + 1)...]))
  }

  /// The components between the slashes.
  var components: [FilePath] {
    bytes.split(separator: UInt8(ascii: "/")).map { FilePath(bytes: $0) }
  }

  /// Whether the path ends with `ending`, in lower case; ASCII case is ignored.
  package func hasSuffix(_ ending: String) -> Bool {
    bytes.suffix(ending.utf8.count).map { (65...90).contains($0) ? $0 + 32 : $0 }
      .elementsEqual(ending.utf8)
  }

  /// Calls `body` with the path as a C string.
  package func withCString<R, E>(_ body: (UnsafePointer<CChar>) throws(E) -> R) throws(E) -> R {
    let text = (bytes + [0]).map { CChar(bitPattern: $0) }
    return try unsafe text.withUnsafeBufferPointer { (buffer) throws(E) in
      try unsafe body(buffer.baseAddress!)
    }
  }
}
