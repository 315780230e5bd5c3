package import Files

/// Pictures in a pack's folder that are never shown.
package enum UnusedPictures {
  /// Their paths, sorted; pictures that another manifest in the folder names count as used.
  package static func find(in pack: StickerPack) -> [FilePath] {
    guard let folder = pack.folder else { return [] }
    var used = Set(pack.items.flatMap(\.files))
    var named = Set([pack.preview, pack.audio].compactMap(\.self))
    for name in names(of: folder, in: ".") where name.hasSuffix(".json") {
      guard case .pack(let other)? = PackReader.check(folder.path.appending(name)).source else {
        continue
      }
      used.formUnion(other.items.flatMap(\.files))
      named.formUnion([other.preview, other.audio].compactMap(\.self))
    }
    var unused: [FilePath] = []
    for folderName in Set(used.map { $0.split.folder } + ["."]) {
      for name in names(of: folder, in: folderName) where PackFolder.isPicture(name) {
        let file = folderName == "." ? name : folderName.appending(name)
        let path = folder.path.appending(file)
        if !used.contains(file), !named.contains(path) { unused.append(path) }
      }
    }
    return unused.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  private static func names(of folder: Folder, in folderName: FilePath) -> [FilePath] {
    ((try? folder.entryNames(in: folderName, atMost: PackFolder.maximumEntries)) ?? nil) ?? []
  }
}
