import CGStreamer
import Client

/// The largest frames that the elements accept; larger ones must not reach a decoder.
///
/// Some decoders allocate a frame although its caps were refused, and pngdec writes to memory that it
/// did not get. For any thread.
enum FrameSizeLimit {
  /// Pixels in each direction, as in the elements' caps.
  static let maximum = 16384

  /// What is wrong with a size; nil where nothing is.
  static func violation(width: Int, height: Int) -> String? {
    if width < 1 || height < 1 { return "it has no area: it is \(width) x \(height) pixels" }
    guard max(width, height) > maximum else { return nil }
    return "it is \(width) x \(height) pixels; \(maximum) in each direction are the most that can"
      + " be worked on, so make it smaller first"
  }

  /// Drops a decoder's input from the first caps on whose size is refused.
  ///
  /// `refuse` is called with the reason on the streaming thread. The thread goes on, because
  /// decodebin deadlocks where it is blocked.
  static func dropOversized(beforeSink pad: Pad, refuse: @escaping (String) -> Void) {
    var isRefused = false
    pad.addProbe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_BUFFER) { _, info in
      if let size = info.caps?.frameSize,
        let reason = violation(width: size.width, height: size.height)
      {
        isRefused = true
        refuse(reason)
        return GST_PAD_PROBE_DROP
      }
      // Events pass: GStreamer warns of buffers without a segment.
      return isRefused && info.buffer != nil ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }

  /// Calls `refuse` where a decoder itself finds a picture too large; the next element refuses the caps.
  static func reportOversized(atSource pad: Pad, refuse: @escaping (String) -> Void) {
    pad.addProbe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { _, info in
      // Some decoders give a size of 0 for what they cannot hold.
      if let size = info.caps?.frameSize, min(size.width, size.height) > 0,
        let reason = violation(width: size.width, height: size.height)
      {
        refuse(reason)
      }
      return GST_PAD_PROBE_OK
    }
  }
}
