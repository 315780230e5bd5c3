import CGStreamer
import Frames
import Pixels

/// Sets the virtual methods of GstBaseTransform.
///
/// Each unwraps its pointers, finds the Swift object and calls one of its methods.
func installCallbacks(_ klass: UnsafeMutablePointer<GstBaseTransformClass>) {
  // By default `transform_ip` is also called in passthrough mode, with a read-only frame.
  klass.pointee.transform_ip_on_passthrough = 0
  klass.pointee.passthrough_on_same_caps = 0

  klass.pointee.start = { transform in
    postingErrors(of: transform!) { (instance) throws(ElementError) in try instance.start() }
  }
  klass.pointee.stop = { transform in
    instance(of: transform!).stop()
    return 1
  }
  klass.pointee.transform_caps = { transform, direction, caps, filter in
    transformCaps(caps, filter, formats: instance(of: transform!).formatsAcross(from: direction))
  }
  klass.pointee.set_caps = { transform, input, output in
    var (from, to) = (GstVideoInfo(), GstVideoInfo())
    guard gst_video_info_from_caps(&from, input) != 0, gst_video_info_from_caps(&to, output) != 0
    else { return 0 }
    return postingErrors(of: transform!) { (instance) throws(ElementError) in
      try instance.configure(from, to)
      gst_base_transform_set_in_place(transform, instance.outputStrategy == nil ? 1 : 0)
    }
  }
  klass.pointee.accept_caps = { transform, direction, caps in
    let isAccepted = cgst_base_transform_class().pointee.accept_caps(transform, direction, caps)
    if isAccepted == 0, direction == GST_PAD_SINK { warnOfRefusedCaps(caps!, by: transform!) }
    return isAccepted
  }
  klass.pointee.get_unit_size = { _, caps, size in getUnitSize(caps, size) }
  // Frames may be padded to more bytes than needed; by default that is an error.
  klass.pointee.transform_size = { _, _, _, _, caps, size in getUnitSize(caps, size) }
  klass.pointee.sink_event = { transform, event in
    handleSinkEvent(transform!, event!)
    return cgst_base_transform_class().pointee.sink_event(transform, event)
  }
  klass.pointee.src_event = { transform, event in
    handleNavigationEvent(transform!, event!)
    return cgst_base_transform_class().pointee.src_event(transform, event)
  }
  installFrameCallbacks(klass)
}

/// Fills the slots that are called for each buffer and its memory.
private func installFrameCallbacks(_ klass: UnsafeMutablePointer<GstBaseTransformClass>) {
  klass.pointee.decide_allocation = { transform, query in decideAllocation(transform!, query!) }
  klass.pointee.propose_allocation = { transform, decided, query in
    proposeAllocation(transform!, decided, query!)
  }
  klass.pointee.transform_meta = { _, _, meta, _ in
    // The picture keeps its content and position; only metadata about its encoding may be wrong.
    let colorspace = g_quark_from_string("colorspace")
    return gst_meta_api_type_has_tag(meta!.pointee.info.pointee.api, colorspace) != 0 ? 0 : 1
  }
  klass.pointee.before_transform = { transform, buffer in beforeTransform(transform!, buffer!) }
  klass.pointee.prepare_output_buffer = { transform, input, output in
    let isPrepared =
      postingErrors(of: transform!) { (instance) throws(ElementError) in
        output!.pointee = nil
        output!.pointee = try instance.prepare(input!, &transform!.pointee.segment)
      } != 0
    if output!.pointee != nil { return GST_FLOW_OK }
    guard isPrepared else { return GST_FLOW_ERROR }
    return cgst_base_transform_class().pointee.prepare_output_buffer(transform, input, output)
  }
  klass.pointee.transform = { transform, input, output in
    postingErrors(of: transform!) { (instance) throws(ElementError) in
      try instance.fill(output!, from: input!, &transform!.pointee.segment)
    } != 0 ? GST_FLOW_OK : GST_FLOW_ERROR
  }
  klass.pointee.transform_ip = { transform, buffer in
    postingErrors(of: transform!) { (instance) throws(ElementError) in
      try instance.process(buffer!, &transform!.pointee.segment)
    } != 0 ? GST_FLOW_OK : GST_FLOW_ERROR
  }
}

/// Applies controllers at the frame's stream time, and begins the frame with these properties.
func beforeTransform(_ transform: UnsafeMutablePointer<GstBaseTransform>, _ buffer: Buffer) {
  let isTimed = transform.pointee.segment.format == GST_FORMAT_TIME
  let time =
    isTimed
    ? gst_segment_to_stream_time(&transform.pointee.segment, GST_FORMAT_TIME, buffer.pointee.pts)
    : cgst_clock_time_none
  if time != cgst_clock_time_none { gst_object_sync_values(cast(transform), time) }
  instance(of: transform).snapshotSettings()
}

private func getUnitSize(
  _ caps: UnsafeMutablePointer<GstCaps>?, _ size: UnsafeMutablePointer<gsize>?
) -> gboolean {
  var info = GstVideoInfo()
  guard gst_video_info_from_caps(&info, caps) != 0 else { return 0 }
  size?.pointee = info.size
  return 1
}

private func handleNavigationEvent(
  _ transform: UnsafeMutablePointer<GstBaseTransform>, _ event: UnsafeMutablePointer<GstEvent>
) {
  guard cgst_event_type(event) == GST_EVENT_NAVIGATION,
    gst_navigation_event_get_type(event) == GST_NAVIGATION_EVENT_MOUSE_BUTTON_PRESS
  else { return }
  var button: gint = 0
  var (x, y) = (0.0, 0.0)
  guard gst_navigation_event_parse_mouse_button_event(event, &button, &x, &y) != 0, button == 1
  else { return }
  instance(of: transform).anyElement.clicked(x: x, y: y)
}

func handleSinkEvent(
  _ transform: UnsafeMutablePointer<GstBaseTransform>, _ event: UnsafeMutablePointer<GstEvent>
) {
  let instance = instance(of: transform)
  switch cgst_event_type(event) {
  case GST_EVENT_FLUSH_START: instance.anyElement.interrupt()
  // Tags persist across a flush and are not sent again, so the orientation is kept.
  case GST_EVENT_FLUSH_STOP: instance.notifyElement { $0.reset() }
  case GST_EVENT_STREAM_START: instance.notifyElement(orientation: .up) { $0.reset() }
  // A started element is not stopped before this returns.
  case GST_EVENT_EOS: if instance.isStarted { instance.anyElement.ended() }
  case GST_EVENT_TAG:
    var tags: UnsafeMutablePointer<GstTagList>?
    gst_event_parse_tag(event, &tags)
    guard let tags, let orientation = orientation(in: tags) else { return }
    instance.notifyElement(orientation: orientation)
  default: break
  }
}

/// The orientation from the image-orientation tag; nil without one.
private func orientation(in tags: UnsafeMutablePointer<GstTagList>) -> Orientation? {
  var text: UnsafeMutablePointer<gchar>?
  guard gst_tag_list_get_string(tags, GST_TAG_IMAGE_ORIENTATION, &text) != 0, let text else {
    return nil
  }
  defer { g_free(text) }
  // The tag names the correction of an EXIF orientation: mirror first, then rotate clockwise.
  let names: [String: Orientation] = [
    "rotate-0": .up, "rotate-90": .right, "rotate-180": .down, "rotate-270": .left,
    "flip-rotate-0": .upMirrored, "flip-rotate-90": .rightMirrored,
    "flip-rotate-180": .downMirrored, "flip-rotate-270": .leftMirrored,
  ]
  return names[String(cString: text)]
}

private func postingErrors(
  of transform: UnsafeMutablePointer<GstBaseTransform>,
  _ body: (AnyElementInstance) throws(ElementError) -> Void
) -> gboolean {
  do throws(ElementError) {
    try body(instance(of: transform))
    return 1
  } catch {
    error.post(on: cast(transform))
    return 0
  }
}
