import CGStreamer
import Programs

/// Sizes that the elements take; what is larger must not get as far as a decoder.
///
/// Some decoders ask for the memory of a frame although the size that they announced was refused, and
/// pngdec writes to memory that it did not get. For any thread.
enum FrameSizes {
  /// Pixels in each direction, as the elements' caps have them.
  static let largest = 16384

  /// What is wrong with a size; nil where nothing is.
  static func reason(width: Int, height: Int) -> String? {
    if width < 1 || height < 1 { return "it has no area: it is \(width) x \(height) pixels" }
    guard max(width, height) > largest else { return nil }
    return "it is \(width) x \(height) pixels; \(largest) in each direction are the most that can"
      + " be worked on, so make it smaller first"
  }

  /// Keeps from a decoder what its sink pad gets once the caps there say a size that is refused.
  ///
  /// `refuse` is called with the reason, on the streaming thread, which goes on: decodebin waits for
  /// itself where it is held up.
  static func watch(sink pad: Pad, refuse: @escaping (String) -> Void) {
    var isRefused = false
    pad.probe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_BUFFER) { _, info in
      if let size = FrameSizes.size(info),
        let reason = FrameSizes.reason(width: size.width, height: size.height)
      {
        isRefused = true
        refuse(reason)
        return GST_PAD_PROBE_DROP
      }
      // Events pass: GStreamer warns of frames that come without a segment.
      let isBuffer = info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0
      return isRefused && isBuffer ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }

  /// Calls `refuse` where a decoder found out by itself that a picture is too large; what follows
  /// refuses the caps.
  static func watch(source pad: Pad, refuse: @escaping (String) -> Void) {
    pad.probe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { _, info in
      // Some say that there is no area in what they could not hold.
      if let size = FrameSizes.size(info), min(size.width, size.height) > 0,
        let reason = FrameSizes.reason(width: size.width, height: size.height)
      {
        refuse(reason)
      }
      return GST_PAD_PROBE_OK
    }
  }

  /// What the caps say that pass; nil where something else passes, or they say none.
  private static func size(
    _ info: UnsafeMutablePointer<GstPadProbeInfo>
  ) -> (width: Int, height: Int)? {
    guard info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue == 0,
      let event = gst_pad_probe_info_get_event(info), cgst_event_type(event) == GST_EVENT_CAPS
    else { return nil }
    var caps: UnsafeMutablePointer<GstCaps>?
    gst_event_parse_caps(event, &caps)
    guard let caps, let shape = gst_caps_get_structure(caps, 0) else { return nil }
    var (width, height): (gint, gint) = (0, 0)
    guard gst_structure_get_int(shape, "width", &width) != 0,
      gst_structure_get_int(shape, "height", &height) != 0
    else { return nil }
    return (Int(width), Int(height))
  }
}
