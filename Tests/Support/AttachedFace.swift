package import CGStreamer
import Faces

/// A face in metadata, possibly with invalid values, that is attached to a buffer with GStreamer's
/// functions alone.
package struct AttachedFace: Sendable {
  package var id: UInt32 = 1
  /// The left and top edge, width and height in normalized coordinates.
  package var box = (x: 0.0, y: 0.0, width: 0.0, height: 0.0)
  /// The raw values of the two lists of points; nil omits the field.
  package var keypoints: [Float]?
  package var landmarks: [Float]?
  /// Further fields: doubles, and lists of floats as bytes.
  package var numbers: [(name: String, value: Double)] = []
  package var floats: [(name: String, values: [Float])] = []
  /// Further fields: unsigned integers, and bytes.
  package var counts: [(name: String, value: UInt32)] = []
  package var bytes: [(name: String, values: [UInt8])] = []

  package init(
    id: UInt32 = 1, x: Double, y: Double, width: Double, height: Double,
    keypoints: [Float]? = nil, landmarks: [Float]? = nil
  ) {
    self.id = id
    box = (x, y, width, height)
    self.keypoints = keypoints
    self.landmarks = landmarks
  }

  /// Attaches `MienFaces` with `faces` to a writable buffer.
  package static func attach(
    _ faces: [AttachedFace], measuredOn size: (UInt32, UInt32) = (320, 240),
    to buffer: UnsafeMutablePointer<GstBuffer>
  ) {
    guard let meta = gst_buffer_add_custom_meta(buffer, "MienFaces") else { return }
    let structure = gst_custom_meta_get_structure(meta)
    setUInt(structure, "width", size.0)
    setUInt(structure, "height", size.1)
    var list = GValue()
    gst_value_array_init(&list, guint(faces.count))
    for face in faces {
      var item = GValue()
      g_value_init(&item, g_type_from_name("GstStructure"))
      g_value_take_boxed(&item, UnsafeRawPointer(face.structure()))
      gst_value_array_append_and_take_value(&list, &item)
    }
    gst_structure_take_value(structure, "faces", &list)
  }

  /// Attaches a region of interest without parameters to a writable buffer, as third-party
  /// detectors do.
  package static func attachRegion(
    _ type: String = "face", x: UInt32, y: UInt32, width: UInt32, height: UInt32,
    to buffer: UnsafeMutablePointer<GstBuffer>
  ) {
    gst_buffer_add_video_region_of_interest_meta(buffer, type, x, y, width, height)
  }

  private func structure() -> UnsafeMutablePointer<GstStructure>? {
    let result = gst_structure_new_empty("face")
    Self.setUInt(result, "id", id)
    let doubles =
      [
        ("confidence", 0.9), ("x", box.x), ("y", box.y), ("width", box.width),
        ("height", box.height),
      ] + numbers.map { ($0.name, $0.value) }
    for (field, number) in doubles {
      var value = GValue()
      g_value_init(&value, g_type_from_name("gdouble"))
      g_value_set_double(&value, number)
      gst_structure_take_value(result, field, &value)
    }
    let lists: [(String, [Float]?)] = [("keypoints", keypoints), ("landmarks", landmarks)]
    for (field, floats) in lists + floats.map({ ($0.name, $0.values) }) {
      guard let floats else { continue }
      var value = GValue()
      g_value_init(&value, g_type_from_name("GBytes"))
      let bytes = floats.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
      g_value_take_boxed(&value, UnsafeRawPointer(bytes))
      gst_structure_take_value(result, field, &value)
    }
    for (field, count) in counts { Self.setUInt(result, field, count) }
    for (field, values) in bytes {
      var value = GValue()
      g_value_init(&value, g_type_from_name("GBytes"))
      let bytes = values.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
      g_value_take_boxed(&value, UnsafeRawPointer(bytes))
      gst_structure_take_value(result, field, &value)
    }
    return result
  }

  private static func setUInt(
    _ structure: UnsafeMutablePointer<GstStructure>?, _ field: String, _ number: UInt32
  ) {
    var value = GValue()
    g_value_init(&value, g_type_from_name("guint"))
    g_value_set_uint(&value, number)
    gst_structure_take_value(structure, field, &value)
  }
}
