import CGStreamer

/// A debug category: what GST_DEBUG=name:level shows.
///
/// Texts are built only when the level is on, so a call costs a comparison otherwise.
package struct Log: Sendable {
  // GStreamer's categories live as long as the process and lock themselves.
  private nonisolated(unsafe) let category: UnsafeMutablePointer<GstDebugCategory>?

  package init(_ name: String, _ description: String) {
    category = cgst_category_new(name, description)
  }

  /// Logs at level ERROR, WARNING, INFO, DEBUG or LOG for the element `host`.
  package func callAsFunction(
    _ level: Level, _ host: ElementHost?, _ text: @autoclosure () -> String,
    file: StaticString = #fileID, function: StaticString = #function, line: Int = #line
  ) {
    guard cgst_log_enabled(category, level.raw) != 0 else { return }
    file.withUTF8Buffer { file in
      function.withUTF8Buffer { function in
        gst_debug_log_literal(
          category, level.raw, chars(file), chars(function), gint(line), host?.object, text())
      }
    }
  }

  private func chars(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.baseAddress!).assumingMemoryBound(to: CChar.self)
  }

  package enum Level: Sendable {
    case error, warning, info, debug, log

    fileprivate var raw: GstDebugLevel {
      switch self {
      case .error: GST_LEVEL_ERROR
      case .warning: GST_LEVEL_WARNING
      case .info: GST_LEVEL_INFO
      case .debug: GST_LEVEL_DEBUG
      case .log: GST_LEVEL_LOG
      }
    }
  }
}
