import CGStreamer

// What is asked of GStreamer's buffers again and again.

func miniObject(
  _ buffer: UnsafeMutablePointer<GstBuffer>
) -> UnsafeMutablePointer<GstMiniObject> {
  UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self)
}

/// Whether nobody else can see a change of the frame's metadata or bytes.
func isWritable(_ frame: UnsafeMutablePointer<GstBuffer>) -> Bool {
  gst_mini_object_is_writable(miniObject(frame)) != 0
    && gst_buffer_is_all_memory_writable(frame) != 0
}

/// The frame itself where its bytes may be written, else a copy.
func writable(
  _ frame: UnsafeMutablePointer<GstBuffer>
) throws(ElementError) -> UnsafeMutablePointer<GstBuffer> {
  if isWritable(frame) { return frame }
  return try copied(gst_buffer_copy_deep(frame))
}

/// The frame itself where metadata may be added to it, else a buffer on the same memory.
func withOwnMetadata(
  _ frame: UnsafeMutablePointer<GstBuffer>
) throws(ElementError) -> UnsafeMutablePointer<GstBuffer> {
  if gst_mini_object_is_writable(miniObject(frame)) != 0 { return frame }
  return try copied(
    gst_mini_object_copy(miniObject(frame)).map {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: GstBuffer.self)
    })
}

private func copied(
  _ copy: UnsafeMutablePointer<GstBuffer>?
) throws(ElementError) -> UnsafeMutablePointer<GstBuffer> {
  guard let copy else {
    throw ElementError(.failed, "A frame could not be copied: memory ran out.")
  }
  return copy
}
