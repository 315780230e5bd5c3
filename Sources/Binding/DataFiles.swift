import CGStreamer
package import Files
package import Frames

#if canImport(Glibc)
  import Glibc
#endif

/// Finds the plugin's data files: models and stickers.
///
/// If the user names a folder, only that is searched. Otherwise, in this order: the folders of an
/// environment variable; `share/mien` beside the installed plugin; the source tree the plugin was
/// built in; the user's and the system's data folders.
package struct DataFiles: Sendable {
  private let subfolder: String
  private let variable: String
  private let advice: String

  /// Creates a search in `subfolder` of the data folders.
  ///
  /// `variable` is the environment variable with a colon-separated list of folders. `advice` tells
  /// the user in the error text what to do about a missing file.
  package init(subfolder: String, variable: String, advice: String) {
    self.subfolder = subfolder
    self.variable = variable
    self.advice = advice
  }

  /// The path of `name`; the error lists all paths tried.
  package func find(_ name: FilePath, in folder: FilePath?) throws(ElementError) -> FilePath {
    var tried: [FilePath] = []
    for place in searchFolders(userFolder: folder) {
      let path = place.appending(name)
      if FileKind(path) != .nothing { return path }
      if !tried.contains(path) { tried.append(path) }
    }
    throw ElementError(
      .notFound, "\(name) was not found. \(advice)",
      detail: "Tried " + tried.map(\.description).joined(separator: ", "))
  }

  private func searchFolders(userFolder folder: FilePath?) -> [FilePath] {
    if let folder, !folder.isEmpty { return [folder] }
    var places: [FilePath] = []
    if let list = g_getenv(variable) {
      places += FilePath(list).bytes.split(separator: UInt8(ascii: ":")).map(FilePath.init(bytes:))
    }
    // From PREFIX/lib/TRIPLET/mien/glibc-hwcaps/LEVEL and .build/lib/mien/glibc-hwcaps/LEVEL up.
    for ancestor in Self.ancestors {
      places.append(ancestor.appending(FilePath("share/mien/" + subfolder)))
      if FileKind(ancestor.appending("Package.swift")) != .nothing {
        places.append(ancestor.appending(FilePath(subfolder)))
      }
    }
    let own = FilePath("mien/" + subfolder)
    places.append(FilePath(g_get_user_data_dir()).appending(own))
    if var directory = g_get_system_data_dirs() {
      while let name = directory.pointee {
        places.append(FilePath(name).appending(own))
        directory += 1
      }
    }
    return places
  }

  /// Up to six ancestor folders of the file this code was loaded from, innermost first.
  private static let ancestors: [FilePath] = {
    let marker: @convention(c) () -> Void = {}
    guard let name = cgst_file_of(unsafeBitCast(marker, to: UnsafeRawPointer.self)),
      let real = realpath(name, nil)
    else { return [] }
    defer { free(real) }
    var folders: [FilePath] = []
    var path = FilePath(real).split.folder
    while path != "/", folders.count < 6 {
      folders.append(path)
      path = path.split.folder
    }
    return folders
  }()
}
