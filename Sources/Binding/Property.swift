import CGStreamer
package import Files
package import Pixels

/// The values of an element's properties; a value type, copied once per frame.
package protocol ElementSettings: Sendable {
  init()
}

/// An enum property; raw values are the nicks, and the order of the cases gives the GEnum values.
package protocol PropertyEnum: RawRepresentable, CaseIterable, Sendable where RawValue == String {
  /// The GType's name, with the prefix `Mien`.
  static var typeName: String { get }
  /// The description of this value in gst-inspect.
  var summary: String { get }
}

/// One GObject property of an element, bound to one field of its settings.
///
/// The default is read from a fresh `Settings`, so a field's initial value is written once.
package struct Property<Settings: ElementSettings>: Sendable {
  let name: String
  /// Makes the GParamSpec; nil for a property that an interface declares.
  let makeSpec: (@Sendable (Settings) -> UnsafeMutablePointer<GParamSpec>?)?
  let read: @Sendable (Settings, UnsafeMutablePointer<GValue>) -> Void
  let write: @Sendable (inout Settings, UnsafePointer<GValue>) -> Void

  package typealias Field<Value> = any WritableKeyPath<Settings, Value> & Sendable

  /// A floating-point property; controllable and changeable while playing.
  package static func double(
    _ name: String, _ field: Field<Double>, in range: ClosedRange<Double>, _ blurb: String
  ) -> Self {
    Property(
      name: name,
      makeSpec: {
        g_param_spec_double(
          name, nick(name), blurb, range.lowerBound, range.upperBound, $0[keyPath: field],
          paramFlags(cgst_param_controllable))
      },
      read: { g_value_set_double($1, $0[keyPath: field]) },
      write: { $0[keyPath: field] = g_value_get_double($1) })
  }

  /// An unsigned integer; controllable and changeable while playing, unless `atStart`.
  package static func uint<Value: FixedWidthInteger & Sendable>(
    _ name: String, _ field: Field<Value>, in range: ClosedRange<Value>, atStart: Bool = false,
    _ blurb: String
  ) -> Self {
    Property(
      name: name,
      makeSpec: {
        g_param_spec_uint(
          name, nick(name), blurb, guint(range.lowerBound), guint(range.upperBound),
          guint($0[keyPath: field]),
          paramFlags(atStart ? cgst_param_mutable_ready : cgst_param_controllable))
      },
      read: { g_value_set_uint($1, guint($0[keyPath: field])) },
      write: { $0[keyPath: field] = Value(g_value_get_uint($1)) })
  }

  /// A Boolean property; controllable and changeable while playing.
  package static func bool(_ name: String, _ field: Field<Bool>, _ blurb: String) -> Self {
    Property(
      name: name,
      makeSpec: {
        g_param_spec_boolean(
          name, nick(name), blurb, $0[keyPath: field] ? 1 : 0, paramFlags(cgst_param_controllable))
      },
      read: { g_value_set_boolean($1, $0[keyPath: field] ? 1 : 0) },
      write: { $0[keyPath: field] = g_value_get_boolean($1) != 0 })
  }

  /// The path of a file or folder, nil if unset; arbitrary bytes, not necessarily UTF-8.
  package static func path(
    _ name: String, _ field: Field<FilePath?>, atStart: Bool = false, _ blurb: String
  ) -> Self {
    Property(
      name: name,
      makeSpec: { _ in
        g_param_spec_string(
          name, nick(name), blurb, nil,
          paramFlags(atStart ? cgst_param_mutable_ready : cgst_param_mutable_playing))
      },
      read: { settings, value in
        guard let path = settings[keyPath: field] else { return g_value_set_string(value, nil) }
        path.withCString { g_value_set_string(value, $0) }
      },
      write: { $0[keyPath: field] = g_value_get_string($1).map { FilePath($0) } })
  }

  /// An enum property; controllable and changeable while playing, unless `atStart`.
  package static func choice<Value: PropertyEnum>(
    _ name: String, _ field: Field<Value>, atStart: Bool = false, _ blurb: String
  ) -> Self {
    let cases = Array(Value.allCases)
    @Sendable func number(_ value: Value) -> gint {
      gint(cases.firstIndex { $0.rawValue == value.rawValue } ?? 0)
    }
    return Property(
      name: name,
      makeSpec: {
        g_param_spec_enum(
          name, nick(name), blurb, registerEnumType(Value.self), number($0[keyPath: field]),
          paramFlags(atStart ? cgst_param_mutable_ready : cgst_param_controllable))
      },
      read: { g_value_set_enum($1, number($0[keyPath: field])) },
      write: { settings, value in
        let index = Int(g_value_get_enum(value))
        if cases.indices.contains(index) { settings[keyPath: field] = cases[index] }
      })
  }

  /// The same property for settings that contain these settings at `part`.
  package func nested<Whole: ElementSettings>(
    _ part: any WritableKeyPath<Whole, Settings> & Sendable
  ) -> Property<Whole> {
    let property = self
    var specify: (@Sendable (Whole) -> UnsafeMutablePointer<GParamSpec>?)?
    if let makeSpec { specify = { makeSpec($0[keyPath: part]) } }
    return Property<Whole>(
      name: name, makeSpec: specify,
      read: { property.read($0[keyPath: part], $1) },
      write: { property.write(&$0[keyPath: part], $1) })
  }

  /// The `video-direction` property of the GstVideoDirection interface.
  package static func videoDirection(_ field: Field<VideoDirection>) -> Self {
    Property(
      name: "video-direction", makeSpec: nil,
      read: { g_value_set_enum($1, $0[keyPath: field].method) },
      write: { $0[keyPath: field] = VideoDirection(method: g_value_get_enum($1)) })
  }
}

/// A value of GstVideoOrientationMethod.
package struct VideoDirection: Sendable {
  package static let identity = VideoDirection(method: 0)

  let method: Int32

  /// Indexed by the enum's values below `auto` and `custom`.
  private static let orientations: [Orientation] = [
    .up, .right, .down, .left, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored,
  ]

  /// The orientation; nil for `auto`, upright for `custom`.
  package var orientation: Orientation? {
    if method == GST_VIDEO_ORIENTATION_AUTO.rawValue { return nil }
    let number = Int(method)
    return Self.orientations.indices.contains(number) ? Self.orientations[number] : .up
  }
}

private func paramFlags(_ more: guint) -> GParamFlags {
  GParamFlags(rawValue: gint(cgst_param_readwrite | more))
}

/// "min-face-size" becomes "Min face size".
private func nick(_ name: String) -> String {
  let words = String(name.map { $0 == "-" ? " " : $0 })
  return words.prefix(1).uppercased() + words.dropFirst()
}

private func registerEnumType<Value: PropertyEnum>(_: Value.Type) -> GType {
  let existing = g_type_from_name(Value.typeName)
  if existing != 0 { return existing }
  let count = Value.allCases.count
  // GLib keeps a pointer to this table and its texts, so they are never freed.
  let table = UnsafeMutablePointer<GEnumValue>.allocate(capacity: count + 1)
  for (index, value) in Value.allCases.enumerated() {
    (table + index).initialize(
      to: GEnumValue(
        value: gint(index), value_name: g_strdup(value.summary),
        value_nick: g_strdup(value.rawValue)))
  }
  (table + count).initialize(to: GEnumValue())
  let type = g_enum_register_static(Value.typeName, table)
  gst_type_mark_as_plugin_api(type, GstPluginAPIFlags(rawValue: 0))
  return type
}
