package import CGStreamer

/// The metadata `MienFaces` or `MienHands` of a buffer, read through GStreamer's API as any application does.
package struct DetectionStructures {
  /// What was detected.
  package enum Kind {
    case faces, hands

    fileprivate var names: (metadata: String, list: String) {
      self == .faces ? ("MienFaces", "faces") : ("MienHands", "hands")
    }
  }

  /// Of the frame, in pixels.
  package let width, height: Int
  /// The structures "face" or "hand", valid as long as the buffer; no more than a detector writes.
  package private(set) var entries: [UnsafePointer<GstStructure>] = []

  /// The most entries of a frame, and the most points of a field: others may write the metadata too.
  private static let maximum = (entries: guint(64), points: 512)

  /// Nil without the metadata.
  package init?(_ kind: Kind, of buffer: UnsafeMutablePointer<GstBuffer>) {
    guard let meta = gst_buffer_get_custom_meta(buffer, kind.names.metadata),
      let contents = gst_custom_meta_get_structure(meta)
    else { return nil }
    var (width, height): (guint, guint) = (0, 0)
    gst_structure_get_uint(contents, "width", &width)
    gst_structure_get_uint(contents, "height", &height)
    (self.width, self.height) = (Int(width), Int(height))
    guard let list = gst_structure_get_value(contents, kind.names.list),
      g_type_check_value_holds(list, gst_value_array_get_type()) != 0
    else { return }
    for index in 0..<min(gst_value_array_get_size(list), Self.maximum.entries) {
      let item = gst_value_array_get_value(list, index)
      if let item, let entry = gst_value_get_structure(item) { entries.append(entry) }
    }
  }

  /// A field of bytes as groups of `size` floats.
  package static func points<T>(
    _ entry: UnsafePointer<GstStructure>, _ name: String, of size: Int, _ make: (SIMD3<Float>) -> T
  ) -> [T] {
    var length: gsize = 0
    guard let value = gst_structure_get_value(entry, name),
      g_type_check_value_holds(value, cgst_type_bytes()) != 0,
      let bytes = g_value_get_boxed(value),
      let data = g_bytes_get_data(OpaquePointer(bytes), &length)
    else { return [] }
    return (0..<min(Int(length) / (4 * size), maximum.points)).map { index in
      var group = SIMD3<Float>()
      for place in 0..<size {
        group[place] = data.loadUnaligned(
          fromByteOffset: 4 * (index * size + place), as: Float.self)
      }
      return make(group)
    }
  }
}
