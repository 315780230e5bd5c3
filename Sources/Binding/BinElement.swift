import CGStreamer
package import Frames
import Synchronization

/// An element that contains others: a GstBin whose properties are those of a settings struct.
///
/// GStreamer creates one object per element. All methods may be called on any thread; `start` and `stop`
/// come in turn.
package protocol BinElement: AnyObject {
  associatedtype Settings: ElementSettings

  static var description: ElementDescription { get }
  static var properties: [Property<Settings>] { get }

  /// Adds the pads and the elements that are always there. `host` is the bin.
  init(host: ElementHost)

  /// Called before the bin's elements go from READY to PAUSED; an error makes that change fail.
  ///
  /// `settings` returns those of the moment; several threads may set properties at once.
  func start(_ settings: () -> Settings) throws(ElementError)

  /// Called after a property was set, in every state.
  func settingsChanged(_ settings: () -> Settings)

  /// Called after the bin's elements went from PAUSED to READY.
  func stop()
}

/// Registers a bin under its name with the plugin.
package func register<E: BinElement>(_: E.Type, in plugin: OpaquePointer?) -> Bool {
  let type = registerType(BinClass(E.self))
  return gst_element_register(plugin, E.description.name, guint(GST_RANK_NONE.rawValue), type) != 0
}

/// The Swift side of a bin's GType; never freed.
private final class BinClass {
  let description: ElementDescription
  let propertyNames: [String]
  let makeSpec: (Int) -> UnsafeMutablePointer<GParamSpec>?
  let makeInstance: (ElementHost) -> AnyBinInstance

  init<E: BinElement>(_: E.Type) {
    let properties = E.properties
    description = E.description
    propertyNames = properties.map(\.name)
    makeSpec = { properties[$0].makeSpec?(E.Settings()) }
    makeInstance = { BinInstance<E>($0, properties) }
  }
}

/// The Swift side of one bin, which the GObject owns and releases in `finalize`.
private class AnyBinInstance {
  func setProperty(_ index: Int, _ value: UnsafePointer<GValue>) {}
  func getProperty(_ index: Int, _ value: UnsafeMutablePointer<GValue>) {}
  func start() throws(ElementError) {}
  func stop() {}
}

private final class BinInstance<E: BinElement>: AnyBinInstance {
  private let element: E
  private let properties: [Property<E.Settings>]
  private let settings = Mutex(E.Settings())

  init(_ host: ElementHost, _ properties: [Property<E.Settings>]) {
    element = E(host: host)
    self.properties = properties
  }

  override func setProperty(_ index: Int, _ value: UnsafePointer<GValue>) {
    settings.withLock { properties[index].write(&$0, value) }
    element.settingsChanged { settings.withLock { $0 } }
  }

  override func getProperty(_ index: Int, _ value: UnsafeMutablePointer<GValue>) {
    properties[index].read(settings.withLock { $0 }, value)
  }

  override func start() throws(ElementError) {
    try element.start { settings.withLock { $0 } }
  }
  override func stop() { element.stop() }
}

private func registerType(_ binClass: BinClass) -> GType {
  let existing = g_type_from_name(binClass.description.typeName)
  if existing != 0 { return existing }
  var info = Slots.bin.typeInfo()
  info.class_init = { initializeClass($0!, $1!) }
  // Never released, as GTypes are never unregistered.
  info.class_data = UnsafeRawPointer(Unmanaged.passRetained(binClass).toOpaque())
  info.instance_init = { object, klass in
    let binClass: BinClass = load(klass! + Slots.bin.klass)
    let object = UnsafeMutableRawPointer(object!)
    let host = ElementHost(element: object.assumingMemoryBound(to: GstElement.self))
    store(binClass.makeInstance(host), at: object + Slots.bin.instance)  // released in finalize
  }
  let type = g_type_register_static(
    gst_bin_get_type(), binClass.description.typeName, &info, GTypeFlags(rawValue: 0))
  addPresets(to: type)
  return type
}

private func initializeClass(_ klass: gpointer, _ data: gpointer) {
  let binClass = Unmanaged<BinClass>.fromOpaque(data).takeUnretainedValue()
  store(binClass, at: klass + Slots.bin.klass)  // never released
  let object = klass.assumingMemoryBound(to: GObjectClass.self)
  object.pointee.set_property = { object, id, value, _ in
    binInstance(of: object!).setProperty(Int(id) - 1, value!)
  }
  object.pointee.get_property = { object, id, value, _ in
    binInstance(of: object!).getProperty(Int(id) - 1, value!)
  }
  object.pointee.finalize = { object in
    let slot = UnsafeMutableRawPointer(object!) + Slots.bin.instance
    Unmanaged<AnyBinInstance>.fromOpaque(slot.load(as: gpointer.self)).release()
    parentClass(GObjectClass.self).pointee.finalize(object)
  }
  installProperties(on: object, binClass.propertyNames, binClass.makeSpec)
  let element = klass.assumingMemoryBound(to: GstElementClass.self)
  element.pointee.change_state = { element, transition in changeState(element!, transition) }
  setFactoryDetails(element, binClass.description)
}

private func changeState(
  _ element: UnsafeMutablePointer<GstElement>, _ transition: GstStateChange
) -> GstStateChangeReturn {
  let instance = binInstance(of: element)
  if transition == GST_STATE_CHANGE_READY_TO_PAUSED {
    do throws(ElementError) {
      try instance.start()
    } catch {
      error.post(on: element)
      return GST_STATE_CHANGE_FAILURE
    }
  }
  let result = parentClass(GstElementClass.self).pointee.change_state(element, transition)
  let hasStopped =
    transition == GST_STATE_CHANGE_PAUSED_TO_READY
    || transition == GST_STATE_CHANGE_READY_TO_PAUSED && result == GST_STATE_CHANGE_FAILURE
  if hasStopped { instance.stop() }
  return result
}

private func parentClass<Class>(_: Class.Type) -> UnsafeMutablePointer<Class> {
  g_type_class_peek(gst_bin_get_type())!.assumingMemoryBound(to: Class.self)
}

private func binInstance<Object>(of object: UnsafeMutablePointer<Object>) -> AnyBinInstance {
  load(UnsafeMutableRawPointer(object) + Slots.bin.instance)
}
