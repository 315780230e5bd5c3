import Files
import Programs

/// The output paths of a batch.
///
/// Outputs of the input's format keep its name; others get the new extension appended, so that no two
/// inputs share an output.
struct BatchPaths {
  let folder: FilePath
  let outFolder: FilePath

  private static let addedExtensions = [OutputType.webm, .png, .mov, .matroska].map(\.rawValue)

  /// The existing output of a film.
  func existingOutput(of film: FilePath) -> FilePath? {
    ([film] + Self.addedExtensions.map { film.appendingText($0) }).first { name in
      // The name may be that of another input.
      guard name == film || !isInput(name), case .file = FileKind(outFolder.appending(name)) else {
        return false
      }
      return true
    }
  }

  /// The output that the film would have if its type were kept, which stands for it in claims.
  func claimed(_ film: FilePath) -> FilePath { outFolder.appending(film) }

  /// The tag of the film's temporary files: the hash of its claim.
  static func tag(_ film: FilePath) -> String { NameHash.text(film.split.name) + "-" }

  private func isInput(_ name: FilePath) -> Bool { FileKind(folder.appending(name)) != .nothing }

  /// The output of a film, once its media type is known; `makesAlpha`: it has to hold alpha.
  func target(_ film: FilePath, _ type: String, isFilm: Bool, makesAlpha: Bool)
    throws(ProgramError) -> Decoration.Target
  {
    let preserved = OutputType(preserving: type, film)
    var kind = preserved ?? .fallback(isFilm: isFilm)
    if makesAlpha, let holding = kind.withAlpha(mayChange: true) {
      kind = holding
      try OutputNaming.checkAlphaEncoder(kind)
    } else if kind.needsH264, !FilmEncoding.hasH264 {
      kind = .webm
    }
    var name = film
    if kind != preserved {
      name = film.appendingText(kind.rawValue)
      guard !isInput(name) else {
        throw .failure(
          "it would come out under the name of another file, \(name); rename one of them")
      }
    }
    return Decoration.Target(
      path: outFolder.appending(name), type: kind, tag: Self.tag(film), isExclusive: true)
  }

  /// Throws where a folder has the name of an output.
  func rejectFolderNamedAsOutput(of film: FilePath) throws(ProgramError) {
    for name in [film] + Self.addedExtensions.map({ film.appendingText($0) }) {
      let path = outFolder.appending(name)
      guard case .folder = FileKind(path) else { continue }
      throw .failure(
        "the folder \(path) has the name that it would come out under; move the folder away, or give"
          + " the batch another place to write to")
    }
  }
}
