/// The header of a GIF file (CompuServe, "GIF89a", 17 and 18).
package enum GIFHeader {
  /// Bytes that it takes.
  private static let length = 10

  /// Whether a file that begins with these bytes is called a GIF, and ends in its header or has no
  /// area.
  ///
  /// It cannot be decoded, and must not be tried: gst-libav 1.26, Debian 13's, ends the process on it.
  package static func isBroken(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes.prefix(length))
    guard bytes.starts(with: "GIF".utf8) else { return false }
    return bytes.count < length || bytes[6] | bytes[7] == 0 || bytes[8] | bytes[9] == 0
  }

  /// The same of the file at a path; what is no file, or cannot be opened, is not called a GIF.
  package static func isBroken(_ path: FilePath) -> Bool {
    guard case .file = FileKind(path), let file = try? HostileFile(path, limit: .max) else {
      return false
    }
    return isBroken(file)
  }

  /// The same of a file that is open.
  package static func isBroken(_ file: HostileFile) -> Bool {
    (try? file.first(length)).map { isBroken($0) } ?? false
  }
}
