import CGTK4
import Files
import Studio

/// The installed sticker packs.
enum PackFolder {
  static var packs: [Shelf.Pack] {
    var shelf = Shelf()
    for folder in StudioPaths.packs {
      for name in names(in: folder) {
        let pack = folder.appending(name)
        guard case .file = FileKind(pack.appending("meta.json")) else { continue }
        if !shelf.packs.contains(where: { $0.location == name }) {
          _ = shelf.add(
            Shelf.Pack(name: title(name.description), location: name, folder: pack))
        }
      }
    }
    return shelf.packs
  }

  /// "Party hat" of party-hat.
  static func title(_ name: String) -> String {
    let words = name.replacing("-", with: " ").replacing("_", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private static func names(in folder: FilePath) -> [FilePath] {
    guard let opened = folder.withCString({ g_dir_open($0, 0, nil) }) else { return [] }
    defer { g_dir_close(opened) }
    var names: [FilePath] = []
    while let name = g_dir_read_name(opened) { names.append(FilePath(name)) }
    return names.sorted { $0.description < $1.description }
  }
}
