import Files
import Glibc
import Programs

/// The files in a folder and its subfolders, by what a batch does with them.
struct InputScan {
  /// Films and pictures as relative paths, the largest first, so that no long film occupies one core at
  /// the end.
  private(set) var films: [FilePath] = []
  /// The number of other files.
  private(set) var otherCount = 0
  /// Entries that were not read and may hold films, with the reasons.
  private(set) var unread: [(FilePath, String)] = []

  /// Whether the films were named, and not found.
  private(set) var isList = false

  private var sizes: [(film: FilePath, size: Int)] = []
  private let root: FilePath
  private let outRoot: FilePath
  private let results: FileIdentity?

  private static let endings = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "mts", "m2ts", "vob", "wmv",
    "asf", "flv", "ogv", "ogg", "3gp", "jpg", "jpeg", "png", "webp", "bmp", "tif", "tiff", "pnm",
    "ppm", "pgm",
  ].map { "." + $0 }

  /// Scans a folder; both folders are given by their real paths, and `outFolder` is not scanned.
  init(_ folder: FilePath, outFolder: FilePath) {
    root = folder
    outRoot = outFolder
    results = FileIdentity(outFolder)
    scanFolder("")
    sort()
  }

  /// Takes the named files, of any extension, as films, and scans nothing.
  init(_ folder: FilePath, outFolder: FilePath, names: [FilePath]) {
    root = folder
    outRoot = outFolder
    results = nil
    isList = true
    for name in names {
      switch FileKind(root.appending(name)) {
      case .file(let size): sizes.append((name, size))
      case .folder: unread.append((name, "it is a folder; a list names files"))
      case .nothing: unread.append((name, "there is no such file"))
      case .other: unread.append((name, "it is no file"))
      }
    }
    sort()
  }

  private mutating func sort() {
    films = sizes.sorted { a, b in
      a.size != b.size ? a.size > b.size : a.film.bytes.lexicographicallyPrecedes(b.film.bytes)
    }.map(\.film)
    unread.sort { $0.0.bytes.lexicographicallyPrecedes($1.0.bytes) }
  }

  private static func isFilm(_ name: FilePath) -> Bool {
    // AppleDouble files, which macOS writes to foreign file systems.
    !name.bytes.starts(with: Array("._".utf8)) && endings.contains { name.hasSuffix($0) }
  }

  private func absolute(_ path: FilePath) -> FilePath { path.isEmpty ? root : root.appending(path) }

  private mutating func scanFolder(_ folder: FilePath) {
    let path = absolute(folder)
    guard path.withCString({ access($0, R_OK | X_OK) }) == 0,
      let listing = path.withCString(opendir)
    else {
      unread.append((folder, "the folder cannot be read; see to its permissions"))
      return
    }
    defer { closedir(listing) }
    errno = 0
    while let entry = readdir(listing) {
      let name = entry.fileName
      if name != ".", name != ".." {
        addEntry(folder.isEmpty ? name : folder.appending(name), isFilm: Self.isFilm(name))
      }
      errno = 0
    }
    if errno != 0 { unread.append((folder, Terminal.errnoText)) }
  }

  private mutating func addEntry(_ path: FilePath, isFilm: Bool) {
    let location = absolute(path)
    var status = stat()
    guard location.withCString({ lstat($0, &status) }) == 0 else {
      unread.append((path, Terminal.errnoText))
      return
    }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    switch FileKind(location) {
    case .folder where isLink: addLinkedFolder(path)
    case .folder:
      if FileIdentity(location) != results { scanFolder(path) }
    case .file(let size) where isFilm: sizes.append((path, size))
    case .file: otherCount += 1
    case .nothing where isFilm: unread.append((path, "its link leads nowhere"))
    case .other where isFilm: unread.append((path, "it is no file"))
    case .nothing, .other: otherCount += 1
    }
  }

  /// A link to a folder; links into the two folders are ignored.
  private mutating func addLinkedFolder(_ path: FilePath) {
    let target = absolute(path).realPath?.bytes ?? []
    let isKnown = [root, outRoot].contains { folder in
      target == folder.bytes || target.starts(with: folder.bytes + [UInt8(ascii: "/")])
    }
    guard !isKnown else { return }
    unread.append((path, "linked folders are not followed; give it a batch of its own"))
  }
}

extension FilePath {
  /// The path with links resolved; nil where it does not exist.
  var realPath: FilePath? {
    guard let path = withCString({ realpath($0, nil) }) else { return nil }
    defer { free(path) }
    return FilePath(UnsafePointer(path))
  }
}
