import CGStreamer
import Frames

/// Makes GstBaseTransform delay frames in a `LookaheadQueue`; negotiation and QoS happen when they
/// leave it.
func installLookahead(_ klass: UnsafeMutablePointer<GstBaseTransformClass>) {
  // It would be called for the incoming frame; `generateOutput` calls `beforeTransform` for the
  // outgoing one.
  klass.pointee.before_transform = nil
  klass.pointee.submit_input_buffer = { transform, _, buffer in
    enqueue(buffer!, transform!)
  }
  klass.pointee.generate_output = { transform, output in
    output!.pointee = nil
    return generateOutput(transform!, instance(of: transform!).lookahead, &output!.pointee)
  }
  klass.pointee.sink_event = { transform, event in
    handleEvent(transform!, event!)
  }
  klass.pointee.query = { transform, direction, query in
    let isAnswered = cgst_base_transform_class()!.pointee.query!(transform, direction, query)
    if isAnswered != 0, direction == GST_PAD_SRC, cgst_query_type(query!) == GST_QUERY_LATENCY {
      addLatency(transform!, query!)
    }
    return isAnswered
  }
}

private func enqueue(
  _ buffer: Buffer, _ transform: UnsafeMutablePointer<GstBaseTransform>
) -> GstFlowReturn {
  let instance = instance(of: transform)
  guard let queue = instance.queue else { return GST_FLOW_ERROR }
  do throws(ElementError) {
    var segment = queue.segment
    try instance.enqueue(buffer, &segment)
  } catch {
    error.post(on: cast(transform))
    gst_mini_object_unref(cast(buffer))
    return GST_FLOW_ERROR
  }
  if queue.updateLatency(buffer, instance.lookahead) {
    gst_element_post_message(cast(transform), gst_message_new_latency(cast(transform)))
  }
  queue.append(buffer)
  return GST_FLOW_OK
}

/// Removes entries from the queue until one yields an output frame, or none may leave.
private func generateOutput(
  _ transform: UnsafeMutablePointer<GstBaseTransform>, _ lookahead: Int, _ output: inout Buffer?
) -> GstFlowReturn {
  let instance = instance(of: transform)
  let parent = cgst_base_transform_class()!
  while let entry = instance.queue?.popReady(lookahead) {
    switch entry {
    case .event(let event, _):
      _ = parent.pointee.sink_event(transform, event)
    case .frame(let buffer):
      beforeTransform(transform, buffer)
      instance.dequeue()
      var flow = parent.pointee.submit_input_buffer(transform, 0, buffer)
      // QoS has dropped a late frame.
      if flow == GST_FLOW_CUSTOM_SUCCESS { continue }
      if flow == GST_FLOW_OK { flow = parent.pointee.generate_output(transform, &output) }
      guard flow == GST_FLOW_OK || flow == GST_FLOW_CUSTOM_SUCCESS else { return flow }
      if output != nil { return GST_FLOW_OK }
    }
  }
  return GST_FLOW_OK
}

/// Pushes the frames that may leave after an event has arrived.
private func pushReadyFrames(_ transform: UnsafeMutablePointer<GstBaseTransform>, _ lookahead: Int)
{
  while true {
    var output: Buffer?
    let flow = generateOutput(transform, lookahead, &output)
    guard let output else { return }
    guard flow == GST_FLOW_OK else {
      gst_mini_object_unref(cast(output))
      return
    }
    // The error is returned again for the next frame.
    if gst_pad_push(transform.pointee.srcpad, output) != GST_FLOW_OK { return }
  }
}

/// Pushes all entries before an event that must come after them.
///
/// Frames that downstream refuses are dropped, because other caps or another stream follow.
private func drain(_ transform: UnsafeMutablePointer<GstBaseTransform>) {
  pushReadyFrames(transform, 0)
  let instance = instance(of: transform)
  while let entry = instance.queue?.popReady(0) {
    switch entry {
    case .event(let event, _):
      _ = cgst_base_transform_class()!.pointee.sink_event(transform, event)
    case .frame(let buffer):
      instance.dequeue()
      gst_mini_object_unref(cast(buffer))
    }
  }
}

private func handleEvent(
  _ transform: UnsafeMutablePointer<GstBaseTransform>, _ event: UnsafeMutablePointer<GstEvent>
) -> gboolean {
  let instance = instance(of: transform)
  let parent = cgst_base_transform_class()!
  guard let queue = instance.queue else { return 0 }
  let type = cgst_event_type(event)
  func forward() -> gboolean {
    handleSinkEvent(transform, event)
    return parent.pointee.sink_event(transform, event)
  }
  switch type {
  case GST_EVENT_FLUSH_STOP:
    let events = queue.flush()
    let isPassed = forward()
    for event in events { _ = parent.pointee.sink_event(transform, event) }
    return isPassed
  case GST_EVENT_STREAM_START, GST_EVENT_EOS, GST_EVENT_SEGMENT_DONE:
    drain(transform)
    return forward()
  case GST_EVENT_CAPS:
    if !hasCurrentCaps(event, transform) { drain(transform) }
    return forward()
  case GST_EVENT_SEGMENT:
    var segment: UnsafePointer<GstSegment>?
    gst_event_parse_segment(event, &segment)
    if let segment { queue.setSegment(segment.pointee) }
  case _ where type.rawValue & GST_EVENT_TYPE_SERIALIZED.rawValue == 0:
    return forward()
  default: break
  }
  guard !queue.isEmpty else { return forward() }
  handleSinkEvent(transform, event)
  queue.append(event, isGap: type == GST_EVENT_GAP)
  pushReadyFrames(transform, instance.lookahead)
  return 1
}

/// Whether a caps event has the current caps.
private func hasCurrentCaps(
  _ event: UnsafeMutablePointer<GstEvent>, _ transform: UnsafeMutablePointer<GstBaseTransform>
) -> Bool {
  var caps: UnsafeMutablePointer<GstCaps>?
  gst_event_parse_caps(event, &caps)
  guard let current = gst_pad_get_current_caps(transform.pointee.sinkpad) else { return false }
  defer { gst_caps_unref(current) }
  return gst_caps_is_equal(current, caps) != 0
}

private func addLatency(
  _ transform: UnsafeMutablePointer<GstBaseTransform>, _ query: UnsafeMutablePointer<GstQuery>
) {
  let instance = instance(of: transform)
  guard let nanoseconds = instance.queue?.latency(instance.lookahead), nanoseconds > 0 else {
    return
  }
  let more = GstClockTime(nanoseconds)
  var isLive: gboolean = 0
  var (minimum, maximum) = (GstClockTime(0), GstClockTime(0))
  gst_query_parse_latency(query, &isLive, &minimum, &maximum)
  if maximum != cgst_clock_time_none { maximum += more }
  gst_query_set_latency(query, isLive, minimum + more, maximum)
}
