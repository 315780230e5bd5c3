package import Files

/// The file formats that are written.
package enum OutputType: String {
  case jpeg = ".jpg"
  case png = ".png"
  case mp4 = ".mp4"
  case mov = ".mov"
  case matroska = ".mkv"
  case webm = ".webm"
  /// Written to the standard output alone.
  case transportStream = ".ts"

  package var isFilm: Bool { self != .jpeg && self != .png }

  /// The format that a name's extension asks for; nil for unknown extensions.
  package init?(ending path: FilePath) {
    let endings: [(String, OutputType)] = [
      (".jpg", .jpeg), (".jpeg", .jpeg), (".png", .png), (".mp4", .mp4), (".m4v", .mp4),
      (".mov", .mov), (".mkv", .matroska), (".webm", .webm),
    ]
    guard let found = endings.first(where: { path.hasSuffix($0.0) }) else { return nil }
    self = found.1
  }

  /// The format of an input file; nil where it is not one of these.
  ///
  /// `type`: the media type, as "image/jpeg".
  package init?(preserving type: String, _ path: FilePath) {
    switch type {
    case "image/jpeg": self = .jpeg
    case "image/png": self = .png
    case "video/quicktime": self = path.hasSuffix(".mov") ? .mov : .mp4
    case "video/x-matroska", "video/x-matroska-3d": self = .matroska
    case "video/webm": self = .webm
    default: return nil
    }
  }

  /// The format itself where it holds alpha, else the nearest that does; nil where it may not change.
  package func withAlpha(mayChange: Bool) -> OutputType? {
    switch self {
    case .png, .mov, .matroska: self
    case _ where !mayChange: nil
    case .jpeg: .png
    case .mp4: .mov
    default: .matroska
    }
  }

  /// How the format is called.
  package var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .mp4: "MP4"
    case .mov: "QuickTime"
    case .matroska: "Matroska"
    case .webm: "WebM"
    case .transportStream: "a transport stream"
    }
  }

  /// The format for inputs whose own format is not written.
  package static func fallback(isFilm: Bool) -> OutputType { isFilm ? .webm : .png }

  /// Whether films of this format hold H.264 and AAC.
  package var needsH264: Bool { self == .mp4 || self == .mov || self == .transportStream }
}

extension FilePath {
  /// The path without its extension.
  package var withoutEnding: FilePath {
    let (_, name) = split
    guard let dot = name.bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return self }
    return FilePath(bytes: bytes.dropLast(name.bytes.count - dot))
  }

  /// The path with a text appended.
  package func appendingText(_ text: String) -> FilePath {
    FilePath(bytes: bytes + Array(text.utf8))
  }
}
