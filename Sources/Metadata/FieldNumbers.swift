import CGStreamer
package import Frames

/// Numbers in the fields of metadata, whatever type their writer gave them.
enum FieldNumber {
  /// The number of a field; nil where it is missing, or no number.
  static func double(_ fields: UnsafePointer<GstStructure>?, _ name: StaticString) -> Double? {
    gst_structure_get_value(fields, name.characters).flatMap { double($0) }
  }

  /// The number that a value holds; nil where it holds something else.
  static func double(_ value: UnsafePointer<GValue>) -> Double? {
    switch g_type_fundamental(value.pointee.g_type) {
    case cgst_type_double: g_value_get_double(value)
    case cgst_type_float: Double(g_value_get_float(value))
    case cgst_type_int: Double(g_value_get_int(value))
    case cgst_type_uint: Double(g_value_get_uint(value))
    case cgst_type_long: Double(g_value_get_long(value))
    case cgst_type_ulong: Double(g_value_get_ulong(value))
    case cgst_type_int64: Double(g_value_get_int64(value))
    case cgst_type_uint64: Double(g_value_get_uint64(value))
    default: nil
    }
  }

  /// A tracking number: the lower 32 bits of a whole number; 0, which is nobody's, where there is none.
  static func id(_ fields: UnsafePointer<GstStructure>?, _ name: StaticString) -> UInt32 {
    guard let value = gst_structure_get_value(fields, name.characters) else { return 0 }
    switch g_type_fundamental(value.pointee.g_type) {
    case cgst_type_int: return UInt32(bitPattern: g_value_get_int(value))
    case cgst_type_uint: return g_value_get_uint(value)
    case cgst_type_long: return UInt32(truncatingIfNeeded: g_value_get_long(value))
    case cgst_type_ulong: return UInt32(truncatingIfNeeded: g_value_get_ulong(value))
    case cgst_type_int64: return UInt32(truncatingIfNeeded: g_value_get_int64(value))
    case cgst_type_uint64: return UInt32(truncatingIfNeeded: g_value_get_uint64(value))
    default: return double(value).flatMap { UInt32(exactly: $0) } ?? 0
    }
  }

  /// Changes a field that holds a number, which becomes a double.
  static func set(
    _ fields: UnsafeMutablePointer<GstStructure>, _ name: StaticString, _ number: Double
  ) {
    guard let found = gst_structure_get_value(fields, name.characters), double(found) != nil else {
      return
    }
    let value = UnsafeMutablePointer(mutating: found)
    if g_type_fundamental(value.pointee.g_type) != cgst_type_double {
      g_value_unset(value)
      g_value_init(value, cgst_type_double)
    }
    g_value_set_double(value, number)
  }
}
