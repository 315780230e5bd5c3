import CGStreamer
import CJSONGLib

/// What an element says of itself: the choices of a property, and its presets.
extension Element {
  /// The nicks that an enumeration takes.
  package func choices(_ property: String) -> [String] {
    let type = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GTypeInstance.self)
    let instance = UnsafeMutableRawPointer(type.pointee.g_class!)
      .assumingMemoryBound(to: GObjectClass.self)
    guard let found = g_object_class_find_property(instance, property),
      let known = g_type_class_ref(found.pointee.value_type)
    else { return [] }
    defer { g_type_class_unref(known) }
    let values = known.assumingMemoryBound(to: GEnumClass.self).pointee
    return (0..<Int(values.n_values)).compactMap { index in
      values.values[index].value_nick.map { String(cString: $0) }
    }
  }

  private var preset: OpaquePointer { OpaquePointer(raw) }

  /// False where there is none of this name.
  package func loadPreset(_ name: String) -> Bool { gst_preset_load_preset(preset, name) != 0 }

  package var presets: [String] {
    guard let names = gst_preset_get_preset_names(preset) else { return [] }
    defer { g_strfreev(names) }
    var texts: [String] = []
    var place = names
    while let name = place.pointee {
      texts.append(String(cString: name))
      place += 1
    }
    return texts
  }
}
