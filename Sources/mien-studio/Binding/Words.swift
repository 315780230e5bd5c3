import CGTK4
import Glibc

/// Words for the user, in their language.
enum Words {
  static let domain = "mien-studio"

  /// Finds the translations: beside this program, where it was installed or built.
  static func load(root: String) {
    setlocale(LC_ALL, "")
    // Numbers go to GStreamer and into lines for a shell, which know only one way to write them.
    setlocale(LC_NUMERIC, "C")
    bindtextdomain(domain, root + "/share/locale")
    bind_textdomain_codeset(domain, "UTF-8")
    textdomain(domain)
  }
}

/// The text in the user's language.
func tr(_ text: String) -> String {
  text.withCString { text in String(cString: g_dgettext(Words.domain, text)) }
}

/// The same with what stands for %1 and %2 put in.
func tr(_ text: String, _ first: String, _ second: String = "") -> String {
  tr(text).replacing("%1", with: first).replacing("%2", with: second)
}
