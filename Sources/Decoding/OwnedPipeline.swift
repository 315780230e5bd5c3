import CGStreamer
import Files

/// A private pipeline that decodes a file.
///
/// Used and freed on one thread; freeing it waits for the decoder's threads.
final class OwnedPipeline {
  /// A bus message.
  enum Message {
    case end
    case error(String)
    /// The description of a decoder that is not installed, such as "GIF decoder".
    case missing(String)
    case other
  }

  private let raw: UnsafeMutablePointer<GstElement>
  private var probes: [PadProbe] = []
  private var kept: [AnyObject] = []

  /// Nil if an element of `description` is missing.
  init?(_ description: String) {
    var error: UnsafeMutablePointer<GError>?
    let parsed = gst_parse_launch(description, &error)
    if error != nil { g_error_free(error) }
    guard let parsed else { return nil }
    raw = parsed
    if error != nil { return nil }
  }

  deinit {
    // Stops the threads that call the probes.
    stop()
    probes = []
    gst_object_unref(raw)
    kept = []
  }

  /// Keeps `object`, which callbacks use, alive as long as the pipeline.
  func keep(_ object: AnyObject) { kept.append(object) }

  func play() -> Bool {
    gst_element_set_state(raw, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE
  }

  /// Stops and joins all streaming threads, without a timeout.
  func stop() { gst_element_set_state(raw, GST_STATE_NULL) }

  /// Calls `body` with the element of this name; nil if there is none.
  func with<R>(_ element: String, _ body: (UnsafeMutablePointer<GstElement>) -> R?) -> R? {
    guard let element = gst_bin_get_by_name(bin, element) else { return nil }
    defer { gst_object_unref(element) }
    return body(element)
  }

  /// A pad of an element; the caller owns the reference.
  func pad(_ element: String, _ name: String) -> UnsafeMutablePointer<GstPad>? {
    with(element) { gst_element_get_static_pad($0, name) }
  }

  /// Sets a string property verbatim; a pipeline description would interpret quotes and "NULL".
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

  /// Whether the task of any pad is running.
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

  /// Calls `body` with each object; again for all if the collection changes meanwhile.
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

  /// Calls `body` on a streaming thread for each buffer at a pad; false if there is no such pad.
  func watchBuffers(
    _ element: String, _ name: String,
    _ body: @escaping (UnsafeMutablePointer<GstBuffer>, UnsafeMutablePointer<GstPad>) -> Void
  ) -> Bool {
    watch(element, name, GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
      if let buffer = gst_pad_probe_info_get_buffer(info) { body(buffer, pad) }
      return GST_PAD_PROBE_OK
    }
  }

  /// Installs a pad probe for the given types; false if there is no such pad.
  func watch(
    _ element: String, _ name: String, _ kinds: GstPadProbeType..., body: @escaping PadProbe.Body
  ) -> Bool {
    guard let pad = pad(element, name) else { return false }
    probes.append(PadProbe(pad, kinds.reduce(0) { $0 | $1.rawValue }, body))
    return true
  }

  /// The next message; nil after a timeout in milliseconds.
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

  /// A function that ends a wait in `nextMessage`; for any thread while the pipeline exists.
  var wake: @Sendable () -> Void {
    nonisolated(unsafe) let raw = raw
    return {
      let structure = gst_structure_new_empty("mien-wake")
      gst_element_post_message(raw, gst_message_new_application(nil, structure))
    }
  }
}

/// A pad probe that is removed on deinitialization.
final class PadProbe {
  typealias Body = (
    UnsafeMutablePointer<GstPad>, UnsafeMutablePointer<GstPadProbeInfo>
  ) -> GstPadProbeReturn

  private let pad: UnsafeMutablePointer<GstPad>
  private let body: Body
  private var id: gulong = 0

  /// Takes ownership of the reference to `pad`.
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
