package import CGStreamer

/// A value of any type that a metadata field can have.
package enum FieldValue: Sendable {
  case double(Double)
  case float(Float)
  case int(Int32)
  case uint(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case bool(Bool)
  case text(String)
  /// A string that is a null pointer.
  case nothing

  /// The value as a GValue, which the caller unsets or transfers.
  package var value: GValue {
    var value = GValue()
    func type(_ name: String) { g_value_init(&value, g_type_from_name(name)) }
    switch self {
    case .double(let number):
      type("gdouble")
      g_value_set_double(&value, number)
    case .float(let number):
      type("gfloat")
      g_value_set_float(&value, number)
    case .int(let number):
      type("gint")
      g_value_set_int(&value, number)
    case .uint(let number):
      type("guint")
      g_value_set_uint(&value, number)
    case .int64(let number):
      type("gint64")
      g_value_set_int64(&value, gint64(number))
    case .uint64(let number):
      type("guint64")
      g_value_set_uint64(&value, guint64(number))
    case .bool(let isTrue):
      type("gboolean")
      g_value_set_boolean(&value, isTrue ? 1 : 0)
    case .text(let text):
      type("gchararray")
      g_value_set_string(&value, text)
    case .nothing: type("gchararray")
    }
    return value
  }
}

/// `MienFaces` with fields of any type, attached to a buffer with GStreamer's functions alone.
package struct AttachedFields: Sendable {
  /// An entry of the list of faces.
  package enum Entry: Sendable {
    case face([(name: String, value: FieldValue)])
    /// A structure that is a null pointer.
    case nothing
    case value(FieldValue)
  }

  /// A face with a box in normalized coordinates; `make` converts each number to a field value.
  package static func face(
    id: FieldValue = .uint(1), x: Double, y: Double, width: Double, height: Double,
    _ make: (Double) -> FieldValue = { .double($0) }
  ) -> Entry {
    .face([
      ("id", id), ("x", make(x)), ("y", make(y)), ("width", make(width)), ("height", make(height)),
    ])
  }

  /// Attaches another `MienFaces` with a list of `entries`, which must all have the same type.
  package static func attach(
    _ entries: [Entry], asArray isArray: Bool = true, to buffer: UnsafeMutablePointer<GstBuffer>
  ) {
    var list = GValue()
    g_value_init(&list, g_type_from_name(isArray ? "GstValueArray" : "GstValueList"))
    for entry in entries {
      var item = GValue()
      switch entry {
      case .face(let fields):
        let structure = gst_structure_new_empty("face")
        for field in fields {
          var value = field.value.value
          gst_structure_take_value(structure, field.name, &value)
        }
        g_value_init(&item, g_type_from_name("GstStructure"))
        g_value_take_boxed(&item, UnsafeRawPointer(structure))
      case .nothing: g_value_init(&item, g_type_from_name("GstStructure"))
      case .value(let value): item = value.value
      }
      if isArray {
        gst_value_array_append_and_take_value(&list, &item)
      } else {
        gst_value_list_append_and_take_value(&list, &item)
      }
    }
    attach(list: list, to: buffer)
  }

  /// Attaches another `MienFaces` with any value as its list; nil omits the list.
  package static func attach(list: GValue?, to buffer: UnsafeMutablePointer<GstBuffer>) {
    guard let meta = gst_buffer_add_custom_meta(buffer, "MienFaces"), var list else { return }
    gst_structure_take_value(gst_custom_meta_get_structure(meta), "faces", &list)
  }

  /// Attaches a region of interest "face" with the parameter `object_id`, as trackers do.
  package static func attachRegion(
    id: Int32, x: UInt32, y: UInt32, width: UInt32, height: UInt32,
    to buffer: UnsafeMutablePointer<GstBuffer>
  ) {
    let region = gst_buffer_add_video_region_of_interest_meta(buffer, "face", x, y, width, height)
    let object = gst_structure_new_empty("object_id")
    var value = FieldValue.int(id).value
    gst_structure_take_value(object, "id", &value)
    gst_video_region_of_interest_meta_add_param(region, object)
  }
}
