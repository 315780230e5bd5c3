import CGStreamer
import Harness

/// One element, or a chain of them, in no pipeline, fed and emptied by the calling thread through pads of its own.
final class ElementRig {
  let element: UnsafeMutablePointer<GstElement>
  private let source: UnsafeMutablePointer<GstPad>
  private let sink: UnsafeMutablePointer<GstPad>
  private let output: UnsafeMutablePointer<GstPad>
  private let bus: UnsafeMutablePointer<GstBus>

  /// What the pad after the element knows; lent to its callbacks.
  final class Downstream {
    /// Whether it says that it knows strides and offsets.
    var knowsStrides = false
    /// A sum of all bytes that came, so that they are read.
    var sum: UInt64 = 0
    var count = 0
  }
  private let downstream = Downstream()

  /// What the element said last that was wrong.
  private(set) var error = ""
  /// How many buffers ended in each way.
  private(set) var flows: [GstFlowReturn.RawValue: Int] = [:]
  /// Milliseconds of changes to READY and to NULL.
  private(set) var stops = Times(bar: 100)

  /// For a kind of element, or several with ` ! ` between them; nil where there is no such element.
  init?(_ description: String) {
    guard Registered.now,
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
    listen()
    receive()
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

  /// Lets all messages go as they come, but keeps what an error says.
  private func listen() {
    gst_bus_set_sync_handler(
      bus,
      { _, message, user in
        let message = message!
        if message.pointee.type == GST_MESSAGE_ERROR {
          var error: UnsafeMutablePointer<GError>?
          gst_message_parse_error(message, &error, nil)
          if let error {
            Unmanaged<ElementRig>.fromOpaque(user!).takeUnretainedValue().error = String(
              cString: error.pointee.message)
            g_error_free(error)
          }
        }
        gst_mini_object_unref(
          UnsafeMutableRawPointer(message).assumingMemoryBound(to: GstMiniObject.self))
        return GST_BUS_DROP
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  private func receive() {
    // Owned by this object, which outlives the pad's callbacks.
    gst_pad_set_element_private(sink, Unmanaged.passUnretained(downstream).toOpaque())
    gst_pad_set_chain_function_full(
      sink,
      { pad, _, buffer in
        ElementRig.downstream(of: pad!).take(buffer!)
        return GST_FLOW_OK
      }, nil, nil)
    gst_pad_set_query_function_full(
      sink,
      { pad, parent, query in
        if query!.pointee.type == GST_QUERY_ALLOCATION {
          if ElementRig.downstream(of: pad!).knowsStrides {
            gst_query_add_allocation_meta(query, gst_video_meta_api_get_type(), nil)
          }
          return 1
        }
        // By default it takes what it was given first, and nothing else.
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

  var knowsStrides: Bool {
    get { downstream.knowsStrides }
    set { downstream.knowsStrides = newValue }
  }

  /// Buffers that left the element.
  var received: Int { downstream.count }

  /// Takes the element up; false when it does not start.
  func start() -> Bool {
    error = ""
    gst_pad_set_active(source, 1)
    gst_pad_set_active(sink, 1)
    let change = watched("to PLAYING") { gst_element_set_state(element, GST_STATE_PLAYING) }
    guard change != GST_STATE_CHANGE_FAILURE else { return false }
    push(gst_event_new_stream_start("fuzz"))
    return true
  }

  func stop(to state: GstState = GST_STATE_NULL) {
    stops.take(milliseconds { watched("a stop") { _ = gst_element_set_state(element, state) } })
    gst_pad_set_active(source, 0)
    gst_pad_set_active(sink, 0)
  }

  /// Sends an event downstream.
  @discardableResult
  func push(_ event: UnsafeMutablePointer<GstEvent>?) -> Bool {
    watched("an event") { gst_pad_push_event(source, event) != 0 }
  }

  /// Sends an event upstream.
  func pushBack(_ event: UnsafeMutablePointer<GstEvent>?) {
    watched("an event upstream") { _ = gst_pad_push_event(sink, event) }
  }

  /// Takes the pad after the element off it, or puts it back.
  func link(_ isLinked: Bool) {
    watched("a link") {
      if isLinked { gst_pad_link(output, sink) } else { gst_pad_unlink(output, sink) }
    }
  }

  /// The elements of a chain, or the one there is.
  var elements: [UnsafeMutablePointer<GstElement>] {
    guard
      g_type_check_instance_is_a(
        UnsafeMutableRawPointer(element).assumingMemoryBound(to: GTypeInstance.self),
        gst_bin_get_type()) != 0
    else { return [element] }
    let bin = UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstBin.self)
    var found: [UnsafeMutablePointer<GstElement>] = []
    var node = bin.pointee.children
    while let item = node {
      found.append(item.pointee.data.assumingMemoryBound(to: GstElement.self))
      node = item.pointee.next
    }
    // They are prepended as they are made.
    return found.reversed()
  }

  @discardableResult
  func push(_ buffer: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
    let result = watched("a buffer") { gst_pad_push(source, buffer) }
    flows[result.rawValue, default: 0] += 1
    return result
  }
}

extension ElementRig.Downstream {
  /// Reads all of a buffer, and lets it go.
  func take(_ buffer: UnsafeMutablePointer<GstBuffer>) {
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
