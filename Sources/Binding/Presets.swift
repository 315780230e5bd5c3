import CGStreamer

/// Makes an element type save presets.
func addPresets(to type: GType) {
  var presets = GInterfaceInfo()
  presets.interface_init = { interface, _ in installPresetPropertyNames(interface!) }
  g_type_add_interface_static(type, cgst_type_preset(), &presets)
}

/// Limits presets to the properties that can be changed while playing.
///
/// By default GstPreset saves all properties, including the element's name and `n-threads`, which
/// must not be restored in another element or on another machine.
private func installPresetPropertyNames(_ interface: gpointer) {
  interface.assumingMemoryBound(to: GstPresetInterface.self).pointee.get_property_names = {
    preset in
    let instance = UnsafeMutableRawPointer(preset!).assumingMemoryBound(to: GTypeInstance.self)
    let known = UnsafeMutableRawPointer(instance.pointee.g_class!)
      .assumingMemoryBound(to: GObjectClass.self)
    var count: guint = 0
    guard let specs = g_object_class_list_properties(known, &count) else { return nil }
    defer { g_free(specs) }
    let names = (0..<Int(count)).compactMap { index -> UnsafePointer<CChar>? in
      guard let spec = specs[index] else { return nil }
      let wanted = cgst_param_readwrite | cgst_param_mutable_playing
      let flags = guint(bitPattern: Int32(spec.pointee.flags.rawValue))
      return flags & wanted == wanted ? spec.pointee.name : nil
    }
    // The caller frees the list with g_strfreev.
    let list = g_malloc0_n(gsize(names.count + 1), gsize(MemoryLayout<gpointer>.size))!
      .assumingMemoryBound(to: UnsafeMutablePointer<gchar>?.self)
    for (place, name) in names.enumerated() { list[place] = g_strdup(name) }
    return list
  }
}
