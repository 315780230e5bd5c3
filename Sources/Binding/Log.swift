import CGStreamer
import Frames

/// A debug category: what GST_DEBUG=name:level shows.
///
/// Texts are built only when the level is on, so a call costs a comparison otherwise.
package struct Log: Sendable {
  // GStreamer's categories live as long as the process and lock themselves.
  private nonisolated(unsafe) let category: UnsafeMutablePointer<GstDebugCategory>?

  package init(_ name: String, _ description: String) {
    category = cgst_category_new(name, description)
  }

  /// Logs at level WARNING, INFO or LOG for the element `host`.
  package func callAsFunction(
    _ level: Level, _ host: ElementHost?, _ text: @autoclosure () -> String,
    file: StaticString = #fileID, function: StaticString = #function, line: Int = #line
  ) {
    let level = GstDebugLevel(rawValue: level.rawValue)
    guard cgst_log_enabled(category, level) != 0 else { return }
    gst_debug_log_literal(
      category, level, file.characters, function.characters, gint(line), host?.object, text())
  }

  /// GstDebugLevel's numbers.
  package enum Level: UInt32, Sendable {
    case warning = 2
    case info = 4
    case log = 6
  }
}
