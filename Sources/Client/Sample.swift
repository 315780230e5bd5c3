package import CGStreamer

/// A buffer with its caps and, where it comes from a sink, its segment; holds a reference.
package final class Sample {
  package let raw: OpaquePointer

  /// Takes over a reference.
  package init(adopting raw: OpaquePointer) { self.raw = raw }

  /// Takes references to both.
  package init?(
    _ buffer: UnsafeMutablePointer<GstBuffer>, _ caps: UnsafeMutablePointer<GstCaps>
  ) {
    guard let raw = gst_sample_new(buffer, caps, nil, nil) else { return nil }
    self.raw = raw
  }

  deinit { gst_mini_object_unref(cgst_mini_object(UnsafeMutableRawPointer(raw))) }

  package var buffer: UnsafeMutablePointer<GstBuffer>? { gst_sample_get_buffer(raw) }
  package var caps: UnsafeMutablePointer<GstCaps>? { gst_sample_get_caps(raw) }

  /// The running time of the buffer in nanoseconds; nil without a time, or outside of the segment.
  package var runningTime: Int? {
    guard let buffer else { return nil }
    let time = gst_segment_to_running_time(
      gst_sample_get_segment(raw), GST_FORMAT_TIME, buffer.pointee.pts)
    return time == cgst_clock_time_none ? nil : Int(time)
  }
}
