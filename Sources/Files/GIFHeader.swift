/// The header of a GIF file (CompuServe, "GIF89a", 17 and 18).
package enum GIFHeader {
  /// The bytes that are needed.
  private static let length = 10

  /// Whether these first bytes are of a GIF that is truncated in its header or has a side of 0.
  ///
  /// Such a file must not be decoded: gst-libav 1.26 (Debian 13) aborts the process.
  package static func isBroken(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes.prefix(length))
    guard bytes.starts(with: "GIF".utf8) else { return false }
    return bytes.count < length || bytes[6] | bytes[7] == 0 || bytes[8] | bytes[9] == 0
  }

  /// As `isBroken(_:)` for the file at `path`; false if it is not a file or cannot be opened.
  package static func isBroken(_ path: FilePath) -> Bool {
    guard case .file = FileKind(path), let file = try? UntrustedFile(path, limit: .max) else {
      return false
    }
    return isBroken(file)
  }

  /// As `isBroken(_:)` for an open file.
  package static func isBroken(_ file: UntrustedFile) -> Bool {
    (try? file.prefix(length)).map { isBroken($0) } ?? false
  }
}
