package import CGStreamer

/// The properties of an element, whichever it is, as its class tells of them.
package struct Properties {
  private enum Kind {
    case bool
    case double(ClosedRange<Double>)
    case int(ClosedRange<Int>)
    case choice([gint])
    case text
  }

  private let element: UnsafeMutablePointer<GstElement>
  private let items: [(name: String, kind: Kind)]
  /// Values of the texts among them, by their names; others are never set.
  private let texts: [String: [String]]

  package init(of element: UnsafeMutablePointer<GstElement>, texts: [String: [String]] = [:]) {
    self.element = element
    self.texts = texts
    var count: guint = 0
    let klass = element.withMemoryRebound(to: GTypeInstance.self, capacity: 1) {
      UnsafeMutableRawPointer($0.pointee.g_class).assumingMemoryBound(to: GObjectClass.self)
    }
    // What identity can be told, as to sleep, is GStreamer's affair.
    let type = g_type_name(klass.pointee.g_type_class.g_type).map { String(cString: $0) } ?? ""
    let specs = g_object_class_list_properties(klass, &count)
    defer { g_free(specs) }
    items = (0..<Int(count)).compactMap { index -> (name: String, kind: Kind)? in
      guard type != "GstIdentity", let spec = specs?[index] else { return nil }
      let name = String(cString: spec.pointee.name)
      guard UInt32(spec.pointee.flags.rawValue) & cgst_param_readwrite == cgst_param_readwrite,
        let kind = Self.kind(spec), !["name", "parent"].contains(name),
        // The networks' threads wait for each other by spinning, which takes seconds when there is
        // other work for the cores.
        !(name == "n-threads" && ["MienFaceDetect", "MienPersonKey"].contains(type))
      else { return nil }
      if case .text = kind, texts[name] == nil { return nil }
      return (name, kind)
    }
  }

  private static func kind(_ spec: UnsafeMutablePointer<GParamSpec>) -> Kind? {
    let raw = UnsafeMutableRawPointer(spec)
    let type = spec.pointee.value_type
    switch g_type_fundamental(type) {
    case g_type_from_name("gboolean"): return .bool
    case cgst_type_double:
      let spec = raw.assumingMemoryBound(to: GParamSpecDouble.self).pointee
      return .double(spec.minimum...spec.maximum)
    case cgst_type_int:
      let spec = raw.assumingMemoryBound(to: GParamSpecInt.self).pointee
      return .int(Int(spec.minimum)...Int(spec.maximum))
    case cgst_type_uint:
      let spec = raw.assumingMemoryBound(to: GParamSpecUInt.self).pointee
      return .int(Int(spec.minimum)...Int(spec.maximum))
    case g_type_from_name("GEnum"):
      guard let klass = g_type_class_ref(type) else { return nil }
      defer { g_type_class_unref(klass) }
      let values = klass.assumingMemoryBound(to: GEnumClass.self).pointee
      return .choice((0..<Int(values.n_values)).map { values.values[$0].value })
    case cgst_type_string: return .text
    default: return nil
    }
  }

  /// Sets one of them to any value that it takes; returns its name.
  @discardableResult
  package func setOne(_ chooser: inout some Chooser) -> String {
    guard !items.isEmpty else { return "" }
    let item = chooser.one(of: items)
    switch item.kind {
    case .bool:
      set(item.name, g_type_from_name("gboolean")) {
        g_value_set_boolean($0, gboolean(chooser.below(2)))
      }
    case .double(let range):
      let share = chooser.one(of: [0, 1, 0.5, Double(chooser.below(256)) / 255])
      let value = range.lowerBound + share * (range.upperBound - range.lowerBound)
      set(item.name, cgst_type_double) { g_value_set_double($0, value) }
    case .int(let range):
      let span = UInt64(range.upperBound - range.lowerBound)
      let offset = chooser.chance(1, in: 4) ? span : min(chooser.bits() % (span + 1), span)
      // Through a type that holds both kinds; GObject converts.
      set(item.name, g_type_from_name("gint64")) {
        g_value_set_int64($0, range.lowerBound + Int(offset))
      }
    case .choice(let values):
      set(item.name, cgst_type_int) { g_value_set_int($0, chooser.one(of: values)) }
    case .text:
      guard let values = texts[item.name] else { break }
      set(item.name, chooser.one(of: values))
    }
    return item.name
  }

  /// Sets a text as it is; an empty one is none.
  package func set(_ name: String, _ text: String) {
    set(name, cgst_type_string) {
      if text.isEmpty { g_value_set_string($0, nil) } else { g_value_set_string($0, text) }
    }
  }

  /// Sets one that is true or false, where there is such a one.
  package func setBool(_ name: String, _ value: Bool) {
    guard items.contains(where: { $0.name == name }) else { return }
    set(name, g_type_from_name("gboolean")) { g_value_set_boolean($0, value ? 1 : 0) }
  }

  private func set(
    _ name: String, _ type: GType, _ fill: (UnsafeMutablePointer<GValue>) -> Void
  ) {
    var value = GValue()
    g_value_init(&value, type)
    fill(&value)
    g_object_set_property(
      UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), name, &value)
    g_value_unset(&value)
  }
}
