package import Files

/// Where the pictures come from.
package enum Origin: Equatable, Sendable {
  /// The photograph that comes with the studio.
  case photograph(FilePath)
  case picture(FilePath)
  case film(FilePath)
  /// A camera's device, as /dev/video0.
  case camera(FilePath)

  /// The file that is shown.
  package var path: FilePath {
    switch self {
    case .photograph(let path), .picture(let path), .film(let path), .camera(let path): path
    }
  }
}
