package import CGStreamer
import CJSONGLib
package import Files

/// A GStreamer element, kept by a reference.
///
/// For any thread, as far as GStreamer's own calls are.
package final class Element {
  package let raw: UnsafeMutablePointer<GstElement>

  /// Takes a reference of its own.
  package init(_ raw: UnsafeMutablePointer<GstElement>) {
    self.raw = raw
    gst_object_ref_sink(raw)
  }

  /// A new element of a kind; fails where GStreamer has none here.
  package static func make(_ kind: String) throws(Problem) -> Element {
    guard let raw = gst_element_factory_make(kind, nil) else {
      throw .failure("GStreamer has no element \(kind) here; install its plugins: good, bad, libav")
    }
    return Element(raw)
  }

  /// A bin of what `description` says, in the words of gst-launch, with a pad at either end.
  package static func bin(_ description: String) throws(Problem) -> Element {
    var error: UnsafeMutablePointer<GError>?
    let bin = gst_parse_bin_from_description(description, 1, &error)
    if let error {
      defer { g_error_free(error) }
      throw .failure(String(cString: error.pointee.message))
    }
    guard let bin else { throw .failure("no pipeline can be made of \(description)") }
    return Element(UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstElement.self))
  }

  package static func pipeline() throws(Problem) -> Element {
    guard let raw = gst_pipeline_new(nil) else { throw .failure("GStreamer makes no pipeline") }
    return Element(raw)
  }

  package static func exists(_ kind: String) -> Bool {
    guard let factory = gst_element_factory_find(kind) else { return false }
    gst_object_unref(UnsafeMutableRawPointer(factory))
    return true
  }

  /// From here on GStreamer takes elements of this kind before all others, where it has a choice.
  package static func prefer(_ kind: String) {
    guard let factory = gst_element_factory_find(kind) else { return }
    defer { gst_object_unref(UnsafeMutableRawPointer(factory)) }
    gst_plugin_feature_set_rank(factory, GST_RANK_PRIMARY.rawValue + 100)
  }

  deinit { gst_object_unref(raw) }

  private var bin: UnsafeMutablePointer<GstBin> {
    UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstBin.self)
  }

  private var object: UnsafeMutablePointer<GObject> {
    UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GObject.self)
  }

  /// The element of this name in the bin.
  package subscript(name: String) -> Element? {
    guard let found = gst_bin_get_by_name(bin, name) else { return nil }
    defer { gst_object_unref(found) }
    return Element(found)
  }

  /// Puts an element into the bin, in the bin's state.
  @discardableResult
  package func add(_ element: Element) -> Element {
    gst_bin_add(bin, element.raw)
    gst_element_sync_state_with_parent(element.raw)
    return element
  }

  /// The same; false where it does not come to the bin's state.
  package func start(_ element: Element) -> Bool {
    gst_bin_add(bin, element.raw)
    return gst_element_sync_state_with_parent(element.raw) != 0
  }

  /// Takes an element that stands still out of the bin.
  package func remove(_ element: Element) { gst_bin_remove(bin, element.raw) }

  package func unlink(_ next: Element) { gst_element_unlink(raw, next.raw) }

  package func link(_ next: Element) { gst_element_link(raw, next.raw) }

  /// Sets a property to what gst-launch would take the text for: a number, the nick of a choice.
  package func set(_ property: String, _ value: String) {
    gst_util_set_object_arg(object, property, value)
  }

  /// Sets a property to a text, or a file's name, as it is.
  package func set(_ property: String, text: FilePath) {
    var value = GValue()
    g_value_init(&value, cgst_type_string)
    text.withCString { g_value_set_string(&value, $0) }
    g_object_set_property(object, property, &value)
    g_value_unset(&value)
  }

  /// Sets the property "caps", to what gst-launch would take the text for.
  package func setCaps(_ text: String) {
    guard let caps = gst_caps_from_string(text) else { return }
    defer { gst_mini_object_unref(cgst_mini_object(caps)) }
    var value = GValue()
    g_value_init(&value, gst_caps_get_type())
    gst_value_set_caps(&value, caps)
    g_object_set_property(object, "caps", &value)
    g_value_unset(&value)
  }

  /// What a property says, as text.
  package func text(_ property: String) -> String {
    guard has(property) else { return "" }
    var value = GValue()
    g_object_get_property(object, property, &value)
    defer { g_value_unset(&value) }
    guard let text = gst_value_serialize(&value) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// What a property says that holds a text, or a file's name, as it is; nil where it holds none.
  package func file(_ property: String) -> FilePath? {
    var value = GValue()
    g_object_get_property(object, property, &value)
    defer { g_value_unset(&value) }
    return g_value_get_string(&value).map { FilePath($0) }
  }

  package func has(_ property: String) -> Bool {
    g_object_class_find_property(known, property) != nil
  }

  /// Whether a property holds a text, or a file's name.
  package func holdsText(_ property: String) -> Bool {
    g_object_class_find_property(known, property)?.pointee.value_type == cgst_type_string
  }

  /// The names of all properties that can be read and set.
  package var properties: [String] {
    var count: guint = 0
    guard let specs = g_object_class_list_properties(known, &count) else { return [] }
    defer { g_free(specs) }
    return (0..<Int(count)).compactMap { index in
      guard let spec = specs[index] else { return nil }
      let flags = guint(bitPattern: Int32(spec.pointee.flags.rawValue))
      return flags & cgst_param_readwrite == cgst_param_readwrite
        ? String(cString: spec.pointee.name) : nil
    }
  }

  private var known: UnsafeMutablePointer<GObjectClass> {
    let type = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GTypeInstance.self)
    return UnsafeMutableRawPointer(type.pointee.g_class!)
      .assumingMemoryBound(to: GObjectClass.self)
  }

  /// Its static pad of this name.
  package func pad(_ name: String) -> Pad? {
    guard let pad = gst_element_get_static_pad(raw, name) else { return nil }
    defer { gst_object_unref(pad) }
    return Pad(pad)
  }

  /// The pads it gives data by.
  package var sourcePads: [Pad] {
    var pads: [Pad] = []
    var item = raw.pointee.srcpads
    while let entry = item {
      pads.append(Pad(entry.pointee.data.assumingMemoryBound(to: GstPad.self)))
      item = entry.pointee.next
    }
    return pads
  }

  /// Its class, as "Codec/Decoder/Video".
  package var kind: String {
    let type = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GTypeInstance.self)
    let instance = UnsafeMutableRawPointer(type.pointee.g_class!)
      .assumingMemoryBound(to: GstElementClass.self)
    return gst_element_class_get_metadata(instance, "klass").map { String(cString: $0) } ?? ""
  }

  /// The class of the bin that it is in; nil where it is in none.
  package var parentKind: String? {
    guard let parent = gst_object_get_parent(gstObject) else { return nil }
    defer { gst_object_unref(parent) }
    return Element(UnsafeMutableRawPointer(parent).assumingMemoryBound(to: GstElement.self)).kind
  }

  private var gstObject: UnsafeMutablePointer<GstObject> {
    UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstObject.self)
  }

  package var isBin: Bool {
    let type = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GTypeInstance.self)
    return g_type_check_instance_is_a(type, gst_bin_get_type()) != 0
  }

  package func isInside(_ outer: Element) -> Bool {
    gst_object_has_as_ancestor(
      UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstObject.self),
      UnsafeMutableRawPointer(outer.raw).assumingMemoryBound(to: GstObject.self)) != 0
  }

  /// The name of its kind, as gst-launch takes it.
  package var factory: String {
    guard let factory = gst_element_get_factory(raw) else { return "" }
    let name = gst_object_get_name(
      UnsafeMutableRawPointer(factory).assumingMemoryBound(to: GstObject.self))
    defer { g_free(name) }
    return name.map { String(cString: $0) } ?? ""
  }

  /// Has a film begin again; false where it cannot.
  @discardableResult
  package func restart() -> Bool {
    let flags = GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_KEY_UNIT.rawValue
    return gst_element_seek_simple(
      raw, GST_FORMAT_TIME, GstSeekFlags(rawValue: flags), 0) != 0
  }

  /// Has a pipeline go by the system's clock, whatever clocks its elements have: of two pipelines the
  /// same time is the same then, and none stands still with a sound card.
  package func useSystemClock() {
    let clock = gst_system_clock_obtain()
    gst_pipeline_use_clock(
      UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstPipeline.self), clock)
    gst_object_unref(UnsafeMutableRawPointer(clock!))
  }

  /// What the system's clock says now, in nanoseconds.
  package static var systemTime: Int {
    let clock = gst_system_clock_obtain()!
    defer { gst_object_unref(UnsafeMutableRawPointer(clock)) }
    return Int(truncatingIfNeeded: gst_clock_get_time(clock))
  }

  /// The time of its clock at which its running time is 0, in nanoseconds.
  package var baseTime: Int { Int(truncatingIfNeeded: gst_element_get_base_time(raw)) }

  /// False where it cannot be.
  @discardableResult
  package func setState(_ state: GstState) -> Bool {
    gst_element_set_state(raw, state) != GST_STATE_CHANGE_FAILURE
  }
}
