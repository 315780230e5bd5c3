package import CGStreamer

/// A GstStructure under construction: a name and typed fields.
///
/// Owns the C structure until `take()` transfers it.
package struct Structure: ~Copyable {
  private var raw: UnsafeMutablePointer<GstStructure>?

  package init(_ name: StaticString) { raw = gst_structure_new_empty(name.cString) }

  deinit { if raw != nil { gst_structure_free(raw) } }

  /// Transfers ownership of the C structure to the caller.
  package consuming func take() -> UnsafeMutablePointer<GstStructure>? {
    let taken = raw
    raw = nil
    return taken
  }

  package func set(_ field: StaticString, _ value: Double) {
    set(field, cgst_type_double) { g_value_set_double($0, value) }
  }

  package func set(_ field: StaticString, _ value: UInt32) {
    set(field, cgst_type_uint) { g_value_set_uint($0, value) }
  }

  package func set(_ field: StaticString, _ value: Int32) {
    set(field, cgst_type_int) { g_value_set_int($0, value) }
  }

  package func set(_ field: StaticString, time value: UInt64?) {
    set(field, cgst_type_uint64) {
      g_value_set_uint64($0, value.map { guint64($0) } ?? cgst_clock_time_none)
    }
  }

  package func set(_ field: StaticString, _ value: String) {
    set(field, cgst_type_string) { g_value_set_string($0, value) }
  }

  /// Sets a GBytes with `count` 32-bit floats, little endian, that `fill` writes.
  package func set(
    _ field: StaticString, floats count: Int, _ fill: (inout MutableSpan<Float>) -> Void
  ) {
    set(field, cgst_type_bytes()) { value in
      g_value_take_boxed(value, UnsafeRawPointer(Self.makeFloatBytes(count, fill)))
    }
  }

  /// Sets a GBytes with `count` bytes that `fill` writes.
  package func set(
    _ field: StaticString, bytes count: Int, _ fill: (inout MutableSpan<UInt8>) -> Void
  ) {
    set(field, cgst_type_bytes()) { value in
      guard let block = g_malloc(gsize(count)) else { return }
      let bytes = UnsafeMutableBufferPointer(
        start: block.bindMemory(to: UInt8.self, capacity: count), count: count)
      var span = bytes.mutableSpan
      fill(&span)
      g_value_take_boxed(value, UnsafeRawPointer(g_bytes_new_take(block, gsize(count))))
    }
  }

  /// Sets a GVariant byte array with `count` 32-bit floats, as DL Streamer's tensors do.
  package func set(
    _ field: StaticString, tensor count: Int, _ fill: (inout MutableSpan<Float>) -> Void
  ) {
    set(field, cgst_type_variant) { value in
      let bytes = Self.makeFloatBytes(count, fill)
      let type = g_variant_type_new("ay")
      g_value_set_variant(value, g_variant_new_from_bytes(type, bytes, 1))
      g_variant_type_free(type)
      g_bytes_unref(bytes)
    }
  }

  /// Sets a GstValueArray of unsigned integers.
  package func set(_ field: StaticString, array values: [UInt32]) {
    set(field, cgst_type_array()) { list in
      for value in values {
        var item = Self.makeValue(cgst_type_uint) { g_value_set_uint($0, value) }
        gst_value_array_append_and_take_value(list, &item)
      }
    }
  }

  /// Sets a GstValueArray of structures made by `make`.
  package func set(_ field: StaticString, arrayOf count: Int, _ make: (Int) -> Structure) {
    setStructures(field, cgst_type_array(), count, make, gst_value_array_append_and_take_value)
  }

  /// Sets a GstValueList of structures made by `make`.
  package func set(_ field: StaticString, listOf count: Int, _ make: (Int) -> Structure) {
    setStructures(field, cgst_type_list(), count, make, gst_value_list_append_and_take_value)
  }

  private func setStructures(
    _ field: StaticString, _ type: GType, _ count: Int, _ make: (Int) -> Structure,
    _ append: (UnsafeMutablePointer<GValue>?, UnsafeMutablePointer<GValue>?) -> Void
  ) {
    set(field, type) { list in
      for index in 0..<count {
        let raw = make(index).take()
        var item = Self.makeValue(cgst_type_structure()) {
          g_value_take_boxed($0, UnsafeRawPointer(raw))
        }
        append(list, &item)
      }
    }
  }

  private func set(
    _ field: StaticString, _ type: GType, _ fill: (UnsafeMutablePointer<GValue>) -> Void
  ) {
    var value = Self.makeValue(type, fill)
    gst_structure_take_value(raw, field.cString, &value)
  }

  private static func makeValue(
    _ type: GType, _ fill: (UnsafeMutablePointer<GValue>) -> Void
  ) -> GValue {
    var value = GValue()
    g_value_init(&value, type)
    fill(&value)
    return value
  }

  private static func makeFloatBytes(
    _ count: Int, _ fill: (inout MutableSpan<Float>) -> Void
  ) -> OpaquePointer? {
    // The metadata is little endian, as are all supported CPUs.
    let size = count * MemoryLayout<Float>.stride
    guard let block = g_malloc(gsize(size)) else { return g_bytes_new(nil, 0) }
    let floats = UnsafeMutableBufferPointer(
      start: block.bindMemory(to: Float.self, capacity: count), count: count)
    var span = floats.mutableSpan
    fill(&span)
    return g_bytes_new_take(block, gsize(size))
  }
}
