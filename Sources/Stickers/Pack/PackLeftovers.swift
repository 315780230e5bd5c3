package import Files

/// Pictures that lie in a pack's folder and are never shown.
package enum PackLeftovers {
  /// Their paths, in order; those that another manifest in the folder names are used.
  package static func unused(in pack: StickerPack) -> [FilePath] {
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
    for place in Set(used.map { $0.split.folder } + ["."]) {
      for name in names(of: folder, in: place) where PackFolder.isPicture(name) {
        let file = place == "." ? name : place.appending(name)
        let path = folder.path.appending(file)
        if !used.contains(file), !named.contains(path) { unused.append(path) }
      }
    }
    return unused.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  private static func names(of folder: Folder, in place: FilePath) -> [FilePath] {
    ((try? folder.names(in: place, atMost: PackFolder.maximumEntries)) ?? nil) ?? []
  }
}
