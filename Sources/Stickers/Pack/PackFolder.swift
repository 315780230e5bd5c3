import Files
import Glibc

/// A pack's folder: finds files in it, and nothing outside.
struct PackFolder {
  /// As the user gave it, for messages.
  let path: String
  /// With every link followed.
  private let root: String

  /// Most entries of a folder that are looked at.
  static let maximumEntries = 100_000

  init?(_ path: String) {
    guard let root = Self.resolved(path), FileKind(root) == .folder else { return nil }
    self.path = path
    self.root = root
  }

  /// The path of `name` inside the pack, or why it may not be used.
  func inside(_ name: String) -> Result<String, JSONProblem> {
    func refused(_ reason: String) -> Result<String, JSONProblem> {
      .failure(JSONProblem(reason))
    }
    guard !name.isEmpty else { return refused("is empty") }
    guard name.utf8.count <= 1024, !name.utf8.contains(0) else { return refused("is no file name") }
    guard name.utf8.first != UInt8(ascii: "/") else {
      return refused("is an absolute path; files must lie in the pack")
    }
    guard !name.split(separator: "/").contains("..") else {
      return refused("leads out of the pack by \"..\"")
    }
    let joined = path + "/" + name
    guard let real = Self.resolved(joined) else { return refused("\(joined) does not exist") }
    guard real == root || real.hasPrefix(root == "/" ? "/" : root + "/") else {
      return refused("\(joined) is a link that leads out of the pack")
    }
    return .success(joined)
  }

  /// Names of the pictures in a folder of the pack, numbers in them compared as numbers.
  static func pictures(in folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    var seen = 0
    while seen < maximumEntries, let entry = unsafe readdir(directory) {
      seen += 1
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if !name.hasPrefix("."), isPicture(name) { names.append(name) }
    }
    let ordered = names.map { (name: $0, order: order(of: $0)) }.sorted { a, b in
      // 1.png and 01.png: some order, always the same.
      a.order == b.order
        ? a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
        : a.order.lexicographicallyPrecedes(b.order)
    }
    return ordered.map(\.name)
  }

  private static let endings = [
    ".png", ".apng", ".jpg", ".jpeg", ".webp", ".gif", ".svg", ".bmp", ".tif", ".tiff", ".avif",
    ".jxl",
  ]

  private static func isPicture(_ name: String) -> Bool {
    let lower = name.lowercased()
    return endings.contains { lower.hasSuffix($0) }
  }

  /// What names are ordered by: their bytes, but runs of digits by how long they are without
  /// leading zeros, and then by those digits.
  private static func order(of name: String) -> [UInt8] {
    let zero = UInt8(ascii: "0")
    func isDigit(_ byte: UInt8) -> Bool { (zero...zero + 9).contains(byte) }
    var order: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.first {
      let number = rest.prefix(while: isDigit).drop { $0 == zero }
      // No name has more than 255 bytes.
      order += isDigit(byte) ? [zero, UInt8(clamping: number.count)] + number : [byte]
      rest = isDigit(byte) ? rest.drop(while: isDigit) : rest.dropFirst()
    }
    return order
  }

  /// The path with every link followed, or nil where there is nothing.
  private static func resolved(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
