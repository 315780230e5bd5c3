import Files
import Threads

/// A pack's folder while its manifest is read: finds what that names, and nothing outside.
///
/// A folder is listed once however often the manifest names it, and the number of entries read is bounded
/// for all items together.
final class PackFolder {
  /// Most entries of folders that are looked at.
  static let maximumEntries = 65_536
  /// Most pictures of all items together.
  static let maximumPictures = 65_536

  let folder: Folder
  private let order: CancellationToken
  /// Of each folder its pictures in order, or why there are none.
  private var lists: [String: Result<[FilePath], JSONProblem>] = [:]
  /// How many of them were looked at.
  private var checked: [String: Int] = [:]
  private var entriesLeft = maximumEntries
  private var picturesLeft = maximumPictures

  init(_ folder: Folder, _ order: CancellationToken) {
    self.folder = folder
    self.order = order
  }

  /// The path of what `name` names, for messages.
  func shown(_ name: FilePath) -> String { folder.path.appending(name).description }

  /// What `name` leads to inside the pack, or why it may not be used.
  func kind(_ name: String) throws(JSONProblem) -> FileKind {
    guard !name.isEmpty else { throw JSONProblem("is empty") }
    guard name.utf8.count <= 1024, !name.utf8.contains(0) else {
      throw JSONProblem("is not a file name")
    }
    guard name.utf8.first != UInt8(ascii: "/") else {
      throw JSONProblem("is an absolute path; files must be inside the pack")
    }
    guard !name.split(separator: "/").contains("..") else {
      throw JSONProblem("leaves the pack by \"..\"")
    }
    return try kind(FilePath(name))
  }

  private func kind(_ name: FilePath) throws(JSONProblem) -> FileKind {
    do throws(FileError) {
      return try folder.kind(name)
    } catch {
      switch error.kind {
      case .missing: throw JSONProblem("\(shown(name)) does not exist")
      case .outside: throw JSONProblem("\(shown(name)) is a link to a file outside the pack")
      default: throw JSONProblem("\(shown(name)) cannot be read: \(error)")
      }
    }
  }

  /// Throws unless `name` is a file that is not empty.
  func checkFile(_ name: FilePath, _ kind: FileKind) throws(JSONProblem) {
    guard case .file(let size) = kind else { throw JSONProblem("\(shown(name)) is not a file") }
    guard size > 0 else { throw JSONProblem("\(shown(name)) is empty") }
  }

  /// The first `count` pictures in a folder of the pack, numbers in names compared as numbers, and
  /// how many there are; where those are fewer it is all of them.
  func pictures(
    in name: String, count: Int
  ) throws(JSONProblem) -> (files: [FilePath], found: Int) {
    let list = lists[name] ?? Result { () throws(JSONProblem) in try self.list(name) }
    lists[name] = list
    let pictures = try list.get()
    let files = pictures.prefix(count)
    guard files.count <= picturesLeft else {
      throw JSONProblem("brings the pack to more than \(Self.maximumPictures) pictures")
    }
    picturesLeft -= files.count
    for file in files.dropFirst(checked[name] ?? 0) {
      guard !order.shouldStop else { throw JSONProblem("could not be listed in time") }
      try checkFile(file, kind(file))
    }
    checked[name] = max(checked[name] ?? 0, files.count)
    return (Array(files), pictures.count)
  }

  private func list(_ name: String) throws(JSONProblem) -> [FilePath] {
    let path = FilePath(name)
    var names: [FilePath]?
    do throws(FileError) {
      names = try folder.names(in: path, atMost: entriesLeft)
    } catch {
      throw JSONProblem("\(shown(path)) cannot be read: \(error)")
    }
    guard let names else {
      throw JSONProblem("brings the pack's folders to more than \(Self.maximumEntries) files")
    }
    entriesLeft -= names.count
    return Self.inOrder(names.filter(Self.isPicture)).map(path.appending)
  }

  static func isPicture(_ name: FilePath) -> Bool {
    name.bytes.first != UInt8(ascii: ".") && endings.contains(where: name.hasSuffix)
  }

  private static let endings = [
    ".png", ".apng", ".jpg", ".jpeg", ".webp", ".gif", ".svg", ".bmp", ".tif", ".tiff", ".avif",
    ".jxl",
  ]

  private static func inOrder(_ names: [FilePath]) -> [FilePath] {
    names.map { (name: $0, order: order(of: $0.bytes)) }.sorted { a, b in
      // 1.png and 01.png: some order, always the same.
      a.order == b.order
        ? a.name.bytes.lexicographicallyPrecedes(b.name.bytes)
        : a.order.lexicographicallyPrecedes(b.order)
    }.map(\.name)
  }

  /// What names are ordered by: their bytes, but runs of digits by how long they are without
  /// leading zeros, and then by those digits.
  private static func order(of name: [UInt8]) -> [UInt8] {
    let zero = UInt8(ascii: "0")
    func isDigit(_ byte: UInt8) -> Bool { (zero...zero + 9).contains(byte) }
    var order: [UInt8] = []
    var rest = name[...]
    while let byte = rest.first {
      let number = rest.prefix(while: isDigit).drop { $0 == zero }
      // No name has more than 255 bytes.
      order += isDigit(byte) ? [zero, UInt8(clamping: number.count)] + number : [byte]
      rest = isDigit(byte) ? rest.drop(while: isDigit) : rest.dropFirst()
    }
    return order
  }
}
