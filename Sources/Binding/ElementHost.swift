import CGStreamer
package import Frames

/// The GStreamer side of an element, as its Swift side sees it: logs, warnings and messages.
///
/// Does not keep the element alive; the element owns the Swift object that holds this.
/// May be used from any thread, as GStreamer's own posting functions may.
package struct ElementHost: @unchecked Sendable {
  let element: UnsafeMutablePointer<GstElement>

  var object: UnsafeMutablePointer<GObject> { cast(element) }

  /// Asks for the caps to be agreed on again, before the next frame.
  func renegotiate() { gst_base_transform_reconfigure_src(cast(element)) }

  /// Sets a property as an application would, so that it is told too; `value` is its text.
  package func setProperty(_ name: String, _ value: String) {
    gst_util_set_object_arg(object, name, value)
  }

  /// Tells the application about something that is wrong and does not stop the stream.
  package func warn(_ warning: ElementError) {
    warning.post(on: element, as: GST_MESSAGE_WARNING)
  }

  /// Posts an element message.
  package func post(_ structure: consuming Structure) {
    gst_element_post_message(element, gst_message_new_element(cast(element), structure.take()))
  }
}
