package import Files

/// What lies on the shelf: packs to be worn, and looks.
package struct Shelf: Equatable, Sendable {
  /// One sticker pack, or a picture that is worn as one.
  package struct Pack: Equatable, Sendable {
    /// As it is shown.
    package let name: String
    /// What `sticker` is told: a name where that is enough.
    package let location: FilePath
    /// The folder whose files it is made of.
    package let folder: FilePath

    package init(name: String, location: FilePath, folder: FilePath) {
      (self.name, self.location, self.folder) = (name, location, folder)
    }
  }

  package private(set) var packs: [Pack] = []

  package init(_ packs: [Pack] = []) { self.packs = packs }

  /// Puts a pack at the end; one that lies there already stays where it is; returns its place.
  package mutating func add(_ pack: Pack) -> Int {
    if let place = packs.firstIndex(where: { $0.folder == pack.folder }) { return place }
    packs.append(pack)
    return packs.count - 1
  }

  /// The pack that a number key puts on: 1 the first, 9 the ninth; nil for 0 takes it off.
  ///
  /// The outer nil says that the key means nothing.
  package func pack(forKey digit: Int) -> Int?? {
    if digit == 0 { return .some(nil) }
    return packs.indices.contains(digit - 1) ? .some(digit - 1) : nil
  }
}
