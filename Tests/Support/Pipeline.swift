package import CGStreamer
import Pixels

/// A gst-launch description, run in this process, with what passed and what was said kept.
package final class Pipeline {
  private let pipeline: UnsafeMutablePointer<GstElement>
  private let bus: UnsafeMutablePointer<GstBus>
  private var probes: [Probe] = []

  /// Element messages as GStreamer writes structures, in the order they came.
  package private(set) var messages: [String] = []
  /// Texts of the warnings on the bus.
  package private(set) var warnings: [String] = []
  /// Called with every warning, on the thread that waits for the end.
  package var onWarning: (String) -> Void = { _ in }

  /// An error on the bus, or a pipeline that does not end.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
    /// What the error said for developers.
    package let detail: String

    package init(description: String, detail: String) {
      (self.description, self.detail) = (description, detail)
    }
  }

  package init(_ description: String) throws {
    gst_init(nil, nil)
    var error: UnsafeMutablePointer<GError>?
    let element = gst_parse_launch(description, &error)
    if let error {
      defer { g_error_free(error) }
      if let element { gst_object_unref(element) }
      throw Failure(description: String(cString: error.pointee.message), detail: description)
    }
    guard let element, let bus = gst_element_get_bus(element) else {
      throw Failure(description: "not a pipeline", detail: description)
    }
    pipeline = element
    self.bus = bus
  }

  deinit {
    gst_element_set_state(pipeline, GST_STATE_NULL)
    for probe in probes { probe.remove() }
    gst_object_unref(bus)
    gst_object_unref(pipeline)
  }

  /// Calls `body` on the streaming thread with every buffer that reaches `pad` of `element`.
  package func watch(
    _ element: String, pad: String = "sink",
    _ body: @escaping (UnsafeMutablePointer<GstBuffer>) -> Void
  ) throws {
    guard let named = self.element(element) else {
      throw Failure(description: "no element \(element)", detail: "")
    }
    defer { gst_object_unref(named) }
    guard let found = gst_element_get_static_pad(named, pad) else {
      throw Failure(description: "no pad \(pad)", detail: "")
    }
    probes.append(Probe(found, body))
  }

  /// The element called `name`, with a reference the caller gives back.
  package func element(_ name: String) -> UnsafeMutablePointer<GstElement>? {
    let bin = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
    return gst_bin_get_by_name(bin, name)
  }

  /// Sets a property from its text, as gst-launch does.
  package func set(_ element: String, _ property: String, _ value: String) {
    guard let named = self.element(element) else { return }
    defer { gst_object_unref(named) }
    gst_util_set_object_arg(
      UnsafeMutableRawPointer(named).assumingMemoryBound(to: GObject.self), property, value)
  }

  /// Has the sources end the stream; any thread may.
  package func end() { gst_element_send_event(pipeline, gst_event_new_eos()) }

  @discardableResult
  package func setState(_ state: GstState) -> GstStateChangeReturn {
    gst_element_set_state(pipeline, state)
  }

  /// The pipeline itself, for calls this class does not offer.
  package var raw: UnsafeMutablePointer<GstElement> { pipeline }

  /// Plays until the end of the stream; an error on the bus, or no end (see `wait`), is thrown.
  package func run(seconds: UInt64 = 60) throws {
    setState(GST_STATE_PLAYING)
    defer { setState(GST_STATE_NULL) }
    try wait(seconds: seconds)
  }

  /// Handles messages until the end of the stream.
  ///
  /// Throws when the sink has taken nothing for `seconds`, or ten times that is over. How long a
  /// film takes says nothing: hundreds of other tests, and whatever else the machine does, have
  /// their share of it.
  package func wait(seconds: UInt64 = 60) throws {
    let patience = gint64(seconds) * 1_000_000
    var deadline = g_get_monotonic_time() + patience
    let end = deadline + 9 * patience
    var last: gint64 = -1
    while true {
      if g_get_monotonic_time() >= deadline {
        var position: gint64 = -1
        gst_element_query_position(pipeline, GST_FORMAT_TIME, &position)
        guard position != last, deadline < end else { break }
        last = position
        deadline += patience
      }
      guard let message = gst_bus_timed_pop(bus, 100_000_000) else { continue }
      defer { gst_mini_object_unref(asMini(message)) }
      switch message.pointee.type {
      case GST_MESSAGE_EOS:
        return
      case GST_MESSAGE_ERROR:
        throw failure(message, gst_message_parse_error)
      case GST_MESSAGE_WARNING:
        warnings.append(failure(message, gst_message_parse_warning).description)
        onWarning(warnings[warnings.count - 1])
      case GST_MESSAGE_ELEMENT:
        if let text = gst_structure_to_string(gst_message_get_structure(message)) {
          messages.append(String(cString: text))
          g_free(text)
        }
      default:
        break
      }
    }
    throw Failure(description: "no end of stream after \(seconds) s", detail: "")
  }

  private func failure(
    _ message: UnsafeMutablePointer<GstMessage>,
    _ parse: (
      UnsafeMutablePointer<GstMessage>?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
    ) -> Void
  ) -> Failure {
    var error: UnsafeMutablePointer<GError>?
    var debug: UnsafeMutablePointer<gchar>?
    parse(message, &error, &debug)
    defer {
      g_error_free(error)
      g_free(debug)
    }
    return Failure(
      description: error.map { String(cString: $0.pointee.message) } ?? "",
      detail: debug.map { String(cString: $0) } ?? "")
  }

  private func asMini<T>(_ object: UnsafeMutablePointer<T>) -> UnsafeMutablePointer<GstMiniObject> {
    UnsafeMutableRawPointer(object).assumingMemoryBound(to: GstMiniObject.self)
  }
}

/// A buffer probe whose closure lives until the probe is removed.
private final class Probe {
  private let pad: UnsafeMutablePointer<GstPad>
  private let body: (UnsafeMutablePointer<GstBuffer>) -> Void
  private var id: gulong = 0

  init(
    _ pad: UnsafeMutablePointer<GstPad>, _ body: @escaping (UnsafeMutablePointer<GstBuffer>) -> Void
  ) {
    self.pad = pad
    self.body = body
    id = gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_BUFFER,
      { _, info, user in
        let probe = Unmanaged<Probe>.fromOpaque(user!).takeUnretainedValue()
        if let buffer = gst_pad_probe_info_get_buffer(info) { probe.body(buffer) }
        return GST_PAD_PROBE_OK
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  func remove() {
    gst_pad_remove_probe(pad, id)
    gst_object_unref(pad)
  }
}
