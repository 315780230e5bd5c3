import CGStreamer
import Programs

/// How decoders are set before the first frame.
enum DecoderSettings {
  /// Whether the decoder is one that may meet formats of pixels that GStreamer does not know.
  static func apply(_ decoder: Element) -> Bool {
    guard decoder.has("direct-rendering") else { return false }
    // gst-libav asks for a pool of frames before it looks whether GStreamer knows their format, and
    // fails with assertions where it does not, as with 16 bits of 4:4:4. Without a pool it says so.
    decoder.set("direct-rendering", "false")
    decoder.pad("sink")?.probe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [weak decoder] _, info in
      if let event = gst_pad_probe_info_get_event(info), DecoderSettings.isKnown(event) {
        decoder?.set("direct-rendering", "true")
      }
      return GST_PAD_PROBE_OK
    }
    return true
  }

  /// Whether all formats of a stream with these caps are known: for most films, which are spared a
  /// copy of each frame.
  private static func isKnown(_ event: UnsafeMutablePointer<GstEvent>) -> Bool {
    guard cgst_event_type(event) == GST_EVENT_CAPS else { return false }
    var caps: UnsafeMutablePointer<GstCaps>?
    gst_event_parse_caps(event, &caps)
    guard let caps, let shape = gst_caps_get_structure(caps, 0) else { return false }
    var bits: guint = 0
    return ["video/x-h264", "video/x-h265"].contains(MediaType.name(UnsafePointer(shape)))
      && gst_structure_get_uint(shape, "bit-depth-luma", &bits) != 0 && bits == 8
  }
}
