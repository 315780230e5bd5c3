import CGStreamer
import CJSONGLib
import Files
import Programs
import Studio

/// What an element lets its user set, as it says so itself.
struct Property {
  /// Which kind of control it asks for.
  enum Kind {
    case toggle
    case number(least: Double, most: Double, isWhole: Bool)
    /// The nicks, and what each means.
    case choice([(nick: String, meaning: String)])
    /// A colour as 0xAARRGGBB.
    case color
    case file
  }

  let name: String
  let blurb: String
  let kind: Kind
  /// As the element has it by itself.
  let byItself: String

  /// "Skin adapt" of skin-adapt.
  var title: String {
    let words = name.replacing("-", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

/// An element that no picture goes through: it says what can be set, and knows its presets.
final class Sample {
  let effect: Effect
  private let element: Element
  let properties: [Property]

  /// Throws where GStreamer has no such element.
  init(_ effect: Effect) throws(Problem) {
    self.effect = effect
    element = try Element.make(effect.rawValue)
    properties = Self.properties(of: element)
  }

  /// What the element is called, and what it does.
  var title: String { metadata("long-name") }
  var summary: String { metadata("description") }

  /// The presets that come with the element, and those that the user saved here.
  var presets: (shipped: [String], own: [String]) {
    let names = element.presets
    let own = names.filter { element.author(ofPreset: $0) == Self.author }
    return (names.filter { !own.contains($0) }, own)
  }

  /// Presets that say so are the user's own.
  private static let author = "Mien Studio"

  /// Saves a preset of the user's own; false where it cannot be written.
  func save(_ settings: [(name: String, value: Setting)], asPreset name: String) -> Bool {
    guard let fresh = try? Element.make(effect.rawValue) else { return false }
    for (name, value) in settings { fresh.set(name, value) }
    guard fresh.savePreset(name, author: Self.author) else {
      _ = fresh.deletePreset(name)
      return false
    }
    return true
  }

  /// Deletes one of the user's own; false where that cannot be written.
  func delete(preset name: String) -> Bool { element.deletePreset(name) }

  /// What a preset sets, where that is not as the element has it by itself.
  func settings(ofPreset preset: String) -> [(name: String, value: Setting)] {
    guard let fresh = try? Element.make(effect.rawValue), fresh.loadPreset(preset) else {
      return []
    }
    return properties.compactMap { property in
      let text = fresh.text(property.name)
      guard text != property.byItself else { return nil }
      if case .file = property.kind {
        return fresh.file(property.name).map { (property.name, .file($0)) }
      }
      // As short as the same number can be written.
      if case .number(_, _, isWhole: false) = property.kind, let number = Double(text) {
        return (property.name, .word("\(number)"))
      }
      return (property.name, .word(text))
    }
  }

  private func metadata(_ key: String) -> String {
    gst_element_get_metadata(element.raw, key).map { String(cString: $0) } ?? ""
  }

  /// The properties of the element's own that may be set while it plays.
  private static func properties(of element: Element) -> [Property] {
    let instance = UnsafeMutableRawPointer(element.raw).assumingMemoryBound(to: GTypeInstance.self)
    let type = instance.pointee.g_class.pointee.g_type
    let known = UnsafeMutableRawPointer(instance.pointee.g_class!)
      .assumingMemoryBound(to: GObjectClass.self)
    var count: guint = 0
    guard let specs = g_object_class_list_properties(known, &count) else { return [] }
    defer { g_free(specs) }
    return (0..<Int(count)).compactMap { index -> Property? in
      guard let spec = specs[index], spec.pointee.owner_type == type,
        UInt32(bitPattern: Int32(spec.pointee.flags.rawValue)) & cgst_param_mutable_playing != 0,
        let kind = kind(spec)
      else { return nil }
      let name = String(cString: spec.pointee.name)
      let blurb = g_param_spec_get_blurb(spec).map { String(cString: $0) } ?? ""
      return Property(name: name, blurb: blurb, kind: kind, byItself: element.text(name))
    }
  }

  private static func kind(_ spec: UnsafeMutablePointer<GParamSpec>) -> Property.Kind? {
    let name = String(cString: spec.pointee.name)
    let raw = UnsafeMutableRawPointer(spec)
    let type = spec.pointee.value_type
    if type == cgst_type_double {
      let spec = raw.assumingMemoryBound(to: GParamSpecDouble.self).pointee
      return .number(least: spec.minimum, most: spec.maximum, isWhole: false)
    }
    if type == cgst_type_uint {
      let spec = raw.assumingMemoryBound(to: GParamSpecUInt.self).pointee
      if name.hasSuffix("color") { return .color }
      return .number(least: Double(spec.minimum), most: Double(spec.maximum), isWhole: true)
    }
    if type == cgst_type_string { return .file }
    if g_type_is_a(type, GType(12 << 2)) != 0 {  // G_TYPE_ENUM
      guard let known = g_type_class_ref(type) else { return nil }
      defer { g_type_class_unref(known) }
      let values = known.assumingMemoryBound(to: GEnumClass.self).pointee
      return .choice(
        (0..<Int(values.n_values)).map { index in
          let value = values.values[index]
          return (String(cString: value.value_nick), String(cString: value.value_name))
        })
    }
    return g_type_is_a(type, GType(5 << 2)) != 0 ? .toggle : nil  // G_TYPE_BOOLEAN
  }
}
