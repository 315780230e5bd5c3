package import CGStreamer
package import Frames

/// Access to the GObject of an element: warnings, messages and properties.
///
/// Unowned: the GObject owns the Swift object that holds this. Usable on any thread.
package struct ElementHost: @unchecked Sendable {
  package let element: UnsafeMutablePointer<GstElement>

  var object: UnsafeMutablePointer<GObject> { cast(element) }

  /// Requests a caps negotiation before the next frame.
  func renegotiate() { gst_base_transform_reconfigure_src(cast(element)) }

  /// Sets a property from text, with a notification, as an application does.
  package func setProperty(_ name: String, _ value: String) {
    gst_util_set_object_arg(object, name, value)
  }

  /// Posts a warning message; the stream continues.
  package func warn(_ warning: ElementError) {
    warning.post(on: element, as: GST_MESSAGE_WARNING)
  }

  /// Posts an element message.
  package func post(_ structure: consuming Structure) {
    gst_element_post_message(element, gst_message_new_element(cast(element), structure.take()))
  }
}
