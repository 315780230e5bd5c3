package import CGStreamer

package typealias Buffer = UnsafeMutablePointer<GstBuffer>
package typealias Segment = UnsafePointer<GstSegment>

/// Casts a pointer to another type of the object, as GObject's cast macros do.
package func cast<T>(_ object: UnsafeMutablePointer<some Any>) -> UnsafeMutablePointer<T> {
  UnsafeMutableRawPointer(object).assumingMemoryBound(to: T.self)
}

/// Whether the frame's metadata and bytes have no other owner.
package func isWritable(_ frame: Buffer) -> Bool {
  gst_mini_object_is_writable(cast(frame)) != 0 && gst_buffer_is_all_memory_writable(frame) != 0
}

/// The frame itself if its bytes may be written, else a copy.
package func makeWritable(_ frame: Buffer) throws(ElementError) -> Buffer {
  try isWritable(frame) ? frame : requireCopy(gst_buffer_copy_deep(frame))
}

/// The frame itself if metadata may be added to it, else a buffer on the same memory.
package func makeMetadataWritable(_ frame: Buffer) throws(ElementError) -> Buffer {
  if gst_mini_object_is_writable(cast(frame)) != 0 { return frame }
  return try requireCopy(gst_mini_object_copy(cast(frame)).map { cast($0) })
}

/// The copy; throws if memory ran out.
private func requireCopy(_ copy: Buffer?) throws(ElementError) -> Buffer {
  guard let copy else {
    throw ElementError(.failed, "A frame could not be copied: memory ran out.")
  }
  return copy
}

extension StaticString {
  /// The text as a C string; a `String` would be copied to the heap in each call.
  package var cString: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

/// The GQuark of a static string.
package func quark(_ text: StaticString) -> GQuark { g_quark_from_static_string(text.cString) }
