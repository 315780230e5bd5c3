import CGTK4
import Glibc

/// The translations of the window's texts.
enum Translations {
  static let domain = "mien-studio"

  /// Loads the translations of the installation or the build tree.
  static func load(root: String) {
    setlocale(LC_ALL, "")
    // GStreamer and shells expect numbers in the C locale's format.
    setlocale(LC_NUMERIC, "C")
    bindtextdomain(domain, root + "/share/locale")
    bind_textdomain_codeset(domain, "UTF-8")
    textdomain(domain)
  }
}

/// The translation of a text.
func tr(_ text: String) -> String {
  text.withCString { text in String(cString: g_dgettext(Translations.domain, text)) }
}

/// The translation with %1 and %2 replaced.
func tr(_ text: String, _ first: String, _ second: String = "") -> String {
  tr(text).replacing("%1", with: first).replacing("%2", with: second)
}
