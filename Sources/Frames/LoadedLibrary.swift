import CGStreamer
import Glibc

/// Checks whether a library is loaded in this process; cheap enough for every frame.
package struct LoadedLibrary {
  private struct Search {
    /// A part of the file's path.
    let name: StaticString
    /// The number of loaded files at the last search.
    var loads: UInt64?
    var isFirst = true
    var isFound = false
  }

  private var search: Search

  /// `name` is a part of the path of the library's file.
  package init(_ name: StaticString) { search = Search(name: name) }

  /// Searches the loaded files of this process, unless none was added since the last call.
  package mutating func isLoaded() -> Bool {
    guard !search.isFound else { return true }
    search.isFirst = true
    _ = cgst_iterate_loaded_files(
      { file, _, data in
        let search = data!.assumingMemoryBound(to: Search.self)
        let file = file!.pointee
        if search.pointee.isFirst {
          search.pointee.isFirst = false
          guard search.pointee.loads != UInt64(file.adds) else { return 1 }
          search.pointee.loads = UInt64(file.adds)
        }
        guard let path = file.name, strstr(path, search.pointee.name.cString) != nil else {
          return 0
        }
        search.pointee.isFound = true
        return 1
      }, &search)
    return search.isFound
  }
}
