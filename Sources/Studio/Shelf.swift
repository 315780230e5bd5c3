package import Files

/// The list of sticker packs under the picture.
package struct Shelf: Equatable, Sendable {
  /// A sticker pack, or a picture that is used as one.
  package struct Pack: Equatable, Sendable {
    /// The displayed name.
    package let name: String
    /// The value of `sticker`'s "location".
    package let location: FilePath
    /// The folder of its files.
    package let folder: FilePath

    package init(name: String, location: FilePath, folder: FilePath) {
      (self.name, self.location, self.folder) = (name, location, folder)
    }
  }

  package private(set) var packs: [Pack] = []

  package init(_ packs: [Pack] = []) { self.packs = packs }

  /// Appends a pack that is not in the list; returns its index.
  package mutating func add(_ pack: Pack) -> Int {
    if let index = packs.firstIndex(where: { $0.folder == pack.folder }) { return index }
    packs.append(pack)
    return packs.count - 1
  }

  /// The index of the pack whose folder, manifest or name is the value of `sticker`'s "location".
  package func index(of location: FilePath) -> Int? {
    packs.firstIndex {
      $0.location == location || $0.folder == location
        || $0.folder.appending("meta.json") == location
    }
  }
}
