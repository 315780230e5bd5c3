import CGStreamer
package import Pixels

/// An owned reference to a buffer.
package struct OwnedBuffer: ~Copyable {
  private let raw: Buffer

  fileprivate init(_ raw: Buffer) { self.raw = raw }

  deinit { gst_mini_object_unref(cast(raw)) }

  /// Transfers the reference to the caller.
  package consuming func take() -> Buffer {
    let taken = raw
    discard self
    return taken
  }
}

/// A pool of GRAY8 pictures.
///
/// A picture returns to the pool when its last reader releases it, on any thread, possibly after
/// the pool is deallocated.
package final class PicturePool {
  private let maximum: Int
  private var pool: UnsafeMutablePointer<GstBufferPool>?
  private var info = GstVideoInfo()

  /// Creates a pool with at most `maximum` pictures in use at a time.
  package init(maximum: Int) { self.maximum = maximum }

  deinit { close() }

  /// Frees the pictures that are not in use.
  package func close() {
    guard let pool else { return }
    gst_buffer_pool_set_active(pool, 0)
    gst_object_unref(pool)
    self.pool = nil
  }

  /// A picture of this size filled by `draw`; nil if too many are in use, or memory runs out.
  package func acquire(
    width: Int, height: Int, _ draw: (borrowing Picture) -> Void
  ) -> OwnedBuffer? {
    if pool == nil || Int(info.width) != width || Int(info.height) != height {
      makePool(width: width, height: height)
    }
    var buffer: Buffer?
    var parameters = GstBufferPoolAcquireParams()
    parameters.flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
    guard let pool, gst_buffer_pool_acquire_buffer(pool, &buffer, &parameters) == GST_FLOW_OK,
      let buffer
    else { return nil }
    let owned = OwnedBuffer(buffer)
    guard let format = VideoFormat(info),
      let mapped = try? MappedFrame(buffer, info, writable: true),
      let picture = try? mapped.picture(format)
    else { return nil }
    draw(picture)
    extendLifetime(mapped)
    return owned
  }

  private func makePool(width: Int, height: Int) {
    close()
    gst_video_info_set_format(&info, GST_VIDEO_FORMAT_GRAY8, guint(width), guint(height))
    guard let caps = gst_video_info_to_caps(&info), let made = gst_video_buffer_pool_new() else {
      return
    }
    defer { gst_mini_object_unref(cast(caps)) }
    let config = gst_buffer_pool_get_config(made)
    gst_buffer_pool_config_set_params(config, caps, guint(info.size), 0, guint(maximum))
    gst_buffer_pool_config_add_option(config, "GstBufferPoolOptionVideoMeta")
    guard gst_buffer_pool_set_config(made, config) != 0, gst_buffer_pool_set_active(made, 1) != 0
    else {
      gst_object_unref(made)
      return
    }
    pool = made
  }
}
