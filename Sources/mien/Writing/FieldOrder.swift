import CGStreamer
import Client

/// Gives an encoder the field order of streams whose caps leave it to the flags of each frame, as
/// those of MPEG-2.
///
/// x264enc takes such a stream for one that begins with the bottom field.
enum FieldOrder {
  /// Replaces the caps before the first frame, by its flags, as long as the pad lives.
  static func complete(before encoder: Element) {
    // The encoder's own pad expects a segment before its probes are asked.
    guard let sink = encoder.pad("sink"), let peer = gst_pad_get_peer(sink.raw) else { return }
    let source = Pad(peer)
    gst_object_unref(peer)
    let held = HeldEvents()
    source.addRawProbe(
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_BUFFER
    ) { source, info in
      if let buffer = info.buffer, let caps = held.caps {
        let flags = buffer.pointee.mini_object.flags
        let isTopFirst = flags & GST_VIDEO_BUFFER_FLAG_TFF.rawValue != 0
        set(caps, "interlace-mode", "interleaved")
        set(caps, "field-order", isTopFirst ? "top-field-first" : "bottom-field-first")
        if let sink = gst_pad_get_peer(source) {
          gst_pad_send_event(sink, gst_event_new_caps(caps))
          if let segment = held.segment {
            gst_pad_send_event(sink, segment)
            held.segment = nil
          }
          gst_object_unref(sink)
        }
        held.release()
      } else if held.caps != nil, let event = info.event, event.pointee.type == GST_EVENT_SEGMENT {
        if let old = held.segment { gst_mini_object_unref(cgst_mini_object(old)) }
        held.segment = event
        gst_mini_object_ref(cgst_mini_object(event))
        return GST_PAD_PROBE_DROP
      } else if let event = info.event, let caps = incompleteCaps(event) {
        held.release()
        held.caps = caps
        return GST_PAD_PROBE_DROP
      }
      return GST_PAD_PROBE_OK
    }
  }

  private static func set(
    _ caps: UnsafeMutablePointer<GstCaps>, _ field: String, _ text: String
  ) {
    var value = GValue()
    g_value_init(&value, cgst_type_string)
    g_value_set_string(&value, text)
    gst_caps_set_value(caps, field, &value)
    g_value_unset(&value)
  }

  /// A copy of an event's caps that have no order of fields; nil for other events.
  private static func incompleteCaps(
    _ event: UnsafeMutablePointer<GstEvent>
  ) -> UnsafeMutablePointer<GstCaps>? {
    guard event.pointee.type == GST_EVENT_CAPS else { return nil }
    var caps: UnsafeMutablePointer<GstCaps>?
    gst_event_parse_caps(event, &caps)
    guard let caps, let structure = gst_caps_get_structure(caps, 0),
      let mode = gst_structure_get_string(structure, "interlace-mode"),
      ["mixed", "interleaved"].contains(String(cString: mode)),
      gst_structure_has_field(structure, "field-order") == 0
    else { return nil }
    return gst_caps_copy(caps)
  }
}

/// The caps and the segment after them that wait for the first frame, each with a reference; a
/// stream that ends before it releases them with the pad's probe.
private final class HeldEvents {
  var caps: UnsafeMutablePointer<GstCaps>?
  var segment: UnsafeMutablePointer<GstEvent>?

  func release() {
    if let caps { gst_caps_unref(caps) }
    if let segment { gst_mini_object_unref(cgst_mini_object(segment)) }
    (caps, segment) = (nil, nil)
  }

  deinit { release() }
}
