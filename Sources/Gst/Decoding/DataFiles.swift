import CGStreamer
import Files

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
  package func find(_ name: String, in folder: String?) throws(ElementError) -> String {
    var tried: [String] = []
    for place in places(folder) {
      let path = place + "/" + name
      if FileKind.exists(path) { return path }
      if !tried.contains(path) { tried.append(path) }
    }
    throw ElementError(
      .notFound, "\(name) was not found. \(advice)",
      detail: "tried " + tried.joined(separator: ", "))
  }

  private func places(_ folder: String?) -> [String] {
    if let folder, !folder.isEmpty { return [folder] }
    var places: [String] = []
    if let list = g_getenv(variable) {
      places += String(cString: list).split(separator: ":").map(String.init)
    }
    // From PREFIX/lib/TRIPLET/mien/glibc-hwcaps/LEVEL and .build/lib/mien/glibc-hwcaps/LEVEL up.
    for ancestor in Self.ancestors {
      places.append(ancestor + "/share/mien/" + subfolder)
      if FileKind.exists(ancestor + "/Package.swift") {
        places.append(ancestor + "/" + subfolder)
      }
    }
    places.append(String(cString: g_get_user_data_dir()) + "/mien/" + subfolder)
    if var directory = g_get_system_data_dirs() {
      while let text = directory.pointee {
        places.append(String(cString: text) + "/mien/" + subfolder)
        directory += 1
      }
    }
    return places
  }

  /// The folders that hold the file this code was loaded from, innermost first.
  private static let ancestors: [String] = {
    let marker: @convention(c) () -> Void = {}
    guard let name = cgst_file_of(unsafeBitCast(marker, to: UnsafeRawPointer.self)),
      let real = realpath(name, nil)
    else { return [] }
    defer { free(real) }
    var folders: [String] = []
    var path = String(cString: real)[...]
    while let slash = path.lastIndex(of: "/"), folders.count < 6 {
      path = path[..<slash]
      folders.append(String(path))
    }
    return folders
  }()
}
