import Binding
import Files
import Frames

/// Finds the backgrounds that come with the plugin by their names.
enum BackgroundFiles {
  private static let dataFiles = DataFiles(
    subfolder: "backgrounds", variable: "MIEN_BACKGROUND_PATH",
    advice: "Set background to a picture or film, or to one of beach, library, mountains, office, "
      + "room and studio.")

  /// The path of a background.
  ///
  /// That of a file that exists; else, for a name without a slash, of a file in the data folders. The
  /// ending .jpg may be left out.
  static func path(of background: FilePath) throws(ElementError) -> FilePath {
    guard !background.isEmpty, FileKind(background) == .nothing,
      !background.bytes.contains(UInt8(ascii: "/"))
    else { return background }
    let hasEnding = background.bytes.contains(UInt8(ascii: "."))
    let name = hasEnding ? background : FilePath(bytes: background.bytes + Array(".jpg".utf8))
    return try dataFiles.find(name, in: nil)
  }
}
