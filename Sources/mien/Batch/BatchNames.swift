import Files
import Programs

/// Under which names a batch keeps what comes out.
///
/// What keeps its type keeps its whole name; what does not gets the ending of the new type added, so
/// that no two files come out under one name.
struct BatchNames {
  let folder: FilePath
  let outFolder: FilePath

  private static let added = [OutputType.webm, .png].map(\.rawValue)

  /// What came out of a film already, whichever way.
  func done(_ film: FilePath) -> FilePath? {
    ([film] + Self.added.map { film.adding($0) }).first { name in
      // Another film may be called as what this one becomes.
      guard name == film || !isInput(name), case .file = FileKind(outFolder.appending(name)) else {
        return false
      }
      return true
    }
  }

  private func isInput(_ name: FilePath) -> Bool { FileKind(folder.appending(name)) != .nothing }

  /// Where what becomes of a film goes, once its type is known.
  func target(_ film: FilePath, _ type: String, isFilm: Bool) throws(Problem) -> Decoration.Target {
    var kind = OutputType(kept: type, film)
    if let wanted = kind, wanted.needsH264, !Encoding.hasH264 { kind = nil }
    var name = film
    if kind == nil {
      name = film.adding(OutputType.instead(isFilm: isFilm).rawValue)
      guard !isInput(name) else {
        throw .failure(
          "it would come out under the name of another file, \(name); rename one of them")
      }
    }
    return Decoration.Target(
      path: outFolder.appending(name), type: kind ?? .instead(isFilm: isFilm))
  }

  /// Throws where a folder has a name that a film would come out under.
  func checkFolders(_ film: FilePath) throws(Problem) {
    for name in [film] + Self.added.map({ film.adding($0) }) {
      let path = outFolder.appending(name)
      guard case .folder = FileKind(path) else { continue }
      throw .failure(
        "the folder \(path) has the name that it would come out under; move the folder away, or give"
          + " the batch another place to write to")
    }
  }
}
