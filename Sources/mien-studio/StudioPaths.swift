import Files
import Glibc
import Programs

/// The studio's files, in the installation or the build tree.
enum StudioPaths {
  /// The photograph that is displayed at the start.
  static var photograph: FilePath? {
    first(["/share/mien/studio/photograph.png", "/../models/astronaut.png"])
  }

  /// The folders of sticker packs, in the element's search order.
  static var packs: [FilePath] {
    var folders: [FilePath] = []
    if let named = getenv("MIEN_STICKER_PATH") {
      folders += String(cString: named).split(separator: ":").map { FilePath(String($0)) }
    }
    if let own = first(["/share/mien/stickers", "/../stickers"]) { folders.append(own) }
    return folders
  }

  /// Whether a DRM render node is usable.
  static var hasGraphicsCard: Bool {
    (128..<136).contains { access("/dev/dri/renderD\($0)", R_OK | W_OK) == 0 }
  }

  private static func first(_ names: [String]) -> FilePath? {
    names.map { Plugin.root + $0 }.first { access($0, R_OK) == 0 }.map { FilePath($0) }
  }
}
