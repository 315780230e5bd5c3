import CGStreamer
import Support
import Synchronization

/// Warnings of GLib and GStreamer; each distinct one is logged once.
package enum GLibWarnings {
  private static let counts = Mutex<[String: Int]>([:])

  /// Installs the handler; from now on warnings are logged here.
  package static func install() {
    g_log_set_default_handler(
      { domain, level, text, _ in
        guard level.rawValue <= cgst_log_level_warning * 2 else { return }
        let domain = domain.map { String(cString: $0) } ?? ""
        let text = text.map { String(cString: $0) } ?? ""
        GLibWarnings.record(domain, text)
      }, nil)
  }

  /// All warnings so far, repeated ones included.
  package static var count: Int { counts.withLock { $0.values.reduce(0, +) } }

  private static func record(_ domain: String, _ text: String) {
    // Numbers and addresses differ between repetitions.
    let key = domain + ": " + String(text.map { $0.isNumber ? "0" : $0 })
    let isNew = counts.withLock { counts in
      counts[key, default: 0] += 1
      return counts[key] == 1 && counts.count < 100
    }
    if isNew { log("\(domain) warns: \(text)") }
  }
}
