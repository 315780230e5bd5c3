package import CGStreamer
import CJSONGLib
package import Files

/// Properties, metadata and presets.
extension Element {
  private var object: UnsafeMutablePointer<GObject> { cast(to: GObject.self) }

  private func classStructure<Class>(_: Class.Type) -> UnsafeMutablePointer<Class> {
    UnsafeMutableRawPointer(cast(to: GTypeInstance.self).pointee.g_class!)
      .assumingMemoryBound(to: Class.self)
  }

  // MARK: Properties

  /// The specification of a property; nil where the element has no such property.
  package func specification(_ property: String) -> UnsafeMutablePointer<GParamSpec>? {
    g_object_class_find_property(classStructure(GObjectClass.self), property)
  }

  package func has(_ property: String) -> Bool { specification(property) != nil }

  /// Whether the property holds a string.
  package func isString(_ property: String) -> Bool {
    specification(property)?.pointee.value_type == cgst_type_string
  }

  /// The specifications of all properties.
  package var specifications: [UnsafeMutablePointer<GParamSpec>] {
    var count: guint = 0
    guard let list = g_object_class_list_properties(classStructure(GObjectClass.self), &count)
    else { return [] }
    defer { g_free(list) }
    return (0..<Int(count)).compactMap { list[$0] }
  }

  /// Sets a property from text in gst-launch syntax: a number, or the nick of an enumeration.
  package func set(_ property: String, _ text: String) {
    gst_util_set_object_arg(object, property, text)
  }

  /// Sets a string property to these bytes, which are not parsed: a file's name, for example.
  package func set(_ property: String, string: FilePath) {
    var value = GValue()
    g_value_init(&value, cgst_type_string)
    string.withCString { g_value_set_string(&value, $0) }
    g_object_set_property(object, property, &value)
    g_value_unset(&value)
  }

  /// Sets the property "caps" from text in gst-launch syntax.
  package func setCaps(_ text: String) {
    guard let caps = gst_caps_from_string(text) else { return }
    defer { gst_mini_object_unref(cgst_mini_object(caps)) }
    var value = GValue()
    g_value_init(&value, gst_caps_get_type())
    gst_value_set_caps(&value, caps)
    g_object_set_property(object, "caps", &value)
    g_value_unset(&value)
  }

  /// The value of a property in gst-launch syntax; empty where there is no such property.
  package func text(_ property: String) -> String {
    guard has(property) else { return "" }
    var value = GValue()
    g_object_get_property(object, property, &value)
    defer { g_value_unset(&value) }
    guard let text = gst_value_serialize(&value) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// The bytes of a string property; nil where it is NULL.
  package func string(_ property: String) -> FilePath? {
    var value = GValue()
    g_object_get_property(object, property, &value)
    defer { g_value_unset(&value) }
    return g_value_get_string(&value).map { FilePath($0) }
  }

  /// The values of an enumeration property.
  package func choices(_ property: String) -> [EnumValue] {
    specification(property).map { EnumValue.all($0.pointee.value_type) } ?? []
  }

  // MARK: Metadata

  /// A text of the element's metadata, as "long-name"; empty where it has none.
  package func metadata(_ key: String) -> String {
    gst_element_class_get_metadata(classStructure(GstElementClass.self), key)
      .map { String(cString: $0) } ?? ""
  }

  /// The classification in its metadata, as "Codec/Decoder/Video".
  package var classification: String { metadata("klass") }

  /// The classification of the bin that the element is in; nil where it is in none.
  package var parentClassification: String? {
    guard let parent = gst_object_get_parent(cast(to: GstObject.self)) else { return nil }
    defer { gst_object_unref(parent) }
    return Element(UnsafeMutableRawPointer(parent).assumingMemoryBound(to: GstElement.self))
      .classification
  }

  /// The name of the factory that made it.
  package var factoryName: String {
    guard let factory = gst_element_get_factory(raw) else { return "" }
    let name = gst_object_get_name(
      UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self))
    defer { g_free(name) }
    return name.map { String(cString: $0) } ?? ""
  }

  // MARK: Presets

  private var preset: OpaquePointer { OpaquePointer(raw) }

  /// The names of all presets.
  package var presets: [String] {
    guard let names = gst_preset_get_preset_names(preset) else { return [] }
    defer { g_strfreev(names) }
    var texts: [String] = []
    while let name = names[texts.count] { texts.append(String(cString: name)) }
    return texts
  }

  /// False where there is no such preset.
  package func loadPreset(_ name: String) -> Bool { gst_preset_load_preset(preset, name) != 0 }

  /// Saves the properties as a preset of the user, marked with `author`; false where that fails.
  package func savePreset(_ name: String, author: String) -> Bool {
    gst_preset_save_preset(preset, name) != 0
      && gst_preset_set_meta(preset, name, "author", author) != 0
  }

  package func deletePreset(_ name: String) -> Bool {
    gst_preset_delete_preset(preset, name) != 0
  }

  /// The author that a preset is marked with; nil where there is none.
  package func author(ofPreset name: String) -> String? {
    var text: UnsafeMutablePointer<gchar>?
    guard gst_preset_get_meta(preset, name, "author", &text) != 0, let text else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }
}

/// One value of an enumeration.
package struct EnumValue {
  package let nick: String
  /// The description of the value.
  package let name: String

  /// The values of an enumeration type; none for other types.
  package static func all(_ type: GType) -> [EnumValue] {
    guard g_type_is_a(type, GType(12 << 2)) != 0,  // G_TYPE_ENUM
      let known = g_type_class_ref(type)
    else { return [] }
    defer { g_type_class_unref(known) }
    let list = known.assumingMemoryBound(to: GEnumClass.self).pointee
    return (0..<Int(list.n_values)).map { index in
      let value = list.values[index]
      return EnumValue(
        nick: String(cString: value.value_nick), name: String(cString: value.value_name))
    }
  }
}
