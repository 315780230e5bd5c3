import Files
import Threads

/// A pack's folder while its manifest is read: resolves file names inside the folder, and none
/// outside.
///
/// Each folder is listed once, and the number of entries read is limited for all items together.
final class PackFolder {
  /// Maximum number of folder entries read.
  static let maximumEntries = 65_536
  /// Maximum number of pictures of all items together.
  static let maximumPictures = 65_536

  let folder: Folder
  private let token: CancellationToken
  /// The sorted pictures of each listed folder, or the error.
  private var lists: [String: Result<[FilePath], FieldError>] = [:]
  /// The number of pictures in each folder that were checked.
  private var checked: [String: Int] = [:]
  private var entriesLeft = maximumEntries
  private var picturesLeft = maximumPictures

  init(_ folder: Folder, _ token: CancellationToken) {
    self.folder = folder
    self.token = token
  }

  /// The path of `name`, for messages.
  func displayPath(_ name: FilePath) -> String { folder.path.appending(name).description }

  /// The kind of file that `name` refers to inside the pack; throws if it may not be used.
  func kind(_ name: String) throws(FieldError) -> FileKind {
    guard !name.isEmpty else { throw FieldError("is empty") }
    guard name.utf8.count <= 1024, !name.utf8.contains(0) else {
      throw FieldError("is not a file name")
    }
    guard name.utf8.first != UInt8(ascii: "/") else {
      throw FieldError("is an absolute path; files must be inside the pack")
    }
    guard !name.split(separator: "/").contains("..") else {
      throw FieldError("leaves the pack by \"..\"")
    }
    return try kind(FilePath(name))
  }

  private func kind(_ name: FilePath) throws(FieldError) -> FileKind {
    do throws(FileError) {
      return try folder.kind(of: name)
    } catch {
      switch error.kind {
      case .missing: throw FieldError("\(displayPath(name)) does not exist")
      case .outside: throw FieldError("\(displayPath(name)) is a link to a file outside the pack")
      default: throw FieldError("\(displayPath(name)) cannot be read: \(error)")
      }
    }
  }

  /// Throws unless `name` is a non-empty file.
  func checkFile(_ name: FilePath, _ kind: FileKind) throws(FieldError) {
    guard case .file(let size) = kind else {
      throw FieldError("\(displayPath(name)) is not a file")
    }
    guard size > 0 else { throw FieldError("\(displayPath(name)) is empty") }
  }

  /// The first `count` pictures in a folder of the pack, or all if there are fewer, and the number
  /// of pictures in it.
  ///
  /// Numbers in names are compared as numbers.
  func pictures(
    in name: String, count: Int
  ) throws(FieldError) -> (files: [FilePath], total: Int) {
    let list = lists[name] ?? Result { () throws(FieldError) in try self.listPictures(name) }
    lists[name] = list
    let pictures = try list.get()
    let files = pictures.prefix(count)
    guard files.count <= picturesLeft else {
      throw FieldError("brings the pack to more than \(Self.maximumPictures) pictures")
    }
    picturesLeft -= files.count
    for file in files.dropFirst(checked[name] ?? 0) {
      guard !token.shouldStop else { throw FieldError("could not be listed in time") }
      try checkFile(file, kind(file))
    }
    checked[name] = max(checked[name] ?? 0, files.count)
    return (Array(files), pictures.count)
  }

  private func listPictures(_ name: String) throws(FieldError) -> [FilePath] {
    let path = FilePath(name)
    var names: [FilePath]?
    do throws(FileError) {
      names = try folder.entryNames(in: path, atMost: entriesLeft)
    } catch {
      throw FieldError("\(displayPath(path)) cannot be read: \(error)")
    }
    guard let names else {
      throw FieldError("brings the pack's folders to more than \(Self.maximumEntries) files")
    }
    entriesLeft -= names.count
    return Self.naturallySorted(names.filter(Self.isPicture)).map(path.appending)
  }

  static func isPicture(_ name: FilePath) -> Bool {
    name.bytes.first != UInt8(ascii: ".") && suffixes.contains(where: name.hasSuffix)
  }

  private static let suffixes = [
    ".png", ".apng", ".jpg", ".jpeg", ".webp", ".gif", ".svg", ".bmp", ".tif", ".tiff", ".avif",
    ".jxl",
  ]

  private static func naturallySorted(_ names: [FilePath]) -> [FilePath] {
    names.map { (name: $0, token: sortKey(of: $0.bytes)) }.sorted { a, b in
      // The order of 1.png and 01.png is arbitrary but fixed.
      a.token == b.token
        ? a.name.bytes.lexicographicallyPrecedes(b.name.bytes)
        : a.token.lexicographicallyPrecedes(b.token)
    }.map(\.name)
  }

  /// The sort key of a name: its bytes, with each run of digits replaced by its length without
  /// leading zeros and these digits.
  private static func sortKey(of name: [UInt8]) -> [UInt8] {
    let zero = UInt8(ascii: "0")
    func isDigit(_ byte: UInt8) -> Bool { (zero...zero + 9).contains(byte) }
    var token: [UInt8] = []
    var rest = name[...]
    while let byte = rest.first {
      let number = rest.prefix(while: isDigit).drop { $0 == zero }
      // A name has at most 255 bytes.
      token += isDigit(byte) ? [zero, UInt8(clamping: number.count)] + number : [byte]
      rest = isDigit(byte) ? rest.drop(while: isDigit) : rest.dropFirst()
    }
    return token
  }
}
