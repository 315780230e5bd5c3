package import CGStreamer
import CJSONGLib

/// A GStreamer element, bin or pipeline; holds a reference.
///
/// For any thread, as far as GStreamer's own calls are.
package final class Element {
  package let raw: UnsafeMutablePointer<GstElement>

  /// Takes a reference of its own.
  package init(_ raw: UnsafeMutablePointer<GstElement>) {
    self.raw = raw
    gst_object_ref_sink(raw)
  }

  /// A new element; nil where GStreamer has no such factory.
  package convenience init?(factory: String) {
    guard let raw = gst_element_factory_make(factory, nil) else { return nil }
    self.init(raw)
  }

  /// A bin described in gst-launch syntax, with a ghost pad at either end.
  package convenience init(bin description: String) throws(ClientError) {
    var error: UnsafeMutablePointer<GError>?
    let bin = gst_parse_bin_from_description(description, 1, &error)
    try self.init(parsed: bin.map { UnsafeMutableRawPointer($0) }, error, description)
  }

  /// A pipeline described in gst-launch syntax.
  package convenience init(launch description: String) throws(ClientError) {
    var error: UnsafeMutablePointer<GError>?
    let pipeline = gst_parse_launch(description, &error)
    try self.init(parsed: pipeline.map { UnsafeMutableRawPointer($0) }, error, description)
  }

  private convenience init(
    parsed raw: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<GError>?,
    _ description: String
  ) throws(ClientError) {
    guard let raw, error == nil else {
      if let raw { gst_object_unref(raw) }
      throw ClientError(error, or: "no pipeline can be made of \(description)")
    }
    self.init(raw.assumingMemoryBound(to: GstElement.self))
  }

  deinit { gst_object_unref(raw) }

  /// Whether GStreamer has a factory of this name.
  package static func isAvailable(_ factory: String) -> Bool {
    guard let found = gst_element_factory_find(factory) else { return false }
    gst_object_unref(UnsafeMutableRawPointer(found))
    return true
  }

  /// Ranks a factory above all others: automatic choices take it from here on.
  package static func rankFirst(_ factory: String) {
    guard let found = gst_element_factory_find(factory) else { return }
    defer { gst_object_unref(UnsafeMutableRawPointer(found)) }
    gst_plugin_feature_set_rank(found, GST_RANK_PRIMARY.rawValue + 100)
  }

  /// The instance as another of its C types; no check is made.
  package func cast<Class>(to _: Class.Type) -> UnsafeMutablePointer<Class> {
    UnsafeMutableRawPointer(raw).assumingMemoryBound(to: Class.self)
  }

  private var bin: UnsafeMutablePointer<GstBin> { cast(to: GstBin.self) }

  // MARK: Bins

  /// The element of this name in the bin.
  package subscript(name: String) -> Element? {
    guard let found = gst_bin_get_by_name(bin, name) else { return nil }
    defer { gst_object_unref(found) }
    return Element(found)
  }

  /// Adds an element to the bin, in the bin's state; false where it does not reach that state.
  @discardableResult
  package func add(_ element: Element) -> Bool {
    gst_bin_add(bin, element.raw)
    return element.matchParentState()
  }

  /// Changes to the state of the bin that contains it; false where it does not reach that state.
  @discardableResult
  package func matchParentState() -> Bool { gst_element_sync_state_with_parent(raw) != 0 }

  /// Removes a stopped element from the bin.
  package func remove(_ element: Element) { gst_bin_remove(bin, element.raw) }

  package func link(_ next: Element) { gst_element_link(raw, next.raw) }

  package func unlink(_ next: Element) { gst_element_unlink(raw, next.raw) }

  package var isBin: Bool {
    g_type_check_instance_is_a(cast(to: GTypeInstance.self), gst_bin_get_type()) != 0
  }

  package func isInside(_ outer: Element) -> Bool {
    gst_object_has_as_ancestor(cast(to: GstObject.self), outer.cast(to: GstObject.self)) != 0
  }

  // MARK: Pads

  /// The static pad of this name.
  package func pad(_ name: String) -> Pad? {
    guard let pad = gst_element_get_static_pad(raw, name) else { return nil }
    defer { gst_object_unref(pad) }
    return Pad(pad)
  }

  package var sourcePads: [Pad] {
    var pads: [Pad] = []
    var item = raw.pointee.srcpads
    while let entry = item {
      pads.append(Pad(entry.pointee.data.assumingMemoryBound(to: GstPad.self)))
      item = entry.pointee.next
    }
    return pads
  }

  // MARK: State and time

  /// False where the change fails at once.
  @discardableResult
  package func setState(_ state: GstState) -> Bool {
    gst_element_set_state(raw, state) != GST_STATE_CHANGE_FAILURE
  }

  /// Seeks to the beginning; false where that is not possible.
  @discardableResult
  package func restart() -> Bool {
    let flags = GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_KEY_UNIT.rawValue
    return gst_element_seek_simple(
      raw, GST_FORMAT_TIME, GstSeekFlags(rawValue: flags), 0) != 0
  }

  /// Seeks to a stream time in nanoseconds, to the frame; false where that is not possible.
  @discardableResult
  package func seek(to time: Int) -> Bool {
    let flags = GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue
    return gst_element_seek_simple(
      raw, GST_FORMAT_TIME, GstSeekFlags(rawValue: flags), gint64(time)) != 0
  }

  /// The duration of what is played, in nanoseconds; 0 where it is not known.
  package var duration: Int {
    var duration: gint64 = 0
    return gst_element_query_duration(raw, GST_FORMAT_TIME, &duration) != 0 ? Int(duration) : 0
  }

  /// The stream time of what is played, in nanoseconds; -1 where it is not known.
  package var position: Int {
    var position: gint64 = -1
    gst_element_query_position(raw, GST_FORMAT_TIME, &position)
    return Int(position)
  }

  /// Has the pipeline use the system's clock, whatever clocks its elements provide.
  ///
  /// The times of two such pipelines agree, and neither stops with a sound card.
  package func useSystemClock() {
    let clock = gst_system_clock_obtain()
    gst_pipeline_use_clock(cast(to: GstPipeline.self), clock)
    gst_object_unref(UnsafeMutableRawPointer(clock!))
  }

  /// The time of the system's clock, in nanoseconds.
  package static var systemTime: Int {
    let clock = gst_system_clock_obtain()!
    defer { gst_object_unref(UnsafeMutableRawPointer(clock)) }
    return Int(truncatingIfNeeded: gst_clock_get_time(clock))
  }

  /// The clock time at which the running time is 0, in nanoseconds.
  package var baseTime: Int { Int(truncatingIfNeeded: gst_element_get_base_time(raw)) }
}
