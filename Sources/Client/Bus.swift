import CGStreamer
import CJSONGLib

/// A message that a pipeline posts while it plays.
package enum BusMessage {
  case endOfStream
  case error(BusReport)
  case warning(BusReport)
  /// A message of an element or of the application.
  case posted(Structure)
}

/// An error or a warning.
package struct BusReport {
  /// The sentence for the user.
  package let text: String
  /// The text for developers.
  package let detail: String
  /// Whether it says that an element, mostly a decoder, is not installed.
  package let isMissingPlugin: Bool
  /// Whether it says that a resource, such as a file or a connection, is not there (any more).
  package let isMissingResource: Bool
  /// The element that posted it; nil where another object did.
  package let source: Element?

  /// `detail` on one line, without its first line, which is a position in GStreamer's source.
  package var shortDetail: String {
    detail.split(separator: "\n").dropFirst().joined(separator: "; ")
  }
}

/// A copy of a GstStructure.
package final class Structure {
  private let raw: UnsafeMutablePointer<GstStructure>

  fileprivate init?(_ message: UnsafeMutablePointer<GstMessage>) {
    guard let found = gst_message_get_structure(message), let raw = gst_structure_copy(found) else {
      return nil
    }
    self.raw = raw
  }

  deinit { gst_structure_free(raw) }

  package var name: String { String(cString: gst_structure_get_name(raw)) }

  /// A field that holds a string.
  package func string(_ field: String) -> String? {
    gst_structure_get_string(raw, field).map { String(cString: $0) }
  }

  /// The structure as GStreamer serialises it.
  package var text: String {
    guard let text = gst_structure_to_string(raw) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }
}

extension Element {
  /// The next message on the pipeline's bus; nil when none comes within the time.
  ///
  /// `withPosted`: whether messages of elements and of the application are returned too; without it
  /// they are dropped, as are all other types.
  package func nextMessage(milliseconds: Int, withPosted: Bool = false) -> BusMessage? {
    guard let bus = gst_element_get_bus(raw) else { return nil }
    defer { gst_object_unref(bus) }
    let posted = withPosted ? [GST_MESSAGE_ELEMENT, GST_MESSAGE_APPLICATION] : []
    let types = ([GST_MESSAGE_EOS, GST_MESSAGE_ERROR, GST_MESSAGE_WARNING] + posted).reduce(0) {
      $0 | $1.rawValue
    }
    guard
      let message = gst_bus_timed_pop_filtered(
        bus, GstClockTime(milliseconds) * 1_000_000, GstMessageType(rawValue: types))
    else { return nil }
    defer { gst_mini_object_unref(cgst_mini_object(message)) }
    switch cgst_message_type(message) {
    case GST_MESSAGE_EOS: return .endOfStream
    case GST_MESSAGE_ERROR: return .error(BusReport(message, gst_message_parse_error))
    case GST_MESSAGE_WARNING: return .warning(BusReport(message, gst_message_parse_warning))
    default: return Structure(message).map { .posted($0) }
    }
  }
}

extension BusReport {
  fileprivate init(
    _ message: UnsafeMutablePointer<GstMessage>,
    _ parse: (
      UnsafeMutablePointer<GstMessage>?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
    ) -> Void
  ) {
    var error: UnsafeMutablePointer<GError>?
    var detail: UnsafeMutablePointer<gchar>?
    parse(message, &error, &detail)
    defer { g_free(detail) }
    self.detail = detail.map { String(cString: $0) } ?? ""
    isMissingPlugin =
      g_error_matches(error, gst_core_error_quark(), gint(GST_CORE_ERROR_MISSING_PLUGIN.rawValue))
      != 0
    isMissingResource =
      g_error_matches(
        error, gst_resource_error_quark(), gint(GST_RESOURCE_ERROR_NOT_FOUND.rawValue)) != 0
    text = ClientError(error, or: "GStreamer reports an error without a text").text
    let object = message.pointee.src.map { UnsafeMutableRawPointer($0) }
    source = object.flatMap {
      let isElement = g_type_check_instance_is_a(
        $0.assumingMemoryBound(to: GTypeInstance.self), gst_element_get_type())
      return isElement != 0 ? Element($0.assumingMemoryBound(to: GstElement.self)) : nil
    }
  }
}
