import CGStreamer
import CJSONGLib

/// What a pipeline says while it plays.
package enum Word {
  case end
  /// The sentence for the user, what GStreamer adds for who looks into it, and where it happened.
  case error(String, detail: String, from: Element?)
  /// Not that a decoder is missing, which is told apart by its type.
  case warning(String, from: Element)
}

extension Element {
  /// The next thing that the pipeline says; nil when that takes longer.
  package func listen(milliseconds: Int) -> Word? {
    guard let bus = gst_element_get_bus(raw) else { return nil }
    defer { gst_object_unref(bus) }
    let wanted = [GST_MESSAGE_EOS, GST_MESSAGE_ERROR, GST_MESSAGE_WARNING].reduce(0) {
      $0 | $1.rawValue
    }
    guard
      let message = gst_bus_timed_pop_filtered(
        bus, GstClockTime(milliseconds) * 1_000_000, GstMessageType(rawValue: wanted))
    else { return nil }
    defer { gst_mini_object_unref(cgst_mini_object(message)) }
    var error: UnsafeMutablePointer<GError>?
    var detail: UnsafeMutablePointer<gchar>?
    switch cgst_message_type(message) {
    case GST_MESSAGE_EOS: return .end
    case GST_MESSAGE_ERROR: gst_message_parse_error(message, &error, &detail)
    default: gst_message_parse_warning(message, &error, &detail)
    }
    defer {
      g_error_free(error)
      g_free(detail)
    }
    let text = error.map { String(cString: $0.pointee.message) } ?? "something went wrong"
    if cgst_message_type(message) == GST_MESSAGE_ERROR {
      // The first line of the detail is a place in the source.
      let lines = (detail.map { String(cString: $0) } ?? "").split(separator: "\n").dropFirst()
      return .error(text, detail: lines.joined(separator: "; "), from: source(message))
    }
    let isMissing =
      g_error_matches(error, gst_core_error_quark(), gint(GST_CORE_ERROR_MISSING_PLUGIN.rawValue))
      != 0
    guard !isMissing, let source = source(message) else { return nil }
    return .warning(text, from: source)
  }

  /// The element that posted it; nil where it was none.
  private func source(_ message: UnsafeMutablePointer<GstMessage>) -> Element? {
    guard let source = message.pointee.src,
      g_type_check_instance_is_a(
        UnsafeMutableRawPointer(source).assumingMemoryBound(to: GTypeInstance.self),
        gst_element_get_type()) != 0
    else { return nil }
    return Element(UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstElement.self))
  }
}
