import CGStreamer
import Files

/// A pipeline that decodes, and nobody else knows of.
///
/// For one thread, which it is freed on: that waits for the decoder's own threads.
final class OwnedPipeline {
  /// What it says while it plays.
  enum Message {
    case end
    case error(String)
    /// A decoder that GStreamer does not have here, as "GIF decoder".
    case missing(String)
    case other
  }

  private let raw: UnsafeMutablePointer<GstElement>
  private var probes: [PadProbe] = []
  private var kept: [AnyObject] = []

  /// Nil where an element of `description` is missing.
  init?(_ description: String) {
    var error: UnsafeMutablePointer<GError>?
    let parsed = gst_parse_launch(description, &error)
    if error != nil { g_error_free(error) }
    guard let parsed else { return nil }
    raw = parsed
    if error != nil { return nil }
  }

  deinit {
    // Probes are called no more once the threads are gone.
    stop()
    probes = []
    gst_object_unref(raw)
    kept = []
  }

  /// Has `object`, which callbacks of its elements use, live as long as the pipeline.
  func keep(_ object: AnyObject) { kept.append(object) }

  func play() -> Bool {
    gst_element_set_state(raw, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE
  }

  /// Ends all of its threads, however long a decoder takes for that.
  func stop() { gst_element_set_state(raw, GST_STATE_NULL) }

  /// Calls `body` with the element of this name; nil where there is none.
  func with<R>(_ element: String, _ body: (UnsafeMutablePointer<GstElement>) -> R?) -> R? {
    guard let element = gst_bin_get_by_name(bin, element) else { return nil }
    defer { gst_object_unref(element) }
    return body(element)
  }

  /// A pad of an element, with a reference that the caller gives back.
  func pad(_ element: String, _ name: String) -> UnsafeMutablePointer<GstPad>? {
    with(element) { gst_element_get_static_pad($0, name) }
  }

  /// Sets a property of an element to a text, which goes in as it is: where a pipeline is
  /// described, quotes and "NULL" would be taken for more than that.
  func set(_ element: String, _ property: String, _ text: FilePath) -> Bool {
    let done: Void? = with(element) { element in
      var value = GValue()
      g_value_init(&value, cgst_type_string)
      text.withCString { g_value_set_string(&value, $0) }
      let object = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self)
      g_object_set_property(object, property, &value)
      g_value_unset(&value)
    }
    return done != nil
  }

  /// Whether any of its threads has something to do, and does not rest for good.
  var isAtWork: Bool {
    var isAtWork = false
    Self.visit(gst_bin_iterate_recurse(bin)) { element in
      Self.visit(gst_element_iterate_pads(element.assumingMemoryBound(to: GstElement.self))) {
        let pad = $0.assumingMemoryBound(to: GstPad.self)
        if gst_pad_get_task_state(pad) == GST_TASK_STARTED { isAtWork = true }
      }
    }
    return isAtWork
  }

  private var bin: UnsafeMutablePointer<GstBin> {
    UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstBin.self)
  }

  /// Calls `body` with each object; more than once where things change meanwhile.
  private static func visit(
    _ iterator: UnsafeMutablePointer<GstIterator>?, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    defer { gst_iterator_free(iterator) }
    var value = GValue()
    defer { g_value_unset(&value) }
    while true {
      switch gst_iterator_next(iterator, &value) {
      case GST_ITERATOR_OK: g_value_get_object(&value).map(body)
      case GST_ITERATOR_RESYNC: gst_iterator_resync(iterator)
      default: return
      }
      g_value_reset(&value)
    }
  }

  /// Has `body` see the buffers that come to a pad, on whichever thread; false without that pad.
  func watchBuffers(
    _ element: String, _ name: String,
    _ body: @escaping (UnsafeMutablePointer<GstBuffer>, UnsafeMutablePointer<GstPad>) -> Void
  ) -> Bool {
    watch(element, name, GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
      if let buffer = gst_pad_probe_info_get_buffer(info) { body(buffer, pad) }
      return GST_PAD_PROBE_OK
    }
  }

  /// The same for all that the kinds name.
  func watch(
    _ element: String, _ name: String, _ kinds: GstPadProbeType..., body: @escaping PadProbe.Body
  ) -> Bool {
    guard let pad = pad(element, name) else { return false }
    probes.append(PadProbe(pad, kinds.reduce(0) { $0 | $1.rawValue }, body))
    return true
  }

  /// The next thing it says; nil when that takes longer than so many milliseconds.
  func nextMessage(_ milliseconds: GstClockTime) -> Message? {
    guard let bus = gst_element_get_bus(raw) else { return nil }
    defer { gst_object_unref(bus) }
    let wanted = [
      GST_MESSAGE_EOS, GST_MESSAGE_ERROR, GST_MESSAGE_ELEMENT, GST_MESSAGE_APPLICATION,
    ].reduce(0) { $0 | $1.rawValue }
    guard
      let message = gst_bus_timed_pop_filtered(
        bus, milliseconds * 1_000_000, GstMessageType(rawValue: wanted))
    else { return nil }
    defer {
      gst_mini_object_unref(
        UnsafeMutableRawPointer(message).assumingMemoryBound(to: GstMiniObject.self))
    }
    switch cgst_message_type(message) {
    case GST_MESSAGE_EOS: return .end
    case GST_MESSAGE_ERROR:
      var error: UnsafeMutablePointer<GError>?
      gst_message_parse_error(message, &error, nil)
      defer { g_error_free(error) }
      return .error(error.map { String(cString: $0.pointee.message) } ?? "unknown error")
    default:
      let structure = gst_message_get_structure(message)
      guard gst_structure_has_name(structure, "missing-plugin") != 0,
        let name = gst_structure_get_string(structure, "name")
      else { return .other }
      return .missing(String(cString: name))
    }
  }

  /// Ends a `nextMessage`; for any thread, as long as the pipeline lives.
  var wake: @Sendable () -> Void {
    nonisolated(unsafe) let raw = raw
    return {
      let structure = gst_structure_new_empty("mien-wake")
      gst_element_post_message(raw, gst_message_new_application(nil, structure))
    }
  }
}

/// A probe on a pad, as long as this lives.
final class PadProbe {
  typealias Body = (
    UnsafeMutablePointer<GstPad>, UnsafeMutablePointer<GstPadProbeInfo>
  ) -> GstPadProbeReturn

  private let pad: UnsafeMutablePointer<GstPad>
  private let body: Body
  private var id: gulong = 0

  /// Takes over a reference to `pad`.
  init(_ pad: UnsafeMutablePointer<GstPad>, _ kinds: UInt32, _ body: @escaping Body) {
    self.pad = pad
    self.body = body
    id = gst_pad_add_probe(
      pad, GstPadProbeType(rawValue: kinds),
      { pad, info, user in
        Unmanaged<PadProbe>.fromOpaque(user!).takeUnretainedValue().body(pad!, info!)
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  deinit {
    gst_pad_remove_probe(pad, id)
    gst_object_unref(pad)
  }
}
