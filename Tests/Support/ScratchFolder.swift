import CGStreamer

#if canImport(Glibc)
  import Glibc
#endif

/// A folder of a test's own, removed with all in it when the value goes.
///
/// Where none can be made its path names nothing, so that what is to be read from it fails.
package final class ScratchFolder {
  package let path: String

  package init() {
    let made = g_dir_make_tmp("mien-XXXXXX", nil)
    defer { g_free(made) }
    path = made.map { String(cString: $0) } ?? "/nonexistent"
  }

  deinit { _ = try? Command(["rm", "-rf", path]) }

  /// Writes a file, in a folder of it that exists, and returns its path.
  @discardableResult
  package func write(_ name: String, _ bytes: [UInt8]) -> String {
    let file = path + "/" + name
    // A new one each time, which whoever remembers files by what they are takes for another.
    remove(file)
    guard let stream = fopen(file, "wb") else { return file }
    defer { fclose(stream) }
    _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
    return file
  }

  /// The bytes of a file anywhere; none where it cannot be read.
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
