import CGStreamer
import Harness

/// One element or a chain outside a pipeline, like a small GstHarness.
///
/// It has a source and a sink pad of its own; the calling thread pushes buffers and events.
final class ElementHarness {
  let element: UnsafeMutablePointer<GstElement>
  private let source: UnsafeMutablePointer<GstPad>
  private let sink: UnsafeMutablePointer<GstPad>
  private let output: UnsafeMutablePointer<GstPad>
  private let bus: UnsafeMutablePointer<GstBus>

  /// State of the sink pad, for its callbacks.
  final class Downstream {
    /// Whether the allocation query announces GstVideoMeta.
    var supportsVideoMeta = false
    /// The sum of all bytes received, so that each is read.
    var sum: UInt64 = 0
    var count = 0
  }
  private let downstream = Downstream()

  /// The text of the last error message.
  private(set) var error = ""
  /// Number of buffers by flow return.
  private(set) var flows: [GstFlowReturn.RawValue: Int] = [:]
  /// Durations of state changes to READY and NULL.
  private(set) var stops = CallDurations(limit: 100)

  /// From an element's name or a launch line; nil if an element is missing.
  init?(_ description: String) {
    guard PluginRegistration.isDone,
      let made = description.contains(" ")
        ? gst_parse_bin_from_description(description, 1, nil)
          .map({ UnsafeMutableRawPointer($0).assumingMemoryBound(to: GstElement.self) })
        : gst_element_factory_make(description, nil)
    else { return nil }
    element = gst_object_ref_sink(made).assumingMemoryBound(to: GstElement.self)
    func pad(_ name: String, _ direction: GstPadDirection) -> UnsafeMutablePointer<GstPad> {
      gst_object_ref_sink(gst_pad_new(name, direction)).assumingMemoryBound(to: GstPad.self)
    }
    source = pad("before", GST_PAD_SRC)
    sink = pad("after", GST_PAD_SINK)
    bus = gst_bus_new()
    guard let input = gst_element_get_static_pad(element, "sink"),
      let output = gst_element_get_static_pad(element, "src")
    else { return nil }
    self.output = output
    defer { gst_object_unref(input) }
    gst_element_set_bus(element, bus)
    handleMessages()
    configureSinkPad()
    gst_pad_link(source, input)
    gst_pad_link(output, sink)
  }

  deinit {
    stop()
    gst_element_set_bus(element, nil)
    gst_object_unref(bus)
    gst_object_unref(output)
    gst_object_unref(element)
    gst_object_unref(source)
    gst_object_unref(sink)
  }

  /// Drops all messages on the posting thread; keeps the text of errors.
  private func handleMessages() {
    gst_bus_set_sync_handler(
      bus,
      { _, message, user in
        let message = message!
        if message.pointee.type == GST_MESSAGE_ERROR {
          var error: UnsafeMutablePointer<GError>?
          gst_message_parse_error(message, &error, nil)
          if let error {
            Unmanaged<ElementHarness>.fromOpaque(user!).takeUnretainedValue().error = String(
              cString: error.pointee.message)
            g_error_free(error)
          }
        }
        gst_mini_object_unref(
          UnsafeMutableRawPointer(message).assumingMemoryBound(to: GstMiniObject.self))
        return GST_BUS_DROP
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  private func configureSinkPad() {
    // Owned by this object, which outlives the pad's callbacks.
    gst_pad_set_element_private(sink, Unmanaged.passUnretained(downstream).toOpaque())
    gst_pad_set_chain_function_full(
      sink,
      { pad, _, buffer in
        ElementHarness.downstream(of: pad!).consume(buffer!)
        return GST_FLOW_OK
      }, nil, nil)
    gst_pad_set_query_function_full(
      sink,
      { pad, parent, query in
        if query!.pointee.type == GST_QUERY_ALLOCATION {
          if ElementHarness.downstream(of: pad!).supportsVideoMeta {
            gst_query_add_allocation_meta(query, gst_video_meta_api_get_type(), nil)
          }
          return 1
        }
        // The default handler accepts the first caps only.
        if query!.pointee.type == GST_QUERY_CAPS {
          let any = gst_caps_new_any()
          gst_query_set_caps_result(query, any)
          gst_caps_unref(any)
          return 1
        }
        if query!.pointee.type == GST_QUERY_ACCEPT_CAPS {
          gst_query_set_accept_caps_result(query, 1)
          return 1
        }
        return gst_pad_query_default(pad, parent, query)
      }, nil, nil)
  }

  private static func downstream(of pad: UnsafeMutablePointer<GstPad>) -> Downstream {
    Unmanaged<Downstream>.fromOpaque(gst_pad_get_element_private(pad)!).takeUnretainedValue()
  }

  var supportsVideoMeta: Bool {
    get { downstream.supportsVideoMeta }
    set { downstream.supportsVideoMeta = newValue }
  }

  /// Number of output buffers.
  var received: Int { downstream.count }

  /// Sets the element to PLAYING; false on failure.
  func start() -> Bool {
    error = ""
    gst_pad_set_active(source, 1)
    gst_pad_set_active(sink, 1)
    let change = withWatchdog("to PLAYING") { gst_element_set_state(element, GST_STATE_PLAYING) }
    guard change != GST_STATE_CHANGE_FAILURE else { return false }
    push(gst_event_new_stream_start("fuzz"))
    return true
  }

  func stop(to state: GstState = GST_STATE_NULL) {
    stops.add(milliseconds { withWatchdog("a stop") { _ = gst_element_set_state(element, state) } })
    gst_pad_set_active(source, 0)
    gst_pad_set_active(sink, 0)
  }

  /// Sends an event downstream.
  @discardableResult
  func push(_ event: UnsafeMutablePointer<GstEvent>?) -> Bool {
    withWatchdog("an event") { gst_pad_push_event(source, event) != 0 }
  }

  /// Sends an event upstream.
  func pushUpstream(_ event: UnsafeMutablePointer<GstEvent>?) {
    withWatchdog("an event upstream") { _ = gst_pad_push_event(sink, event) }
  }

  /// Links or unlinks the sink pad.
  func setLinked(_ isLinked: Bool) {
    withWatchdog("a link") {
      if isLinked { gst_pad_link(output, sink) } else { gst_pad_unlink(output, sink) }
    }
  }

  /// The elements of a chain, or the one there is.
  var elements: [UnsafeMutablePointer<GstElement>] {
    // An element of the plugin that is a bin counts as one.
    let type = UnsafeMutableRawPointer(element).load(as: UnsafeMutablePointer<GTypeClass>.self)
    guard type.pointee.g_type == gst_bin_get_type() else { return [element] }
    let bin = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstBin.self)
    var found: [UnsafeMutablePointer<GstElement>] = []
    var node = bin.pointee.children
    while let item = node {
      found.append(item.pointee.data.assumingMemoryBound(to: GstElement.self))
      node = item.pointee.next
    }
    // GstBin prepends children.
    return found.reversed()
  }

  @discardableResult
  func push(_ buffer: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
    let result = withWatchdog("a buffer") { gst_pad_push(source, buffer) }
    flows[result.rawValue, default: 0] += 1
    return result
  }
}

extension ElementHarness.Downstream {
  /// Reads all bytes of a buffer and releases it.
  func consume(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    count += 1
    for index in 0..<gst_buffer_n_memory(buffer) {
      var map = GstMapInfo()
      let memory = gst_buffer_peek_memory(buffer, index)
      guard gst_memory_map(memory, &map, GST_MAP_READ) != 0 else { continue }
      for byte in UnsafeBufferPointer(start: map.data, count: Int(map.size)) {
        sum &+= UInt64(byte)
      }
      gst_memory_unmap(memory, &map)
    }
    gst_mini_object_unref(
      UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self))
  }
}
