import CGStreamer
package import Files
package import Frames

#if canImport(Glibc)
  import Glibc
#endif

/// Finds the files that come with the plugin: models, stickers.
///
/// Looked for, in this order: the folder the user names; the folders of an environment variable;
/// `share/mien` beside the installed plugin; the source tree the plugin was built in; the user's
/// and the system's data folders.
package struct DataFiles: Sendable {
  private let subfolder: String
  private let variable: String
  private let advice: String

  /// `subfolder` of the data folders; `variable` names the environment's colon list; `advice`
  /// says what brings a file that is nowhere.
  package init(subfolder: String, variable: String, advice: String) {
    self.subfolder = subfolder
    self.variable = variable
    self.advice = advice
  }

  /// The path of `name`; the error names every place tried.
  package func find(_ name: FilePath, in folder: FilePath?) throws(ElementError) -> FilePath {
    var tried: [FilePath] = []
    for place in places(folder) {
      let path = place.appending(name)
      if FileKind(path) != .nothing { return path }
      if !tried.contains(path) { tried.append(path) }
    }
    throw ElementError(
      .notFound, "\(name) was not found. \(advice)",
      detail: "tried " + tried.map(\.description).joined(separator: ", "))
  }

  private func places(_ folder: FilePath?) -> [FilePath] {
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

  /// The folders that hold the file this code was loaded from, innermost first.
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
