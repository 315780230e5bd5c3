import CGStreamer
import CGTK4
import Client

/// A frame as a texture of the window.
final class Frame {
  /// Owned; it keeps the frame's memory.
  let texture: OpaquePointer
  let width, height: Int
  /// In nanoseconds of the pipeline's running time.
  let time: Int?
  /// The latency in seconds.
  var lateness = 0.0
  /// The number of frames before it that were dropped.
  var dropped = 0

  /// Nil where the sample is not a BGRA frame.
  init?(_ sample: Sample, hasAlpha: Bool) {
    guard let buffer = sample.buffer, let caps = sample.caps,
      let mapped = MappedFrame(buffer, caps)
    else { return nil }
    guard mapped.stride >= 4 * mapped.width else { return nil }
    (width, height) = (mapped.width, mapped.height)
    time = sample.runningTime
    let bytes = g_bytes_new_with_free_func(
      mapped.data, gsize(mapped.stride * mapped.height),
      releaseBox, Unmanaged.passRetained(mapped).toOpaque())
    defer { g_bytes_unref(bytes) }
    // Opaque frames need no conversion to premultiplied alpha.
    texture = gdk_memory_texture_new(
      Int32(width), Int32(height),
      hasAlpha ? GDK_MEMORY_B8G8R8A8 : GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes,
      gsize(mapped.stride))
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(texture)) }
}

/// A frame mapped for reading: its first plane.
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
