import Support

#if canImport(Glibc)
  import Glibc
#endif

/// The committed seed inputs.
enum Corpus {
  /// The inputs of a target, sorted by file name.
  static func inputs(of name: String) -> [[UInt8]] {
    let folder = "Tests/Fuzz/corpus/" + name
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted().map { ScratchFolder.bytes(folder + "/" + $0) }
  }

  static func write(_ input: [UInt8], to path: String) {
    guard let file = fopen(path, "wb") else { return }
    defer { fclose(file) }
    _ = input.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
  }
}
