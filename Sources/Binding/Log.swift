import CGStreamer
import Frames

/// A debug category, shown with GST_DEBUG=name:level.
///
/// Texts are built only if the level is enabled; otherwise a call costs one comparison.
package struct Log: Sendable {
  // Categories are never freed and are thread-safe.
  private nonisolated(unsafe) let category: UnsafeMutablePointer<GstDebugCategory>?

  package init(_ name: String, _ description: String) {
    category = cgst_category_new(name, description)
  }

  /// Logs `text` for the element `host`.
  package func callAsFunction(
    _ level: Level, _ host: ElementHost?, _ text: @autoclosure () -> String,
    file: StaticString = #fileID, function: StaticString = #function, line: Int = #line
  ) {
    let level = GstDebugLevel(rawValue: level.rawValue)
    guard cgst_log_enabled(category, level) != 0 else { return }
    gst_debug_log_literal(
      category, level, file.cString, function.cString, gint(line), host?.object, text())
  }

  /// Values of GstDebugLevel.
  package enum Level: UInt32, Sendable {
    case warning = 2
    case info = 4
    case log = 6
  }
}
