import CGStreamer
import Client

/// Turns off direct rendering in decoders where it fails.
enum DirectRendering {
  /// Decides by the caps, before the first frame; returns whether the decoder may produce pixel
  /// formats that GStreamer does not know.
  ///
  /// gst-libav requests a buffer pool before it checks that GStreamer knows the pixel format, and
  /// fails with assertions where it does not, as with 16-bit 4:4:4. Without direct rendering it
  /// reports an error. Other codecs keep direct rendering: it saves a copy per frame, and without it
  /// gst-libav 1.26 loses all but the first frame of codecs that change a frame in place, as GIF.
  static func configure(_ decoder: Element) -> Bool {
    guard decoder.has("direct-rendering") else { return false }
    decoder.pad("sink")?.addProbe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [weak decoder] _, info in
      if let caps = info.caps {
        decoder?.set("direct-rendering", mayHaveUnknownPixelFormat(caps) ? "false" : "true")
      }
      return GST_PAD_PROBE_OK
    }
    return true
  }

  /// Codecs that also have pixel formats of 9 to 16 bits, or grey with alpha, in gst-libav's caps.
  private static let deepCodecs: Set<String> = [
    "image/jp2", "image/jpeg", "image/png", "image/tiff", "image/x-j2c", "image/x-jpc",
    "image/x-portable-anymap", "image/x-portable-graymap", "image/x-sgi", "video/x-av1",
    "video/x-cineform", "video/x-dirac", "video/x-dnxhd", "video/x-ffv", "video/x-gst-av-ffvhuff",
    "video/x-gst-av-magicyuv", "video/x-h264", "video/x-h265", "video/x-huffyuv", "video/x-prores",
    "video/x-vp9",
  ]

  /// Whether a stream may have a pixel format that GStreamer does not know.
  private static func mayHaveUnknownPixelFormat(_ caps: UnsafeMutablePointer<GstStructure>) -> Bool
  {
    let name = String(cString: gst_structure_get_name(caps))
    guard deepCodecs.contains(name) else { return false }
    guard ["video/x-h264", "video/x-h265"].contains(name) else { return true }
    var bits: guint = 0
    return gst_structure_get_uint(caps, "bit-depth-luma", &bits) == 0 || bits != 8
  }
}
