import CGStreamer
import CGTK4

/// A frame as the window shows it.
final class Frame {
  /// Owned; what is drawn keeps the frame's memory.
  let texture: OpaquePointer
  let width, height: Int
  /// In nanoseconds of the pipeline's running time.
  let time: UInt?
  /// In seconds, as it was handed to the window.
  var lateness = 0.0
  /// Frames before it that nobody saw.
  var skipped = 0

  /// Nil where the sample is no picture of ours.
  init?(_ sample: OpaquePointer, hasAlpha: Bool) {
    guard let buffer = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample),
      let mapped = MappedFrame(buffer, caps)
    else { return nil }
    guard mapped.stride >= 4 * mapped.width else { return nil }
    (width, height) = (mapped.width, mapped.height)
    let segment = gst_sample_get_segment(sample)
    let time = gst_segment_to_running_time(segment, GST_FORMAT_TIME, buffer.pointee.pts)
    self.time = time == cgst_clock_time_none ? nil : time
    let bytes = g_bytes_new_with_free_func(
      mapped.data, gsize(mapped.stride * mapped.height),
      { Unmanaged<AnyObject>.fromOpaque($0!).release() }, Unmanaged.passRetained(mapped).toOpaque())
    defer { g_bytes_unref(bytes) }
    // Without holes the colours are what they are, and need no conversion.
    texture = gdk_memory_texture_new(
      Int32(width), Int32(height),
      hasAlpha ? GDK_MEMORY_B8G8R8A8 : GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes,
      gsize(mapped.stride))
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(texture)) }
}

/// A buffer's first plane, readable as long as this lives.
final class MappedFrame {
  private var frame = GstVideoFrame()
  let width, height, stride: Int
  let data: UnsafeMutableRawPointer

  init?(_ buffer: UnsafeMutablePointer<GstBuffer>, _ caps: UnsafeMutablePointer<GstCaps>) {
    var info = GstVideoInfo()
    guard gst_video_info_from_caps(&info, caps) != 0,
      gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ) != 0
    else { return nil }
    (width, height) = (Int(info.width), Int(info.height))
    stride = Int(cgst_frame_stride(&frame, 0))
    var available: gsize = 0
    guard let data = cgst_frame_plane(&frame, 0, &available), Int(available) >= stride * height
    else {
      gst_video_frame_unmap(&frame)
      return nil
    }
    self.data = UnsafeMutableRawPointer(data)
  }

  deinit { gst_video_frame_unmap(&frame) }
}
