import CGStreamer
import Faces
import Frames
import Pixels

// Checked views of metadata that other elements wrote. The only file of this module with unsafe
// code.

/// The fields of a structure in the metadata of a frame.
///
/// Valid until that metadata is removed. Fields are changed in place, without new memory.
@safe struct Fields {
  private let structure: UnsafeMutablePointer<GstStructure>

  init?(_ structure: UnsafeMutablePointer<GstStructure>?) {
    guard let structure = unsafe structure else { return nil }
    unsafe self.structure = unsafe structure
  }

  // MARK: Numbers

  /// The value of a numeric field of any type; nil if it is missing or not a number.
  func number(_ name: StaticString) -> Double? {
    guard let value = unsafe value(name) else { return nil }
    return unsafe Self.number(value)
  }

  /// A tracking id: the lower 32 bits of an integer; 0, which means no id, if there is none.
  func id(_ name: StaticString) -> UInt32 {
    guard let value = unsafe value(name) else { return 0 }
    return switch unsafe g_type_fundamental(value.pointee.g_type) {
    case cgst_type_double, cgst_type_float: number(name).flatMap { UInt32(exactly: $0) } ?? 0
    case cgst_type_uint64: unsafe UInt32(truncatingIfNeeded: g_value_get_uint64(value))
    case cgst_type_ulong: unsafe UInt32(truncatingIfNeeded: g_value_get_ulong(value))
    default: unsafe Self.integer(value).map { UInt32(truncatingIfNeeded: $0) } ?? 0
    }
  }

  private static func number(_ value: UnsafePointer<GValue>) -> Double? {
    switch unsafe g_type_fundamental(value.pointee.g_type) {
    case cgst_type_double: unsafe g_value_get_double(value)
    case cgst_type_float: unsafe Double(g_value_get_float(value))
    case cgst_type_ulong: unsafe Double(g_value_get_ulong(value))
    case cgst_type_uint64: unsafe Double(g_value_get_uint64(value))
    default: unsafe integer(value).map { Double($0) }
    }
  }

  /// The value of an integer type that fits in a signed 64-bit integer.
  private static func integer(_ value: UnsafePointer<GValue>) -> Int? {
    switch unsafe g_type_fundamental(value.pointee.g_type) {
    case cgst_type_int: unsafe Int(g_value_get_int(value))
    case cgst_type_uint: unsafe Int(g_value_get_uint(value))
    case cgst_type_long: unsafe Int(g_value_get_long(value))
    case cgst_type_int64: unsafe Int(g_value_get_int64(value))
    default: nil
    }
  }

  /// The value of a field of type double; nil for any other type.
  func double(_ name: StaticString) -> Double? {
    var number = 0.0
    return unsafe gst_structure_get_double(structure, name.cString, &number) != 0 ? number : nil
  }

  /// The value of a field of type uint; nil for any other type.
  func uint(_ name: StaticString) -> Int? {
    var number: guint = 0
    return unsafe gst_structure_get_uint(structure, name.cString, &number) != 0
      ? Int(number) : nil
  }

  /// Replaces the value of a numeric field by a double; ignores other fields.
  func setNumber(_ name: StaticString, _ number: Double) {
    guard let value = unsafe mutableValue(name), unsafe Self.number(value) != nil else { return }
    if unsafe g_type_fundamental(value.pointee.g_type) != cgst_type_double {
      unsafe g_value_unset(value)
      unsafe g_value_init(value, cgst_type_double)
    }
    unsafe g_value_set_double(value, number)
  }

  /// The value of a field of type string; nil for any other type.
  func text(_ name: StaticString) -> String? {
    guard let text = unsafe gst_structure_get_string(structure, name.cString) else { return nil }
    return unsafe String(cString: text)
  }

  // MARK: Bytes

  /// The bytes of a field of type GBytes.
  func bytes(_ name: StaticString) -> ByteView? {
    var count: gsize = 0
    guard let value = unsafe value(name),
      unsafe g_type_check_value_holds(value, cgst_type_bytes()) != 0,
      let boxed = unsafe g_value_get_boxed(value),
      let data = unsafe g_bytes_get_data(OpaquePointer(boxed), &count)
    else { return nil }
    return unsafe ByteView(data, count)
  }

  /// The bytes of a field of type GVariant that is an array of bytes, as in tensors of DL Streamer.
  func tensor(_ name: StaticString) -> ByteView? {
    var count: gsize = 0
    guard let value = unsafe value(name),
      unsafe g_type_check_value_holds(value, cgst_type_variant) != 0,
      let variant = unsafe g_value_get_variant(value),
      unsafe g_strcmp0(g_variant_get_type_string(variant), Self.byteArray.cString) == 0,
      let data = unsafe g_variant_get_fixed_array(variant, &count, 1)
    else { return nil }
    return unsafe ByteView(data, count)
  }

  /// Replaces the points in a field of type GBytes: the first two of each `size` floats.
  func mapPoints(_ name: StaticString, size: Int, _ map: (Point) -> Point) {
    // Bytes with one owner are moved out; others are copied.
    guard bytes(name) != nil, let value = unsafe mutableValue(name),
      let boxed = unsafe cgst_value_steal_boxed(value)
    else { return }
    var count: gsize = 0
    let data = unsafe g_bytes_unref_to_data(OpaquePointer(boxed), &count)
    if let data = unsafe data { unsafe Self.mapPoints(data, Int(count), size, map) }
    unsafe g_value_take_boxed(value, UnsafeRawPointer(g_bytes_new_take(data, count)))
  }

  /// The size in bytes of a block for the points of a region: 16 points; regions have five.
  private static let blockSize: gsize = 128
  private static let byteArray: StaticString = "ay"

  /// Replaces the points in a tensor of at most 16 points: pairs of floats.
  func mapTensorPoints(_ name: StaticString, _ map: (Point) -> Point) {
    guard let old = tensor(name), (1...Int(Self.blockSize)).contains(old.count),
      let value = unsafe mutableValue(name),
      // GLib reuses slices, so that frames allocate nothing.
      let copy = unsafe g_slice_alloc(Self.blockSize)
    else { return }
    for index in 0..<old.count {
      unsafe copy.storeBytes(of: old[index], toByteOffset: index, as: UInt8.self)
    }
    unsafe Self.mapPoints(copy, old.count, 2, map)
    let bytes = unsafe g_bytes_new_with_free_func(
      copy, gsize(old.count), { unsafe g_slice_free1(Fields.blockSize, $0) }, copy)
    // A GVariantType pointer is a pointer to its type string.
    let type = unsafe OpaquePointer(Self.byteArray.cString)
    unsafe g_value_set_variant(value, g_variant_new_from_bytes(type, bytes, 1))
    unsafe g_bytes_unref(bytes)
  }

  private static func mapPoints(
    _ data: UnsafeMutableRawPointer, _ count: Int, _ size: Int, _ map: (Point) -> Point
  ) {
    let view = unsafe ByteView(data, gsize(count))
    for index in 0..<count / (4 * size) {
      let moved = map(view.point(at: index * size))
      unsafe data.storeBytes(of: Float(moved.x), toByteOffset: 4 * index * size, as: Float.self)
      unsafe data.storeBytes(of: Float(moved.y), toByteOffset: 4 * index * size + 4, as: Float.self)
    }
  }

  // MARK: Values

  /// The faces that a field lists; nil if it has no list.
  func list(_ name: StaticString) -> FieldsList? {
    guard let value = unsafe value(name) else { return nil }
    return unsafe FieldsList(value)
  }

  private func value(_ name: StaticString) -> UnsafePointer<GValue>? {
    unsafe gst_structure_get_value(structure, name.cString)
  }

  @safe private struct Search {
    let field: GQuark
    var value: UnsafeMutablePointer<GValue>?
  }

  /// The value of a field, to be changed in place.
  private func mutableValue(_ name: StaticString) -> UnsafeMutablePointer<GValue>? {
    var search = unsafe Search(field: quark(name), value: nil)
    _ = unsafe gst_structure_map_in_place(
      structure,
      { field, value, data in
        let search = unsafe data!.assumingMemoryBound(to: Search.self)
        guard unsafe search.pointee.field == field else { return 1 }
        unsafe search.pointee.value = unsafe value
        return 0
      }, &search)
    return unsafe search.value
  }
}

/// The structures in a GstValueArray or GstValueList.
@safe struct FieldsList {
  private let list: UnsafePointer<GValue>
  private let isArray: Bool
  let count: Int

  fileprivate init?(_ list: UnsafePointer<GValue>) {
    // Writers in other languages use lists instead of arrays.
    isArray = unsafe g_type_check_value_holds(list, cgst_type_array()) != 0
    guard unsafe isArray || g_type_check_value_holds(list, cgst_type_list()) != 0 else {
      return nil
    }
    count = unsafe Int(isArray ? gst_value_array_get_size(list) : gst_value_list_get_size(list))
    unsafe self.list = unsafe list
  }

  /// The fields of an entry; nil if it is not a structure.
  subscript(index: Int) -> Fields? {
    precondition((0..<count).contains(index), "no entry \(index) of \(count)")
    let item =
      unsafe isArray
      ? gst_value_array_get_value(list, guint(index)) : gst_value_list_get_value(list, guint(index))
    guard let item = unsafe item,
      unsafe g_type_check_value_holds(item, cgst_type_structure()) != 0
    else { return nil }
    return unsafe Fields(g_value_get_boxed(item)?.assumingMemoryBound(to: GstStructure.self))
  }
}

/// Bytes that another element wrote; valid until the field that holds them changes.
@safe struct ByteView {
  private let data: UnsafeRawPointer
  let count: Int

  fileprivate init(_ data: UnsafeRawPointer, _ count: gsize) {
    unsafe self.data = unsafe data
    self.count = Int(count)
  }

  subscript(index: Int) -> UInt8 {
    precondition((0..<count).contains(index), "byte \(index) of \(count)")
    return unsafe data.load(fromByteOffset: index, as: UInt8.self)
  }

  /// A 32-bit float, by its index among floats.
  func float(at index: Int) -> Float {
    precondition(index >= 0 && index < count / 4, "float \(index) of \(count / 4)")
    return unsafe data.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
  }

  /// The point whose x is the float at `index`.
  func point(at index: Int) -> Point {
    Point(x: Double(float(at: index)), y: Double(float(at: index + 1)))
  }
}

extension RegionOfInterest {
  /// The fields of a parameter.
  func parameter(_ name: StaticString) -> Fields? { unsafe Fields(parameterStructure(name)) }
}

extension BufferMetadata {
  /// Calls `body` with the fields of each metadata of a name until it returns false.
  func forEach(_ name: StaticString, _ body: (Fields?) -> Bool) {
    unsafe CustomMetadata.forEach(name, on: buffer) { unsafe body(Fields($0)) }
  }

  /// Replaces all metadata of a name, because readers would read older ones.
  func replace(_ name: StaticString, _ contents: consuming Structure) {
    unsafe CustomMetadata.remove(name, from: buffer)
    unsafe CustomMetadata.add(name, contents, to: buffer)
  }
}

extension FrameHeader {
  var metadata: BufferMetadata { unsafe BufferMetadata(buffer) }
}

/// Registers metadata of this name with GStreamer; `move` transforms it to another frame.
func registerMetadata(
  _ name: StaticString,
  _ move:
    @escaping @Sendable (
      Fields?, FrameTransform, (width: Int, height: Int), BufferMetadata
    ) -> CustomMetadata.Outcome
) {
  unsafe CustomMetadata.register(name) { contents, transform, target in
    let (size, newSize) = (transform.size, transform.newSize)
    let placement = FrameTransform(
      matrix: transform.matrix, source: transform.source, target: transform.target,
      size: Point(x: Double(size.width), y: Double(size.height)),
      newSize: Point(x: Double(newSize.width), y: Double(newSize.height)))
    guard let placement else { return .done }
    return unsafe move(Fields(contents), placement, transform.newSize, BufferMetadata(target))
  }
}
