package import CGStreamer

/// Sets properties of an element of any kind to random values; the element's class lists them.
package struct RandomProperties {
  private enum Kind {
    case bool
    case double(ClosedRange<Double>)
    case int(ClosedRange<Int>)
    case choice([gint])
    case string
  }

  private let element: UnsafeMutablePointer<GstElement>
  private let items: [(name: String, kind: Kind)]
  /// Values for the string properties, by name; other string properties are never set.
  private let strings: [String: [String]]

  package init(of element: UnsafeMutablePointer<GstElement>, strings: [String: [String]] = [:]) {
    self.element = element
    self.strings = strings
    var count: guint = 0
    let klass = element.withMemoryRebound(to: GTypeInstance.self, capacity: 1) {
      UnsafeMutableRawPointer($0.pointee.g_class).assumingMemoryBound(to: GObjectClass.self)
    }
    // identity's own properties, such as sleep-time, are not under test.
    let type = g_type_name(klass.pointee.g_type_class.g_type).map { String(cString: $0) } ?? ""
    let specs = g_object_class_list_properties(klass, &count)
    defer { g_free(specs) }
    items = (0..<Int(count)).compactMap { index -> (name: String, kind: Kind)? in
      guard type != "GstIdentity", let spec = specs?[index] else { return nil }
      let name = String(cString: spec.pointee.name)
      guard UInt32(spec.pointee.flags.rawValue) & cgst_param_readwrite == cgst_param_readwrite,
        let kind = Self.kind(spec), !["name", "parent"].contains(name),
        // The networks' threads wait for each other by spinning, which takes seconds on busy cores.
        !(name == "n-threads" && ["MienFaceDetect", "MienPersonKey"].contains(type))
      else { return nil }
      if case .string = kind, strings[name] == nil { return nil }
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
    case cgst_type_string: return .string
    default: return nil
    }
  }

  /// Sets a random property to a random value in its range; returns its name.
  @discardableResult
  package func setRandom(_ random: inout some RandomSource) -> String {
    guard !items.isEmpty else { return "" }
    let item = random.one(of: items)
    switch item.kind {
    case .bool:
      set(item.name, g_type_from_name("gboolean")) {
        g_value_set_boolean($0, gboolean(random.below(2)))
      }
    case .double(let range):
      let share = random.one(of: [0, 1, 0.5, Double(random.below(256)) / 255])
      let value = range.lowerBound + share * (range.upperBound - range.lowerBound)
      set(item.name, cgst_type_double) { g_value_set_double($0, value) }
    case .int(let range):
      let span = UInt64(range.upperBound - range.lowerBound)
      let offset = random.chance(1, in: 4) ? span : min(random.edgeCaseBits() % (span + 1), span)
      // gint64 holds both int and uint; GObject converts.
      set(item.name, g_type_from_name("gint64")) {
        g_value_set_int64($0, range.lowerBound + Int(offset))
      }
    case .choice(let values):
      set(item.name, cgst_type_int) { g_value_set_int($0, random.one(of: values)) }
    case .string:
      guard let values = strings[item.name] else { break }
      set(item.name, random.one(of: values))
    }
    return item.name
  }

  /// Sets a string property; an empty string sets NULL.
  package func set(_ name: String, _ text: String) {
    set(name, cgst_type_string) {
      if text.isEmpty { g_value_set_string($0, nil) } else { g_value_set_string($0, text) }
    }
  }

  /// Sets a Boolean property, if the element has one of this name.
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
