import CGTK4
import Client
import Files
import Programs
import Studio

/// The favourites of the shelf, which a file of the user keeps.
extension MainWindow {
  private static var file: FilePath? {
    guard let folder = g_get_user_config_dir() else { return nil }
    return FilePath(folder).appending("mien").appending("favourites")
  }

  func loadFavorites() {
    var text: UnsafeMutablePointer<gchar>?
    var length: gsize = 0
    guard let file = Self.file,
      file.withCString({ g_file_get_contents($0, &text, &length, nil) }) != 0, let text
    else { return }
    defer { g_free(text) }
    // A file of another kind is no list.
    guard length < 100_000 else { return }
    let bytes = UnsafeRawBufferPointer(start: text, count: Int(length))
    favorites = Favorites(text: String(decoding: bytes, as: UTF8.self))
    shelfView.update(favorites)
  }

  /// Marks the selected item of the shelf, or removes its mark.
  func toggleFavorite() {
    guard let name = shelfView.selectedName else {
      return notice.inform(tr("Select a sticker or a look first."))
    }
    toggleFavorite(name)
  }

  func toggleFavorite(_ name: String) {
    favorites.toggle(name)
    shelfView.update(favorites)
    guard let file = Self.file else { return }
    let text = favorites.text
    let isSaved =
      file.split.folder.withCString { g_mkdir_with_parents($0, 0o700) } == 0
      && file.withCString { g_file_set_contents($0, text, gssize(text.utf8.count), nil) } != 0
    if !isSaved { notice.warn(tr("The favourites cannot be written to your folder.")) }
  }
}
