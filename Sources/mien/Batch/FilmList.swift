import Files
import Glibc
import Programs

/// All that lies in a folder and in the folders in it, by what a batch does with it.
struct FilmList {
  /// Films and pictures, by their paths in the folder, the largest first, so that no long film is
  /// left to one core at the end.
  private(set) var films: [FilePath] = []
  /// How many files are none.
  private(set) var others = 0
  /// What was passed over and may hold films, with the reason.
  private(set) var unseen: [(FilePath, String)] = []

  private var sizes: [(film: FilePath, size: Int)] = []
  private let root: FilePath
  private let outRoot: FilePath
  private let results: FileIdentity?

  private static let endings = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "mts", "m2ts", "vob", "wmv",
    "asf", "flv", "ogv", "ogg", "3gp", "jpg", "jpeg", "png", "webp", "bmp", "tif", "tiff", "pnm",
    "ppm", "pgm",
  ].map { "." + $0 }

  /// Both folders by their real paths; what lies in `outFolder` is not gone into.
  init(_ folder: FilePath, outFolder: FilePath) {
    root = folder
    outRoot = outFolder
    results = FileIdentity(outFolder)
    look("")
    films = sizes.sorted { a, b in
      a.size != b.size ? a.size > b.size : a.film.bytes.lexicographicallyPrecedes(b.film.bytes)
    }.map(\.film)
    unseen.sort { $0.0.bytes.lexicographicallyPrecedes($1.0.bytes) }
  }

  private static func isFilm(_ name: FilePath) -> Bool {
    // What macOS leaves beside files on other systems' disks.
    !name.bytes.starts(with: Array("._".utf8)) && endings.contains { name.hasSuffix($0) }
  }

  private func full(_ path: FilePath) -> FilePath { path.isEmpty ? root : root.appending(path) }

  private mutating func look(_ folder: FilePath) {
    let path = full(folder)
    guard path.withCString({ access($0, R_OK | X_OK) }) == 0,
      let listing = path.withCString(opendir)
    else {
      unseen.append((folder, "the folder cannot be read; see to its permissions"))
      return
    }
    defer { closedir(listing) }
    errno = 0
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { FilePath($0) }
      }
      if name != ".", name != ".." {
        judge(folder.isEmpty ? name : folder.appending(name), isFilm: Self.isFilm(name))
      }
      errno = 0
    }
    if errno != 0 { unseen.append((folder, Terminal.reason)) }
  }

  private mutating func judge(_ path: FilePath, isFilm: Bool) {
    let place = full(path)
    var status = stat()
    guard place.withCString({ lstat($0, &status) }) == 0 else {
      unseen.append((path, Terminal.reason))
      return
    }
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    switch FileKind(place) {
    case .folder where isLink: judgeLinked(path)
    case .folder:
      if FileIdentity(place) != results { look(path) }
    case .file(let size) where isFilm: sizes.append((path, size))
    case .file: others += 1
    case .nothing where isFilm: unseen.append((path, "its link leads nowhere"))
    case .other where isFilm: unseen.append((path, "it is no file"))
    case .nothing, .other: others += 1
    }
  }

  /// What lies in the folder is found there, and what came out is not gone into.
  private mutating func judgeLinked(_ path: FilePath) {
    let target = full(path).real?.bytes ?? []
    let isKnown = [root, outRoot].contains { folder in
      target == folder.bytes || target.starts(with: folder.bytes + [UInt8(ascii: "/")])
    }
    guard !isKnown else { return }
    unseen.append((path, "linked folders are not followed; give it a batch of its own"))
  }
}

extension FilePath {
  /// The path without links; nil where there is nothing.
  var real: FilePath? {
    guard let path = withCString({ realpath($0, nil) }) else { return nil }
    defer { free(path) }
    return FilePath(UnsafePointer(path))
  }
}
