import CGStreamer
import Client

/// How decoders are set before the first frame.
enum DecoderSettings {
  /// Returns whether the decoder may produce pixel formats that GStreamer does not know.
  static func apply(_ decoder: Element) -> Bool {
    guard decoder.has("direct-rendering") else { return false }
    // gst-libav requests a buffer pool before it checks that GStreamer knows the pixel format, and
    // fails with assertions where it does not, as with 16-bit 4:4:4. Without a pool it reports it.
    decoder.set("direct-rendering", "false")
    decoder.pad("sink")?.addProbe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [weak decoder] _, info in
      if let caps = info.caps, isKnown(caps) { decoder?.set("direct-rendering", "true") }
      return GST_PAD_PROBE_OK
    }
    return true
  }

  /// Whether all pixel formats of such a stream are known.
  ///
  /// Most films are, and save a copy per frame.
  private static func isKnown(_ caps: UnsafeMutablePointer<GstStructure>) -> Bool {
    var bits: guint = 0
    return ["video/x-h264", "video/x-h265"].contains(String(cString: gst_structure_get_name(caps)))
      && gst_structure_get_uint(caps, "bit-depth-luma", &bits) != 0 && bits == 8
  }
}
