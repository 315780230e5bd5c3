import Files
import Glibc
import Programs

/// Where the studio's own files are: where it was installed, or in the tree that it was built in.
enum Places {
  /// The folder that "bin" is in.
  static var root: String {
    "/" + Plugin.own.split(separator: "/").dropLast(2).joined(separator: "/")
  }

  /// The photograph that is shown while nothing else is.
  static var photograph: FilePath? {
    first(["/share/mien/studio/photograph.png", "/../models/astronaut.png"])
  }

  /// The folders of sticker packs, as the element looks for them.
  static var packs: [FilePath] {
    var folders: [FilePath] = []
    if let named = getenv("MIEN_STICKER_PATH") {
      folders += String(cString: named).split(separator: ":").map { FilePath(String($0)) }
    }
    if let own = first(["/share/mien/stickers", "/../stickers"]) { folders.append(own) }
    return folders
  }

  /// Whether something but the processor can draw.
  static var hasGraphicsCard: Bool {
    (128..<136).contains { access("/dev/dri/renderD\($0)", R_OK | W_OK) == 0 }
  }

  private static func first(_ names: [String]) -> FilePath? {
    names.map { root + $0 }.first { access($0, R_OK) == 0 }.map { FilePath($0) }
  }
}
