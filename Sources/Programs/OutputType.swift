package import Files

/// Kinds of files that are written.
package enum OutputType: String {
  case jpeg = ".jpg"
  case png = ".png"
  case mp4 = ".mp4"
  case mov = ".mov"
  case matroska = ".mkv"
  case webm = ".webm"

  package var isFilm: Bool { self != .jpeg && self != .png }

  /// What a name's ending asks for; nil where it asks for nothing known.
  package init?(ending path: FilePath) {
    let endings: [(String, OutputType)] = [
      (".jpg", .jpeg), (".jpeg", .jpeg), (".png", .png), (".mp4", .mp4), (".m4v", .mp4),
      (".mov", .mov), (".mkv", .matroska), (".webm", .webm),
    ]
    guard let found = endings.first(where: { path.hasSuffix($0.0) }) else { return nil }
    self = found.1
  }

  /// The type of a file that was read, kept; nil where none of ours is the same.
  ///
  /// `type` is what GStreamer found, as "image/jpeg".
  package init?(kept type: String, _ path: FilePath) {
    switch type {
    case "image/jpeg": self = .jpeg
    case "image/png": self = .png
    case "video/quicktime": self = path.hasSuffix(".mov") ? .mov : .mp4
    case "video/x-matroska", "video/x-matroska-3d": self = .matroska
    case "video/webm": self = .webm
    default: return nil
    }
  }

  /// What becomes of a file whose type is not kept.
  package static func instead(isFilm: Bool) -> OutputType { isFilm ? .webm : .png }

  /// Films of this kind hold H.264 and AAC.
  package var needsH264: Bool { self == .mp4 || self == .mov }
}

extension FilePath {
  /// The name without its last ending, as ".jpg", if it has one.
  package var withoutEnding: FilePath {
    let (_, name) = split
    guard let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return self }
    return FilePath(bytes: bytes.dropLast(name.bytes.count - dot))
  }

  /// The path with a text at its end.
  package func adding(_ text: String) -> FilePath { FilePath(bytes: bytes + Array(text.utf8)) }
}
