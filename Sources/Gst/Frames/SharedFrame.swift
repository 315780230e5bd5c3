import CGStreamer

/// A frame of another description on the memory of `frame`, which comes back to its pool unchanged.
///
/// A buffer from a pool must not be given memory or have its GstVideoMeta altered: the pool would
/// throw it away, or lend it again with a false description. So a new buffer wraps its bytes, with
/// its times, flags and metadata, and lets go of it when the last of those bytes is dropped. A
/// frame that somebody else holds too is copied. Nil when memory runs out.
func sharedFrame(
  _ frame: UnsafeMutablePointer<GstBuffer>
) -> UnsafeMutablePointer<GstBuffer>? {
  guard isWritable(frame) else { return gst_buffer_copy_deep(frame) }
  let lease = FrameLease(frame)
  guard lease.isComplete, let result = gst_buffer_new() else { return gst_buffer_copy_deep(frame) }
  let parts =
    GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue
    | GST_BUFFER_COPY_META.rawValue
  gst_buffer_copy_into(result, frame, GstBufferCopyFlags(rawValue: parts), 0, gsize.max)
  for map in lease.maps {
    let memory = gst_memory_new_wrapped(
      GstMemoryFlags(rawValue: 0), map.data, map.size, 0, map.size,
      Unmanaged.passRetained(lease).toOpaque(),  // released when the memory is freed
      { Unmanaged<FrameLease>.fromOpaque($0!).release() })
    gst_buffer_append_memory(result, memory)
  }
  return result
}

/// Whether nobody else can see a change of the frame's metadata or bytes.
func isWritable(_ frame: UnsafeMutablePointer<GstBuffer>) -> Bool {
  let object = UnsafeMutableRawPointer(frame).assumingMemoryBound(to: GstMiniObject.self)
  return gst_mini_object_is_writable(object) != 0 && gst_buffer_is_all_memory_writable(frame) != 0
}

/// The mapped memories of a frame, held for as long as anybody uses them.
///
/// Let go on whatever thread is the last to need it.
private final class FrameLease {
  private let frame: UnsafeMutablePointer<GstBuffer>
  private(set) var maps: [GstMapInfo] = []
  let isComplete: Bool

  init(_ frame: UnsafeMutablePointer<GstBuffer>) {
    let count = gst_buffer_n_memory(frame)
    for index in 0..<count {
      var map = GstMapInfo()
      let flags = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
      guard gst_memory_map(gst_buffer_peek_memory(frame, index), &map, flags) != 0 else { break }
      maps.append(map)
    }
    isComplete = maps.count == Int(count)
    self.frame = frame
    gst_mini_object_ref(UnsafeMutableRawPointer(frame).assumingMemoryBound(to: GstMiniObject.self))
  }

  deinit {
    for var map in maps { gst_memory_unmap(map.memory, &map) }
    gst_mini_object_unref(
      UnsafeMutableRawPointer(frame).assumingMemoryBound(to: GstMiniObject.self))
  }
}
