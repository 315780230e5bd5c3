import CGStreamer
import CJSONGLib
import Client
import Programs
import Studio

/// A property of an element, as its class describes it.
struct ElementProperty {
  /// The kind of control for it.
  enum Kind {
    case toggle
    case number(minimum: Double, maximum: Double, isInteger: Bool)
    case choice([EnumValue])
    /// A colour as 0xAARRGGBB.
    case color
    case file
  }

  let name: String
  let blurb: String
  let kind: Kind
  /// The default in gst-launch syntax.
  let defaultText: String

  /// "Skin adapt" of skin-adapt.
  var title: String { PackFolder.title(name) }
}

/// Inspects an element outside of any pipeline: its properties, metadata and presets.
final class ElementInspector {
  let kind: ElementKind
  private let element: Element
  let properties: [ElementProperty]

  /// Throws where GStreamer has no such element.
  init(_ kind: ElementKind) throws(ProgramError) {
    self.kind = kind
    element = try Element.make(kind.rawValue)
    properties = Self.properties(of: element)
  }

  var title: String { element.metadata("long-name") }
  var summary: String { element.metadata("description") }

  /// The presets of the installation, and those that the user saved in the studio.
  var presets: (shipped: [String], own: [String]) {
    let names = element.presets
    let own = names.filter { element.author(ofPreset: $0) == Self.author }
    return (names.filter { !own.contains($0) }, own)
  }

  /// The mark of the user's presets.
  private static let author = "Mien Studio"

  /// Saves a preset of the user; false where it cannot be written.
  func save(_ properties: [PropertyAssignment], asPreset name: String) -> Bool {
    guard let fresh = try? Element.make(kind.rawValue) else { return false }
    fresh.set(properties)
    guard fresh.savePreset(name, author: Self.author) else {
      _ = fresh.deletePreset(name)
      return false
    }
    return true
  }

  /// Deletes a preset of the user; false where that fails.
  func delete(preset name: String) -> Bool { element.deletePreset(name) }

  /// The properties of a preset that differ from the defaults.
  func properties(ofPreset preset: String) -> [PropertyAssignment] {
    guard let fresh = try? Element.make(kind.rawValue), fresh.loadPreset(preset) else {
      return []
    }
    return properties.compactMap { property in
      let text = fresh.text(property.name)
      guard text != property.defaultText else { return nil }
      if case .file = property.kind {
        return fresh.string(property.name).map { PropertyAssignment(property.name, .path($0)) }
      }
      // The shortest text of the same number.
      if case .number(_, _, isInteger: false) = property.kind, let number = Double(text) {
        return PropertyAssignment(property.name, .literal("\(number)"))
      }
      return PropertyAssignment(property.name, .literal(text))
    }
  }

  /// The properties of the element's own class that may be set while it plays.
  private static func properties(of element: Element) -> [ElementProperty] {
    let type = element.cast(to: GTypeInstance.self).pointee.g_class.pointee.g_type
    return element.specifications.compactMap { specification -> ElementProperty? in
      let flags = UInt32(bitPattern: Int32(specification.pointee.flags.rawValue))
      guard specification.pointee.owner_type == type, flags & cgst_param_mutable_playing != 0,
        let kind = controlKind(specification)
      else { return nil }
      let name = String(cString: specification.pointee.name)
      let blurb = g_param_spec_get_blurb(specification).map { String(cString: $0) } ?? ""
      return ElementProperty(
        name: name, blurb: blurb, kind: kind, defaultText: element.text(name))
    }
  }

  private static func controlKind(_ spec: UnsafeMutablePointer<GParamSpec>) -> ElementProperty.Kind?
  {
    let name = String(cString: spec.pointee.name)
    let raw = UnsafeMutableRawPointer(spec)
    let type = spec.pointee.value_type
    if type == cgst_type_double {
      let spec = raw.assumingMemoryBound(to: GParamSpecDouble.self).pointee
      return .number(minimum: spec.minimum, maximum: spec.maximum, isInteger: false)
    }
    if type == cgst_type_uint {
      let spec = raw.assumingMemoryBound(to: GParamSpecUInt.self).pointee
      if name.hasSuffix("color") { return .color }
      return .number(minimum: Double(spec.minimum), maximum: Double(spec.maximum), isInteger: true)
    }
    if type == cgst_type_string { return .file }
    let choices = EnumValue.all(type)
    if !choices.isEmpty { return .choice(choices) }
    return g_type_is_a(type, GType(5 << 2)) != 0 ? .toggle : nil  // G_TYPE_BOOLEAN
  }
}
