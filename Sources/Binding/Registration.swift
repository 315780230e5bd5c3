import CGStreamer
import Frames
import Pixels

/// Registers an element under its name and its alias with the plugin.
package func register<E: Analyzer>(_: E.Type, in plugin: OpaquePointer?) -> Bool {
  register(ElementClass(E.self) { AnalyzerInstance<E>($0, $1) }, in: plugin)
}

package func register<E: Filter>(_: E.Type, in plugin: OpaquePointer?) -> Bool {
  register(ElementClass(E.self) { FilterInstance<E>($0, $1) }, in: plugin)
}

package func register<E: LookaheadFilter>(_: E.Type, in plugin: OpaquePointer?) -> Bool {
  register(
    ElementClass(E.self, keepsFramesBack: true) { LookaheadInstance<E>($0, $1) }, in: plugin)
}

package func register<E: FormatChangingFilter>(_: E.Type, in plugin: OpaquePointer?) -> Bool {
  register(ElementClass(E.self) { FormatChangingInstance<E>($0, $1) }, in: plugin)
}

private func register(_ elementClass: ElementClass, in plugin: OpaquePointer?) -> Bool {
  let description = elementClass.description
  let type = registerType(elementClass)
  guard gst_element_register(plugin, description.name, guint(GST_RANK_NONE.rawValue), type) != 0
  else { return false }
  guard let alias = description.alias else { return true }
  // A second factory needs its own type; otherwise gst_element_get_factory returns the wrong one.
  return gst_element_register(
    plugin, alias, guint(GST_RANK_NONE.rawValue), registerAlias(of: type, description)) != 0
}

/// Offsets of the Swift object's pointer behind the parent's struct, in instances and classes.
struct Slots {
  let instance: Int
  let klass: Int

  init(behind parent: GType) {
    var query = GTypeQuery()
    g_type_query(parent, &query)
    func roundedUp(_ size: guint) -> Int { (Int(size) + 15) & ~15 }
    (instance, klass) = (roundedUp(query.instance_size), roundedUp(query.class_size))
  }

  static let transform = Slots(behind: gst_base_transform_get_type())
  static let bin = Slots(behind: gst_bin_get_type())

  /// A GTypeInfo of these sizes.
  func typeInfo() -> GTypeInfo {
    var info = GTypeInfo()
    info.class_size = guint16(klass + MemoryLayout<gpointer>.size)
    info.instance_size = guint16(instance + MemoryLayout<gpointer>.size)
    return info
  }
}

private func registerType(_ elementClass: ElementClass) -> GType {
  let description = elementClass.description
  let existing = g_type_from_name(description.typeName)
  if existing != 0 { return existing }
  var info = Slots.transform.typeInfo()
  info.class_init = { initializeClass($0!, $1!) }
  // Never released, as GTypes are never unregistered.
  info.class_data = UnsafeRawPointer(Unmanaged.passRetained(elementClass).toOpaque())
  info.instance_init = { object, klass in
    initializeInstance(UnsafeMutableRawPointer(object!), klass!)
  }
  let type = g_type_register_static(
    gst_base_transform_get_type(), description.typeName, &info, GTypeFlags(rawValue: 0))

  addPresets(to: type)
  var interface = GInterfaceInfo()
  if elementClass.propertyNames.contains("video-direction") {
    g_type_add_interface_static(type, cgst_type_video_direction(), &interface)
  }
  return type
}

private func registerAlias(of type: GType, _ description: ElementDescription) -> GType {
  let name = description.typeName + "Alias"
  let existing = g_type_from_name(name)
  if existing != 0 { return existing }
  var query = GTypeQuery()
  g_type_query(type, &query)
  var info = GTypeInfo()
  info.class_size = guint16(query.class_size)
  info.instance_size = guint16(query.instance_size)
  return g_type_register_static(type, name, &info, GTypeFlags(rawValue: 0))
}

private func initializeInstance(_ object: UnsafeMutableRawPointer, _ klass: gpointer) {
  let elementClass: ElementClass = load(klass + Slots.transform.klass)
  let host = ElementHost(element: object.assumingMemoryBound(to: GstElement.self))
  // Released in finalize.
  store(elementClass.makeInstance(host), at: object + Slots.transform.instance)
  let transform = object.assumingMemoryBound(to: GstBaseTransform.self)
  gst_base_transform_set_in_place(transform, 1)
  gst_base_transform_set_qos_enabled(transform, elementClass.description.dropsLateFrames ? 1 : 0)
}

private func initializeClass(_ klass: gpointer, _ data: gpointer) {
  let elementClass = Unmanaged<ElementClass>.fromOpaque(data).takeUnretainedValue()
  store(elementClass, at: klass + Slots.transform.klass)  // never released

  let object = klass.assumingMemoryBound(to: GObjectClass.self)
  object.pointee.set_property = { object, id, value, _ in
    instance(of: object!).setProperty(Int(id) - 1, value!)
  }
  object.pointee.get_property = { object, id, value, _ in
    instance(of: object!).getProperty(Int(id) - 1, value!)
  }
  object.pointee.finalize = { object in
    let slot = UnsafeMutableRawPointer(object!) + Slots.transform.instance
    Unmanaged<AnyElementInstance>.fromOpaque(slot.load(as: gpointer.self)).release()
    let parent: UnsafeMutablePointer<GObjectClass> = cast(cgst_base_transform_class())
    parent.pointee.finalize(object)
  }
  installProperties(on: object, elementClass.propertyNames, elementClass.makeSpec)
  // Interrupts before GstBaseTransform's change_state, which waits for the frame in progress.
  let element = klass.assumingMemoryBound(to: GstElementClass.self)
  element.pointee.change_state = { element, transition in
    if transition == GST_STATE_CHANGE_PAUSED_TO_READY {
      instance(of: element!).anyElement.interrupt()
    }
    let parent: UnsafeMutablePointer<GstElementClass> = cast(cgst_base_transform_class())
    return parent.pointee.change_state(element, transition)
  }
  setFactoryDetails(element, elementClass.description)
  let transform = klass.assumingMemoryBound(to: GstBaseTransformClass.self)
  installCallbacks(transform)
  if elementClass.keepsFramesBack { installLookahead(transform) }
}

/// Installs properties with the identifiers 1, 2 and so on.
///
/// `makeSpec` is called with the property's index; it returns nil for one that an interface declares.
func installProperties(
  on klass: UnsafeMutablePointer<GObjectClass>, _ names: [String],
  _ makeSpec: (Int) -> UnsafeMutablePointer<GParamSpec>?
) {
  for (index, name) in names.enumerated() {
    if let spec = makeSpec(index) {
      g_object_class_install_property(klass, guint(index + 1), spec)
    } else {
      g_object_class_override_property(klass, guint(index + 1), name)
    }
  }
}

func setFactoryDetails(
  _ klass: UnsafeMutablePointer<GstElementClass>, _ description: ElementDescription
) {
  gst_element_class_set_metadata(
    klass, description.longName, description.classification, description.summary,
    "The Mien authors")
  let caps = templateCaps(description.formats)
  for (name, direction) in [("sink", GST_PAD_SINK), ("src", GST_PAD_SRC)] {
    gst_element_class_add_pad_template(
      klass, gst_pad_template_new(name, direction, GST_PAD_ALWAYS, caps))
  }
  gst_caps_unref(caps)
}

private func templateCaps(_ formats: [PixelFormat]) -> UnsafeMutablePointer<GstCaps>? {
  let formats = formats.map(\.gst)
  let caps = gst_video_make_raw_caps(formats, guint(formats.count))
  // gst_video_make_raw_caps allows any size; memory arithmetic is checked up to this one.
  for field in ["width", "height"] {
    var range = GValue()
    g_value_init(&range, gst_int_range_get_type())
    gst_value_set_int_range(&range, 1, gint(largestSide))
    gst_caps_set_value(caps, field, &range)
    g_value_unset(&range)
  }
  return caps
}

/// The maximum width and height of frames in pixels.
private let largestSide = 16384

func instance<Object>(of object: UnsafeMutablePointer<Object>) -> AnyElementInstance {
  load(UnsafeMutableRawPointer(object) + Slots.transform.instance)
}

func load<T: AnyObject>(_ slot: UnsafeMutableRawPointer) -> T {
  Unmanaged<T>.fromOpaque(slot.load(as: gpointer.self)).takeUnretainedValue()
}

func store<T: AnyObject>(_ object: T, at slot: UnsafeMutableRawPointer) {
  slot.storeBytes(of: Unmanaged.passRetained(object).toOpaque(), as: gpointer.self)
}
