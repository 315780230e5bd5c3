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

  /// Saves what is set as a preset of the user's own; false where that cannot be written.
  ///
  /// `author` is kept with it.
  package func savePreset(_ name: String, author: String) -> Bool {
    gst_preset_save_preset(preset, name) != 0
      && gst_preset_set_meta(preset, name, "author", author) != 0
  }

  package func deletePreset(_ name: String) -> Bool {
    gst_preset_delete_preset(preset, name) != 0
  }

  /// Who saved a preset; nil where it does not say.
  package func author(ofPreset name: String) -> String? {
    var text: UnsafeMutablePointer<gchar>?
    guard gst_preset_get_meta(preset, name, "author", &text) != 0, let text else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }

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
