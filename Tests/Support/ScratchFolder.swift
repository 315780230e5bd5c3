import CGStreamer

#if canImport(Glibc)
  import Glibc
#endif

/// A temporary folder, deleted with its contents when the object is freed.
///
/// If it cannot be created, its path does not exist, so that reads from it fail.
package final class ScratchFolder {
  package let path: String

  package init() {
    let made = g_dir_make_tmp("mien-XXXXXX", nil)
    defer { g_free(made) }
    path = made.map { String(cString: $0) } ?? "/nonexistent"
  }

  deinit { _ = try? Command(["rm", "-rf", path]) }

  /// Writes a file in the folder, or in an existing subfolder; returns its path.
  @discardableResult
  package func write(_ name: String, _ bytes: [UInt8]) -> String {
    let file = path + "/" + name
    // Replaces the file instead of its contents, so that caches keyed by inode see a new file.
    remove(file)
    guard let stream = fopen(file, "wb") else { return file }
    defer { fclose(stream) }
    _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
    return file
  }

  /// The bytes of any file; empty if it cannot be read.
  package static func bytes(_ path: String) -> [UInt8] {
    var data: UnsafeMutablePointer<gchar>?
    var size: gsize = 0
    guard g_file_get_contents(path, &data, &size, nil) != 0, let data else { return [] }
    defer { g_free(data) }
    return data.withMemoryRebound(to: UInt8.self, capacity: Int(size)) {
      Array(UnsafeBufferPointer(start: $0, count: Int(size)))
    }
  }
}
