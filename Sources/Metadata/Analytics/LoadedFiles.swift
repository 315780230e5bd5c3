import CGStreamer
package import Frames
import Glibc

/// Whether a library is in this process, asked for every frame at the cost of comparing two numbers.
struct LoadedFiles {
  private struct Look {
    /// A part of the file's path.
    let name: StaticString
    /// Files that had been loaded when it was last looked for.
    var loads: UInt64?
    var isFirst = true
    var isFound = false
  }

  private var look: Look

  /// `name` is a part of the path of the library's file.
  init(_ name: StaticString) { look = Look(name: name) }

  /// Looks through the files of this process, unless none came since the last time.
  mutating func isLoaded() -> Bool {
    guard !look.isFound else { return true }
    look.isFirst = true
    _ = cgst_iterate_loaded_files(
      { file, _, data in
        let look = data!.assumingMemoryBound(to: Look.self)
        let file = file!.pointee
        if look.pointee.isFirst {
          look.pointee.isFirst = false
          guard look.pointee.loads != UInt64(file.adds) else { return 1 }
          look.pointee.loads = UInt64(file.adds)
        }
        guard let path = file.name, strstr(path, look.pointee.name.characters) != nil else {
          return 0
        }
        look.pointee.isFound = true
        return 1
      }, &look)
    return look.isFound
  }
}
