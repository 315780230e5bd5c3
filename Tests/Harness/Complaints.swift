import CGStreamer
import Support
import Synchronization

/// What GLib and GStreamer complain of, each complaint said once.
package enum Complaints {
  private static let heard = Mutex<[String: Int]>([:])

  /// Begins to listen; what is said is said here from now on.
  package static func listen() {
    g_log_set_default_handler(
      { domain, level, text, _ in
        guard level.rawValue <= cgst_log_level_warning * 2 else { return }
        let domain = domain.map { String(cString: $0) } ?? ""
        let text = text.map { String(cString: $0) } ?? ""
        Complaints.hear(domain, text)
      }, nil)
  }

  /// How many there were.
  package static var count: Int { heard.withLock { $0.values.reduce(0, +) } }

  private static func hear(_ domain: String, _ text: String) {
    // Addresses, numbers and names differ from one time to the next.
    let key = domain + ": " + String(text.map { $0.isNumber ? "0" : $0 })
    let isNew = heard.withLock { heard in
      heard[key, default: 0] += 1
      return heard[key] == 1 && heard.count < 100
    }
    if isNew { say("\(domain) complains: \(text)") }
  }
}
